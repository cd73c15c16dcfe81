"""Whether clauses are unsatisfiable: by unit propagation, by a solver whose proof is checked here, or by cases.

Clauses are lists of numbers, n or -n for a variable and its negation.  A *proof* is a list of clauses, the last one
empty, each of which follows from those before by unit propagation (Goldberg and Novikov, Verification of Proofs of
Unsatisfiability for CNF Formulas, DATE 2003): assume that it is false, and propagation finds a contradiction.  What
the solver deletes is kept, which costs time and is never wrong.

Propagation watches two literals of each clause (Moskewicz, Madigan, Zhao, Zhang and Malik, Chaff, DAC 2001).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from knaster_check.refused import Refused, Unsupported
from knaster_check.work import Tick, nothing

Clause = Sequence[int]
PROPAGATED, CASES = "propagated", "by cases"
MOST_CHECKED = 400_000  # literals of clauses and proof; beyond, the solver's word is taken
MOST_CASES = 2_000
CONFLICTS = 500  # of the solver, between two looks at the work
PER_CONFLICT = 20  # units


class Propagation:
    """Clauses with two watched literals each, and the literals that follow."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self.watches: dict[int, list[list[int]]] = {}
        self.true: set[int] = set()
        self.trail: list[int] = []
        self.head = 0
        self.contradiction = False
        self.work = 0  # clauses looked at
        for clause in clauses:
            self.add(clause)

    def add(self, clause: Clause) -> None:
        """Add a clause, for good; at the outermost level only."""
        own = [literal for literal in dict.fromkeys(clause) if -literal not in self.true]
        # mutant(or): a clause that is always true may be kept as well
        if any(literal in self.true or -literal in own for literal in own):
            return
        if len(own) > 1:
            for literal in own[:2]:
                self.watches.setdefault(literal, []).append(own)
        elif not own or not self.assume(own[0]):
            self.contradiction = True

    def assume(self, literal: int) -> bool:
        """Make a literal true and propagate; return whether that is possible."""
        if literal in self.true:
            return True
        if -literal in self.true:
            return False
        self.true.add(literal)
        self.trail.append(literal)
        return self._propagate()

    def _propagate(self) -> bool:
        true, trail, watches = self.true, self.trail, self.watches
        while self.head < len(trail):
            false = -trail[self.head]
            self.head += 1
            kept: list[list[int]] = []
            clauses = watches.get(false, [])
            self.work += 1 + len(clauses)
            for position, clause in enumerate(clauses):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if first in true:
                    kept.append(clause)
                    continue
                for index in range(2, len(clause)):
                    if -clause[index] not in true:
                        clause[1], clause[index] = clause[index], false
                        watches.setdefault(clause[1], []).append(clause)
                        break
                else:
                    kept.append(clause)
                    if -first in true:
                        watches[false] = kept + clauses[position + 1 :]
                        return False
                    true.add(first)
                    trail.append(first)
            watches[false] = kept
        return True

    def undo(self, length: int) -> None:
        """Take back what became true after the trail had a length."""
        for literal in self.trail[length:]:
            self.true.discard(literal)
        del self.trail[length:]
        self.head = length

    def follows(self, clause: Clause) -> bool:
        """Tell whether a clause follows by propagation from its negation."""
        if self.contradiction:
            return True
        length = len(self.trail)
        consistent = all(self.assume(-literal) for literal in clause)
        self.undo(length)
        return not consistent


def check_proof(clauses: Iterable[Clause], proof: Iterable[Clause], tick: Tick = nothing) -> bool:
    """Tell whether a proof shows that clauses are unsatisfiable."""
    propagation = Propagation(clauses)
    for clause in proof:
        tick(propagation.work + len(clause))
        propagation.work = 0
        if not propagation.follows(clause):
            return False
        propagation.add(clause)
        if propagation.contradiction:
            return True
    return propagation.contradiction


def refute(clauses: Sequence[Clause], tick: Tick) -> str | None:
    """Return who says that clauses are unsatisfiable; None where they are satisfiable."""
    tick(sum(map(len, clauses)))
    propagation = Propagation(clauses)
    tick(propagation.work)
    if propagation.contradiction:
        return PROPAGATED
    try:
        from pysat.solvers import Glucose4
    except ImportError:
        return _refute_by_cases(propagation, tick)
    return _refute_by_solver(Glucose4, clauses, tick)


def _refute_by_solver(solver: Callable[..., object], clauses: Sequence[Clause], tick: Tick) -> str | None:
    with solver(bootstrap_with=clauses, with_proof=True) as own:  # type: ignore[attr-defined]
        own.conf_budget(CONFLICTS)
        while (satisfiable := own.solve_limited()) is None:
            tick(CONFLICTS * PER_CONFLICT)
            own.conf_budget(CONFLICTS)
        if satisfiable:
            return None
        proof = [_clause(line) for line in own.get_proof() if not line.startswith("d")]
    if sum(map(len, clauses)) + sum(map(len, proof)) > MOST_CHECKED:
        return "Glucose 4, its proof not checked"
    if not check_proof(clauses, [*proof, []], tick):
        raise Refused("the proof of the solver does not hold")
    return "Glucose 4, proof checked"


def _clause(line: str) -> list[int]:
    return [int(word) for word in line.split()[:-1]]


def _refute_by_cases(propagation: Propagation, tick: Tick) -> str | None:
    """Return who says that clauses are unsatisfiable, where no solver is installed: every case is tried."""
    todo: list[tuple[int, int]] = []  # the length of the trail, and the literal that is to be tried
    cases = 0
    while True:
        tick()
        cases += 1
        if cases > MOST_CASES:
            raise Unsupported("an obligation is too large without a SAT solver: install python-sat")
        free = _open_literal(propagation)
        if free is None:
            return None
        todo += ((len(propagation.trail), -free), (len(propagation.trail), free))
        while todo:
            length, literal = todo.pop()
            propagation.undo(length)
            if propagation.assume(literal):
                break
        else:
            return CASES


def _open_literal(propagation: Propagation) -> int | None:
    """Return a literal of a clause that is not true yet; None where every clause is."""
    true = propagation.true
    for clauses in propagation.watches.values():
        for clause in clauses:
            if not any(literal in true for literal in clause):
                return next(literal for literal in clause if -literal not in true)
    return None
