"""Proves about threads of C, one at a time: guarantees and invariants by Horn clauses, for every number of switches.

The clauses are asked without wrapping first, as if no operator overflowed, then with it; where threads by themselves
know too little, again with a variable for each thread that shows where it stands.  What Spacer finds is a guess: the
checker makes the program of each thread with the guarantees and looks at its invariants.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.checkers.checked import Checked, check_excludes
from knaster.engines.contract import NOT_COUNTED, Findings, Spent, Task, Undecided
from knaster.engines.threads.modular import ModularOptions
from knaster.engines.threads.modular.thread_clauses import ThreadClauses
from knaster.evidence.proofs.memory.guaranteed_threads import GuaranteedThreads
from knaster.evidence.questions.question import Target
from knaster.program.expression import FALSE, TRUE, Expr
from knaster.smt.horn import Clauses, Meaning
from knaster.smt.integers import Integers
from knaster.smt.read_back import NotRead
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Unsuitable
from knaster.smt.translate import Translation
from knaster.transform.memory_threads.guaranteed_threads import Guarantees, with_guarantees
from knaster.transform.memory_threads.shared_program import SharedProgram, share
from knaster.transform.regions.refusal import Refused

OPEN = "each thread by itself, under all that the others may do, could reach it"
SETTINGS = {"spacer.eq_prop": False}  # half the units on most programs
SLICE = 600_000  # resource units of the first questions
LATER = 4  # how many times longer the next ones may take


class _Way(NamedTuple):
    """How to ask: whether threads show where they stand, and whether operators wrap."""

    shows: bool
    wraps: bool


WAYS = tuple(_Way(shows, wraps) for shows in (False, True) for wraps in (False, True))


def modular_threads_of_c(task: Task) -> Findings:
    """Prove what targets are unreachable for every number of switches; of the others nothing is said."""
    started = time.perf_counter()
    options = task.options if isinstance(task.options, ModularOptions) else ModularOptions()
    doubtful: dict[Target, str] = {}
    proof: Checked | None = None
    unknown: Undecided | None = None
    spent = NOT_COUNTED
    try:
        search = _Search(task, share(task.program, task.targets), options.units)
        proof, doubtful = search.prove()
        unknown = search.unknown if proof is None else None
        spent = Spent(units=options.units - search.left, exhausted=search.left <= 0)
    except Refused as refused:
        unknown = Undecided(f"threads are not looked at one by one: {refused}")
    except (OutOfBudget, Unsuitable) as why:
        unknown = Undecided.because(why)
    statistics = {"modular_seconds": time.perf_counter() - started}
    found = proof
    return Findings(
        frozenset(),
        unknown,
        statistics,
        proof=None if found is None else lambda: found,
        doubtful=doubtful if found is not None else {},
        method="modular",
        spent=spent,
    )


class _Search:
    """The search for guarantees that exclude targets."""

    def __init__(self, task: Task, shared: SharedProgram, units: int) -> None:
        self.task = task
        self.shared = shared
        self.left = units
        self.unknown = Undecided(OPEN)

    def prove(self) -> tuple[Checked | None, dict[Target, str]]:
        """Return a proof for as many targets as there is one, and why there is none for the others."""
        every = self.task.targets
        proof = self._ask(every)
        if proof is not None or len(every) == 1:
            return proof, {}
        first = self.unknown
        alone = {target: self._ask([target]) for target in every if self.left > 0}
        proved = [target for target, found in alone.items() if found is not None]
        proof = alone[proved[0]] if len(proved) == 1 else self._ask(proved) if proved else None
        self.unknown = first
        excluded = set(proved) if proof is not None else set()
        return proof, {target: first.reason for target in every if target not in excluded}

    def _ask(self, targets: Sequence[Target]) -> Checked | None:
        """Ask in every way, with more and more units."""
        ways, size = list(WAYS), SLICE
        while ways and self.left > 0:
            for way in list(ways):
                if way not in ways or self.left <= 0:
                    continue
                self.task.budget.tell("looking for what threads guarantee")
                said, answered = self._try(way, targets, min(size, self.left))
                if isinstance(said, Checked):
                    return said
                self.unknown = Undecided(said)
                if answered:  # it would say the same again
                    ways.remove(way)
            size *= LATER
        return None

    def _try(self, way: _Way, targets: Sequence[Target], units: int) -> tuple[Checked | str, bool]:
        session = Session(self.task.budget)
        silent = Guarantees(tuple(FALSE for _ in self.shared.program.threads), way.shows)
        threads = with_guarantees(self.shared, silent)
        clauses = Clauses(session, **SETTINGS)
        asked = ThreadClauses(threads, targets, Translation(Integers(session.context, way.wraps)), clauses, way.wraps)
        said = clauses.query(asked.goal(), units)
        self.left -= max(clauses.spent, 1)
        if said is Answer.UNKNOWN:
            return f"Spacer gave up: {session.reason}", not clauses.spent
        if said is Answer.SATISFIABLE:
            return OPEN, True
        model = clauses.model()
        why = ""
        for missing in (TRUE, FALSE):  # of a relation that Spacer leaves out, as it does where nothing depends on it
            try:
                return self._check(asked, model, missing, way.shows, targets), True
            except (NotRead, Refused, InternalError) as wrong:
                why = f"what Spacer found is no proof: {wrong}"
                if asked.is_whole(model):
                    break
            except OutOfBudget as spent:  # a solver does not say whether it holds
                self.task.budget.check()
                why = str(spent)
        return why, True

    def _check(
        self,
        asked: ThreadClauses,
        model: Mapping[str, Meaning],
        missing: Expr,
        shows: bool,
        targets: Sequence[Target],
    ) -> Checked:
        """Return what a model says as a proof."""
        guarantees = asked.guarantees(model, missing, shows)
        threads = with_guarantees(self.shared, guarantees)
        inner = asked.invariants(model, missing, threads)
        program, every = self.task.program, self.task.targets
        proof = GuaranteedThreads(program, every, guarantees.steps, guarantees.shows, tuple(inner))
        return check_excludes(proof, program, targets, self.task.budget)
