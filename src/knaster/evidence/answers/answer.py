"""What is said of a program: an answer to each question, and what vouches for it.

`Unknown` belongs to the answer from the first day: a budget that ran out is never an `Unreachable`.  `Reachable` and
`Diverges` are facts whatever the bound; `Unreachable` and `Terminates` under a bound carry it, and together with other
answers they never make the verdict TRUE.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from knaster.base.records import dataclass, field, replace
from knaster.evidence.questions.question import Bound, Coverage, Question, Target, Temporal, runs_asked
from knaster.evidence.renderers import render

if TYPE_CHECKING:
    from knaster.evidence.proofs.table import Proof
    from knaster.evidence.traces.inputs import Input
    from knaster.evidence.traces.lasso import Lasso
    from knaster.evidence.traces.trace import Trace
    from knaster.program.model import Place, Program
    from knaster.semantics.heap.failure import Failure

Statistics = Mapping[str, int | float | str]


DELETED_ENTRY = "an entry of the cache was deleted"
"""How a note begins that is shown to everybody, whatever the program is: what was kept for it does not hold."""
NOT_KEPT = "the answer was not kept"
"""Another one: the folder of the cache cannot be written."""


class Verdict(Enum):
    """TRUE: the property holds (no target is reachable).  FALSE: it does not.  UNKNOWN: neither was established."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Reachable:
    """The target is reachable, by this trace; None where no trace was asked for or there was no time for one.

    In a program with threads `least` is the least number of switches (or rounds) that reaches it.
    """

    trace: Trace | None
    checked: bool = False  # the trace was replayed
    unchecked: str = ""  # why it was not
    least: int | None = None
    failure: Failure | None = None  # how the program fails there, if its language says
    kernel: bool = False  # the trace was replayed by the kernel, too


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The target is unreachable, within the bound if there is one, by this proof; None where the method gives none.

    `beyond` says why nothing is known beyond the bound.
    """

    proof: Proof | None
    bound: Bound | None = None
    checked: bool = False  # the proof was checked
    unchecked: str = ""  # why it was not
    beyond: str = "more were not tried"
    kernel: bool = False  # and by the kernel
    kernel_reduced: bool = False  # the kernel has checked it of the reduced program; the reduction is trusted


@dataclass(frozen=True, slots=True)
class Terminates:
    """Every run ends, or is as a formula says, within the bound if there is one, by this proof."""

    proof: Proof | None
    bound: Bound | None = None
    checked: bool = False
    unchecked: str = ""
    kernel: bool = False  # the proof was checked by the kernel, too
    kernel_reduced: bool = False  # or that of the reduced program was; the reduction is trusted


@dataclass(frozen=True, slots=True)
class Diverges:
    """Some run never ends, or is not as a formula says: this one."""

    lasso: Lasso | None
    checked: bool = False
    unchecked: str = ""
    kernel: bool = False  # the run was replayed by the kernel, too


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing was established, for this reason."""

    reason: str  # the whole sentence, what is known all the same included
    late: bool = field(default=False, compare=False)  # the time was over
    also_known: tuple[str, ...] = field(default=(), compare=False)

    @property
    def checked(self) -> bool:
        """There is nothing to check."""
        return False


Answer = Reachable | Unreachable | Terminates | Diverges | Unknown
Answers = tuple[tuple[Target, Answer], ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that one run established: an answer for each target, or one for the whole program."""

    program: Program
    question: Question
    engine: str
    options: Mapping[str, object]  # what was in force: of the engine, how the program was read, limits
    answers: Answers
    stats: Statistics
    notes: tuple[str, ...] = ()
    unreached: tuple[Place, ...] | None = None  # statements that no run reaches; None where that is not known
    bound: Coverage | None = None  # how far threads were explored; None for a sequential program
    mistakes: tuple[str, ...] = ()  # of engines that were asked before the one that answered

    @property
    def file(self) -> str:
        """Where the program came from."""
        return self.program.file

    @property
    def entry(self) -> str:
        """The procedure in which the first thread starts."""
        return self.program.threads[0]

    @property
    def verdict(self) -> Verdict:
        """FALSE where some answer refutes the property, TRUE where all confirm it without a bound, else UNKNOWN."""
        answers = [answer for _, answer in self.answers]
        if any(isinstance(answer, Reachable | Diverges) for answer in answers):
            return Verdict.FALSE
        confirmed = [isinstance(answer, Unreachable | Terminates) and answer.bound is None for answer in answers]
        if confirmed and all(confirmed):
            return Verdict.TRUE
        return Verdict.UNKNOWN

    @property
    def reason(self) -> str:
        """Why the verdict is what it is, in a few words."""
        formula = self.question if isinstance(self.question, Temporal) else None
        run = runs_asked(self.question)
        for target, answer in self.answers:
            if isinstance(answer, Reachable):
                if answer.failure is not None:
                    return f"{answer.failure.kind} at line {answer.failure.line}: {answer.failure.message}"
                found = "does not hold on every run" if target.is_violation else "is reachable"
                return f"{target.name} {found}{self._condition(answer.trace)}"
            if isinstance(answer, Diverges):
                return f"a {run} never ends" if formula is None else f"{formula} does not hold on every {run}"
        for _, answer in self.answers:
            if isinstance(answer, Unknown):
                return answer.reason
        if not self.answers:
            return "nothing was asked"
        for target, answer in self.answers:
            if isinstance(answer, Unreachable) and answer.bound is not None:
                what = f"{target} is" if len(self.answers) == 1 else f"all {len(self.answers)} targets are"
                return f"{what} unreachable with {answer.bound}; {answer.beyond}"
            if isinstance(answer, Terminates):
                found = f"every {run} ends" if formula is None else f"{formula} holds on every {run}"
                return found + (f" with {answer.bound}" if answer.bound is not None else "")
        if len(self.answers) == 1 and self.answers[0][0].is_violation:
            return f"{self.answers[0][0].name} holds on every run"
        return "no target is reachable"

    def _condition(self, trace: Trace | None) -> str:
        """Say what a run needs of functions that nobody defines."""
        from knaster.program.model import Kind

        if self.program.kind is not Kind.INTEGERS:
            return ""
        from knaster.evidence.traces.undefined_functions import condition_of

        return condition_of(self.program, trace)

    @property
    def trace(self) -> Trace | None:
        """A shortest trace to the first reachable target."""
        found = next((answer.trace for _, answer in self.answers if isinstance(answer, Reachable)), None)
        return None if found is None else found if found.program is not None else replace(found, program=self.program)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The values that the first run of a C program reads, in order: to a target, or a run that never ends."""
        from knaster.program.model import Kind

        lasso = next((answer.lasso for _, answer in self.answers if isinstance(answer, Diverges)), None)
        run = self.trace if lasso is None else lasso.once
        if self.program.kind not in (Kind.INTEGERS, Kind.MEMORY) or run is None:
            return ()
        from knaster.evidence.traces.inputs import list_inputs

        return tuple(list_inputs(self.program, run))

    @property
    def failure(self) -> Failure | None:
        """How the program fails on the first trace, if its language says."""
        return next((answer.failure for _, answer in self.answers if isinstance(answer, Reachable)), None)

    @property
    def proof(self) -> Proof | None:
        """The proof that what is said to be unreachable (or to end) is."""
        proofs = (answer.proof for _, answer in self.answers if isinstance(answer, Unreachable | Terminates))
        return next(proofs, None)

    def __repr__(self) -> str:
        return f"<Result {self.file}: {self.verdict.value}, {self.reason}>"

    def to_text(self) -> str:
        """Return the answer as `knaster check` prints it."""
        return str(render("text of a result", self))

    def to_json(self) -> str:
        """Return the answer as `knaster check --format json` prints it."""
        return str(render("JSON of a result", self))

    def _repr_html_(self) -> str:
        return str(render("page of a result", self))

    def _repr_svg_(self) -> str | None:
        drawn: str | None = render("picture of a result", self)
        return drawn
