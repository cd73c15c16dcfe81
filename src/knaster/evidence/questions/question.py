"""Questions as records: targets to be reached, termination, or a formula about all runs, each with its bound.

A bound is part of the question, never a silent limit: what holds only within it says so in the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.records import dataclass, field

if TYPE_CHECKING:
    from knaster.automata.ltl import Formula
    from knaster.program.expression import Expr
    from knaster.program.model import Location, Place

_ONE = {"switches": "switch", "rounds": "round", "delays": "delay", "preemptions": "preemption"}
BOUNDS = tuple(_ONE)  # what can be bounded


@dataclass(frozen=True, slots=True)
class Target:
    """Can control stand at `location` of `procedure`, in a state in which the `condition` can be true if it has one?

    `kind` is what goes wrong there, such as "overflow".  Where there is no procedure: can the program fail in this way
    anywhere, or where there is a line at this place of the text?
    """

    name: str
    procedure: str
    location: Location
    line: int
    kind: str = ""  # "any" for every way to fail
    condition: Expr | None = None  # on the state before the step from there
    column: int = 0  # of a place of the text

    def __str__(self) -> str:
        """Its name with the line where it stands."""
        known = not self.has_place or not self.line or str(self.line) in self.name
        return self.name if known else f"{self.name} (line {self.line})"

    @property
    def has_place(self) -> bool:
        """Whether it is a place of the program; else it is a way to fail, wherever that happens."""
        return self.procedure != ""

    @property
    def is_violation(self) -> bool:
        """Whether its name is a formula about a C program, which is violated there."""
        return self.kind in (VIOLATION, VIOLATION_AT_END)

    @property
    def place(self) -> Place:
        """Where it is."""
        return self.procedure, self.location


@dataclass(frozen=True, slots=True)
class Bound:
    """Only runs with at most `number` of a kind of thing are asked about: switches, rounds, delays, preemptions."""

    kind: str
    number: int

    def __str__(self) -> str:
        kind = _ONE.get(self.kind, self.kind) if self.number == 1 else self.kind
        return f"at most {self.number} {kind}"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far a program with threads was explored: every run with at most `covered` switches (rounds, delays, ...).

    `asked` is the bound of the question; None where it was to grow.  `covered` is None where not even the first number
    was finished.
    """

    kind: str
    asked: int | None
    covered: int | None


@dataclass(frozen=True, slots=True)
class Reach:
    """Which targets can be reached?  With `first` one is enough, and the others may stay unknown."""

    targets: tuple[Target, ...]
    bound: Bound | None = None
    first: bool = False


@dataclass(frozen=True, slots=True)
class Termination:
    """Does every run end?  With threads, every one that is `fair` to them: "none", "weak" or "strong"."""

    bound: Bound | None = None
    fair: str = "none"


@dataclass(frozen=True, slots=True)
class Temporal:
    """Does a formula of linear temporal logic hold on every run, or on every fair one?

    `text` is what the user wrote, for messages that point at it; `name` is what a file calls the formula.
    """

    formula: Formula
    text: str = field(default="", compare=False)
    name: str = field(default="", compare=False)
    bound: Bound | None = None
    fair: str = "none"

    def __str__(self) -> str:
        from knaster.automata.ltl import to_text

        return to_text(self.formula)


VIOLATION, VIOLATION_AT_END = "violation", "violation at the end"  # kinds of targets: a formula of C is violated there
FAIRNESS = ("none", "weak", "strong")
Question = Reach | Termination | Temporal
_RUNS = {"none": "run", "weak": "weakly fair run", "strong": "strongly fair run"}


def runs_asked(question: Question) -> str:
    """Return which runs a question is about, in words that follow "every"."""
    return "run" if isinstance(question, Reach) else _RUNS[question.fair]
