"""One question to Spacer about some targets: a run that was replayed, or invariants that were checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.checkers.checked import Checked, check_excludes
from knaster.checkers.runs.replay import replay
from knaster.engines.contract import Task
from knaster.engines.integers.horn.clauses import Encoding
from knaster.engines.integers.horn.models import read_invariants
from knaster.engines.integers.horn.runs import DerivedRuns, NoRun
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import FALSE, TRUE
from knaster.smt.horn import Clauses
from knaster.smt.integers import Integers
from knaster.smt.read_back import NotRead
from knaster.smt.solver import Answer, Session
from knaster.smt.translate import Translation
from knaster.views.steps.chains import compose_chains


class Stage(Enum):
    """How to ask: top down or bottom up; without wrapping, showing that nothing overflows, or with wrapping."""

    GUESS = "guess"
    CAREFUL = "careful"
    SUMMARY = "summary"
    EXACT = "exact"
    EXACT_SUMMARY = "exact summary"

    @property
    def weight(self) -> int:
        """How many times the units of a slice it gets."""
        return 2 if self in (Stage.GUESS, Stage.CAREFUL) else 1

    @property
    def wraps(self) -> bool:
        """Whether operators wrap."""
        return self in (Stage.EXACT, Stage.EXACT_SUMMARY)

    @property
    def down(self) -> bool:
        """Whether procedures are summarised for the calls that happen."""
        return self not in (Stage.SUMMARY, Stage.EXACT_SUMMARY)

    @property
    def settings(self) -> Mapping[str, bool]:
        """How Spacer is set: where it does not look for equalities, it gets to errors deep in a recursion sooner."""
        return {} if self.down else {"spacer.eq_prop": False}


class Attempt:
    """One question to Spacer about some targets."""

    def __init__(self, task: Task, targets: Sequence[Target], stage: Stage) -> None:
        self.task = task
        self.answered = False
        self.targets = {target.place: target for target in targets}
        self.session = Session(task.budget)
        numbers = Integers(self.session.context, stage.wraps)
        cut = task.cut()
        formulas = cut.formulas(Translation(numbers))
        self.clauses = Clauses(self.session, **stage.settings)
        chains = compose_chains(
            formulas, cut.kept_points, cut.chained_procedures, self.targets, overflows=stage is Stage.CAREFUL
        )
        bounded = stage in (Stage.CAREFUL, Stage.EXACT, Stage.EXACT_SUMMARY)
        self.encoding = Encoding(chains, self.clauses, bounded, stage.down)

    def run(self, units: int) -> Checked | tuple[Target, Trace] | str:
        """Return invariants that were checked, a run that was replayed, or why there is neither."""
        said = self.clauses.query(self.encoding.goal(), units)
        self.answered = said is not Answer.UNKNOWN or not self.clauses.spent
        if said is Answer.UNKNOWN:
            return f"Spacer gave up: {self.session.reason}"
        try:
            return self._replay_derivation() if said is Answer.SATISFIABLE else self._check_model()
        except (NoRun, NotRead) as why:
            return str(why)

    def _replay_derivation(self) -> tuple[Target, Trace] | str:
        goal = self.clauses.derivation()
        if goal is None:
            return "Spacer shows no derivation"
        place, trace = DerivedRuns(self.encoding, self.session).trace(goal)
        if place not in self.targets:
            return "the run that Spacer found does not end at a target"
        try:
            replay(self.task.program, trace, self.targets[place])
        except InternalError:
            return "the run that Spacer found is none of the program"
        return self.targets[place], trace

    def _check_model(self) -> Checked | str:
        model = self.clauses.model()
        for missing in (TRUE, FALSE):  # of a relation that Spacer leaves out, as it does where nothing depends on it
            proof = read_invariants(self.encoding, model, missing)
            try:
                return check_excludes(proof, self.task.program, list(self.targets.values()), self.task.budget)
            except InternalError as wrong:
                why = f"the proof that Spacer found does not hold for machine integers: {wrong}"
                if len(model) > len(self.encoding.at) + len(self.encoding.calls):
                    break
            except OutOfBudget as spent:  # z3 does not say whether it holds
                self.task.budget.check()
                why = str(spent)
        return why
