"""Facts: what holds whenever control is before a line, whatever called its procedure; and what each procedure does."""

from __future__ import annotations

from knaster.base.records import dataclass
from knaster.program.model import Program


@dataclass(frozen=True, slots=True)
class Equation:
    """constant + Σ factor · variable = 0; modulo 2^bits unless that is None."""

    constant: int
    factors: tuple[tuple[str, int], ...]
    bits: int | None


@dataclass(frozen=True, slots=True)
class Range:
    """low ≤ variable ≤ high; None where there is no bound."""

    variable: str
    low: int | None
    high: int | None


CALLERS = "(a caller's)"  # an object that some caller has, and that has no name here


@dataclass(frozen=True, slots=True)
class Alias:
    """A pointer and another, the address `&a` of an object, or 0: always the same, or perhaps in the same object."""

    left: str
    right: str
    always: bool


Fact = Equation | Range | Alias


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What holds before the first statement of a procedure on a line; None where no path leads there."""

    procedure: str
    line: int
    equations: tuple[Fact, ...] | None


@dataclass(frozen=True, slots=True)
class SummaryFacts:
    """What holds between the entry and the return of a procedure; None where no call returns."""

    procedure: str
    equations: tuple[Fact, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """The facts of a program in some domains, in the order of its text."""

    program: Program
    domains: tuple[str, ...]
    lines: tuple[LineFacts, ...]
    summaries: tuple[SummaryFacts, ...]
    note: str = ""  # why a domain is left out

    def at(self, line: int) -> tuple[Fact, ...]:
        """Return what holds before a line; nothing where no path leads there or no statement stands there."""
        return tuple(each for own in self.lines if own.line == line for each in own.equations or ())

    def __repr__(self) -> str:
        count = sum(len(own.equations or ()) for own in self.lines)
        return f"<Facts {self.program.file}: {count} facts at {len(self.lines)} lines>"
