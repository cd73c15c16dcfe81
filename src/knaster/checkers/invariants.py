"""The check of invariants: every way through the program, from one place with an invariant to the next, by z3.

Every question is asked about bit-vectors, and about integers that wrap where z3 does not answer it in time.  Nothing of
the engines is used; what a block of edges means (`smt.blocks`) is held against the interpreter by tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.obligations import Claims
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.program.model import Location, Program
from knaster.semantics.compiled import loop_heads
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.solver import Answer, Session, negation
from knaster.smt.terms import Formula, Numbers, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.chains import make_ways, plain_procedures
from knaster.views.steps.formula import cut_points, make_blocks

UNITS = 2_000_000  # resource units for one question; a few seconds
MOST_PLAIN = 64  # ways through a procedure that the proof leaves out: more than engines compose
ARITHMETIC = ("bit-vectors", "integers")


def check_invariants(proof: Invariants, program: Program, targets: Sequence[Target], budget: Budget) -> str:
    """Return in which arithmetic the proof was checked; raise `InternalError` where it does not hold.

    Where z3 answers a question in neither arithmetic, `OutOfBudget` says so.
    """
    if proof.program != program:
        raise InternalError("the proof is of another program")
    kept = _kept(proof, program)
    checks = [check for name in ARITHMETIC if (check := _Check(name, proof, targets, kept, budget)).suits]
    if not checks:
        raise OutOfBudget("the program has parts that no formula says")
    if any(check.obligations.keys() != checks[0].obligations.keys() for check in checks):
        raise InternalError("the two arithmetics are asked different questions about one proof")
    used = set()
    for key in checks[0].obligations:
        for check in sorted(checks, key=lambda check: check.failures):  # what fails less often is asked first
            budget.check()
            if check.proves(key):
                used.add(check.name)
                break
        else:
            raise OutOfBudget(f"z3 did not answer a question about the proof: whether {key}")
    return " and ".join(name for name in ARITHMETIC if name in used)


def _kept(proof: Invariants, program: Program) -> dict[str, frozenset[Location]]:
    """Return the places of each procedure; every loop must pass one of them."""
    places: dict[str, set[Location]] = {name: set() for name in proof.requires}
    for name, location in proof.at:
        if name not in places:
            raise InternalError(f"the proof does not say what '{name}' requires")
        places[name].add(location)
    for name, own in places.items():
        procedure = program.procedure(name)
        for location in (procedure.entry, procedure.exit, *sorted(loop_heads(procedure))):
            if location not in own:
                raise InternalError(f"the proof says nothing about location {location} of '{name}'")
    return {name: frozenset(own) for name, own in places.items()}


@dataclass(frozen=True, slots=True)
class _Obligation:
    """Formulas that must not hold together."""

    what: str
    formulas: Sequence[Formula]


class _Check:
    """What has to be shown of one program in one arithmetic, if the arithmetic `suits` it.

    The questions come from the text: a way that nobody can pass is one of them, so that every arithmetic has all.
    """

    def __init__(
        self,
        name: str,
        proof: Invariants,
        targets: Sequence[Target],
        kept: dict[str, frozenset[Location]],
        budget: Budget,
    ) -> None:
        self.name = name
        self.proof = proof
        self.program = proof.program
        self.session = Session(budget)
        self.failures = 0
        self.exact = True
        self.suits = True
        self.obligations: dict[str, _Obligation] = {}
        numbers: Numbers = Bits(self.session.context) if name == ARITHMETIC[0] else Integers(self.session.context)
        places = [target.place for target in targets]
        try:
            cuts = cut_points(self.program, (*places, *proof.at))
            self.blocks = make_blocks(self.program, Translation(numbers), cuts, whole=True)
            plain = [name for name in plain_procedures(self.blocks, MOST_PLAIN) if name not in proof.requires]
            self.ways = make_ways(self.blocks, kept, plain, places)
            self.claims = Claims(proof, self.blocks)
            self.exact = all(block.exact for block in self.blocks.blocks) and all(c.exact for c in self.blocks.calls)
            for obligation in self._all():
                if obligation.what in self.obligations:
                    raise InternalError(f"two questions are the same: whether {obligation.what}")
                self.obligations[obligation.what] = obligation
        except Unsuitable:
            self.suits = False

    def proves(self, key: str) -> bool:
        """Tell whether an obligation is met; False where z3 does not say."""
        solver = self.session.solver()
        solver.add(self.obligations[key].formulas)
        said = solver.check(units=UNITS)
        if said is Answer.SATISFIABLE and self.exact:
            raise InternalError(f"the proof does not hold: {key}")
        self.failures += said is not Answer.UNSATISFIABLE
        return said is Answer.UNSATISFIABLE

    def _all(self) -> Iterator[_Obligation]:
        """Yield every obligation."""
        main = self.program.threads[0]
        start = self.blocks.variables[main]
        begins = [*self.blocks.start(), *self.blocks.ranges(start)]
        yield _Obligation(
            "what main requires holds at the start", [*begins, self._not(self.claims.requires(main, start))]
        )
        for name in self.proof.requires:
            yield self._entry(name)
        for way in self.ways.inner:
            after = self.claims.invariant((way.procedure, way.target), self.claims.entry[way.procedure], way.state)
            yield _Obligation(
                f"the invariant holds after the way {way.key}", [*self.claims.along(way), self._not(after)]
            )
        for way in self.ways.entering:
            assert way.entered is not None
            required = self.claims.requires(way.entered.call.callee, way.entered.given)
            yield _Obligation(
                f"what is required holds after the way {way.key}", [*self.claims.along(way), self._not(required)]
            )
        for way in self.ways.failing:
            yield _Obligation(f"the way {way.key} is not taken", self.claims.along(way))

    def _entry(self, name: str) -> _Obligation:
        """Return that what is required implies the invariant at the entry."""
        entry, now = self.claims.entry[name], self.blocks.variables[name]
        procedure = self.program.procedure(name)
        same = [now[given].value == entry[given].value for given in (*self.program.globals, *procedure.parameters)]
        holds = self.claims.invariant((name, procedure.entry), entry, now)
        known = [*self.claims.requires(name, entry), *same, *self.blocks.ranges(now), *self.blocks.ranges(entry)]
        return _Obligation(f"the invariant at the entry of '{name}' holds", [*known, self._not(holds)])

    def _not(self, formulas: list[Formula]) -> Formula:
        return negation(formulas, self.blocks.translation.context)
