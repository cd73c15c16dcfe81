"""What an engine is given, a `Task`, and what it returns, `Findings`.

An engine never answers; it finds, and `conclude` turns what it found into answers that code of its own has checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget, OutOfTime
from knaster.base.named_tuples import NamedTuple
from knaster.base.options import Options
from knaster.base.records import dataclass, field
from knaster.engines.card import SymbolicOptions
from knaster.evidence.questions.question import Bound, Question, Reach, Target

if TYPE_CHECKING:  # the table of engines is read for every `--help`
    from knaster.base.limits import Budget
    from knaster.checkers.checked import Checked
    from knaster.evidence.answers.answer import Diverges, Statistics, Terminates, Unknown
    from knaster.evidence.answers.ledger import Ledger
    from knaster.evidence.proofs.heap.effect_table import EffectTable
    from knaster.evidence.proofs.table import Proof
    from knaster.evidence.traces.trace import Trace
    from knaster.program.model import Place, Program
    from knaster.views.steps.cut import CutProgram
    from knaster.views.symbolic.symbolic_program import SymbolicProgram

FIRST_NODES = 1 << 20  # the first node table; four times larger after each restart


def _new_ledger() -> Ledger:
    from knaster.evidence.answers.ledger import Ledger

    return Ledger()


@dataclass(frozen=True, slots=True)
class Task:
    """One question about one program, for one engine; BDDs are made only when the engine asks for them."""

    program: Program
    question: Question
    budget: Budget
    options: Options
    nodes: int = FIRST_NODES
    ledger: Ledger = field(default_factory=_new_ledger)
    refused: frozenset[str] = frozenset()  # methods whose evidence was refused before: an engine asks others
    _made: list[SymbolicProgram] = field(default_factory=list)
    _cuts: dict[tuple[frozenset[Place], frozenset[str]], CutProgram] = field(default_factory=dict)

    @property
    def targets(self) -> tuple[Target, ...]:
        """What is to be reached."""
        return self.question.targets if isinstance(self.question, Reach) else ()

    @property
    def first(self) -> bool:
        """Whether one reachable target is enough."""
        return isinstance(self.question, Reach) and self.question.first

    @property
    def bound(self) -> Bound | None:
        """How far is to be looked."""
        return self.question.bound

    def symbolic(self) -> SymbolicProgram:
        """Return the program's relations; layout and node table are made at the first call."""
        if not self._made:
            from knaster.views.symbolic.encoding import encode

            options = self.options if isinstance(self.options, SymbolicOptions) else SymbolicOptions()
            self._made.append(encode(self.program, nodes=self.nodes, **options.encoding()))
        return self._made[0]

    def cut(self, inlined: frozenset[str] = frozenset()) -> CutProgram:
        """Return the program cut at its targets, with some procedures inlined; each cut is made at the first call.

        Copies of a task share their cuts: those of another program are not taken for those of this one.
        """
        from knaster.views.steps.cut import cut_program

        key = (frozenset(target.place for target in self.targets), inlined)
        made = self._cuts.get(key)
        if made is None or made.program is not self.program:
            made = self._cuts[key] = cut_program(self.program, key[0], inlined)
        return made


class Undecided(NamedTuple):
    """Why an engine has not decided what it did not reach."""

    reason: str
    late: bool = False  # the time is over: whatever else was in the way, nothing is worth trying
    enough: bool = False  # one target was asked for, and another one was found
    also_known: tuple[str, ...] = ()  # what was found out all the same, in words

    @classmethod
    def because(cls, error: Exception, more: str = "") -> Undecided:
        """Return that the work ended with an error, such as a budget that is spent; `more` is said after it."""
        return cls(f"{error}; {more}" if more else str(error), late=isinstance(error, OutOfTime))

    @property
    def sentence(self) -> str:
        """All of it, for the user."""
        return self.reason + "".join(f"; known all the same: {known}" for known in self.also_known)

    def answer(self) -> Unknown:
        """Return the answer that nothing was established."""
        from knaster.evidence.answers.answer import Unknown

        return Unknown(self.sentence, self.late, self.also_known)

    def error(self) -> OutOfBudget:
        """Return what is raised by whoever needs the answer."""
        return OutOfTime(self.sentence) if self.late else OutOfBudget(self.sentence)


class Mistake(InternalError):
    """A method has made a mistake: its evidence was refused, or it broke down.  It is our fault."""

    def __init__(self, method: str, error: Exception) -> None:
        self.method = method
        self.error = error
        super().__init__(str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}")


BREAKDOWNS = (InternalError, AssertionError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What an engine that breaks down raises.  Not everything: Ctrl-C in native code may look like other exceptions."""


STOPPED = Undecided("another target was found first", enough=True)


class Spent(NamedTuple):
    """What an engine has spent of what its options allow; None where it does not count that."""

    units: int | None = None  # resource units of z3
    states: int | None = None
    exhausted: bool = False  # all of it: with more it might find more


NOT_COUNTED = Spent()


@dataclass(frozen=True, slots=True)
class Findings:
    """What an engine found out, before anybody has checked it.

    Where `unknown` is None the engine is done, and what it did not reach is unreachable (within `bound` if it has one);
    otherwise it says why that is unknown.  A method that has traces or a proof of its own offers them; for others
    both are computed by path edges and summary edges when they are wanted.
    """

    reached: frozenset[Target]
    unknown: Undecided | None
    statistics: Statistics
    traces: Callable[[Sequence[Target]], Mapping[Target, Trace]] | None = None
    proof: Callable[[], Proof | Checked] | None = None  # as `checkers` made it where it was checked already
    visited: frozenset[Place] | None = None  # every place that some run reaches; None where the method cannot tell
    bound: Bound | None = None  # what was not reached is unreachable only within it
    least: Mapping[Target, int] = field(default_factory=dict)  # the least number of switches (rounds) that reach each
    covered: int | None = None  # every run with so many switches (rounds) was explored; None: of sequential programs
    ends: Terminates | Diverges | None = None  # to the question of termination
    rows: int = 0  # of the table that is the proof, where it is one
    table: Callable[[], EffectTable] | None = None  # of calls and their effects, as far as they are known
    doubtful: Mapping[Target, str] = field(default_factory=dict)  # targets of which nothing is known, and why
    method: str = ""  # who found it last, where an engine asks others
    finders: Mapping[Target, str] = field(default_factory=dict)  # and who found which target, where several did
    author: str = ""  # whose method it is where it is not ours: a disagreement is then no fault of Knaster
    spent: Spent = NOT_COUNTED
    remarks: tuple[str, ...] = ()  # what is to be known of the question, such as an atom that never holds

    @property
    def reason(self) -> str:
        """Why something is unknown, in a sentence; empty where everything is decided."""
        return "" if self.unknown is None else self.unknown.sentence
