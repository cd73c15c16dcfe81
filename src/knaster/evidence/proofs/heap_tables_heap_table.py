"""Why a program with references never fails in some way: a table that contains all that can happen, and is closed.

A `StateTable` has states of all threads.  An `EffectTable` has, for each call that can happen, what it begins with (its
*entry*), what it can have made of that wherever it stands, and what it can leave behind.  Values are those of the
interpreter; a cell of an entry keeps its name in all rows of its root.  What a call never reads may be anything, and is
`UNREAD` in its entry.  `certify_states` and `certify_effects` check them.

Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), sections 4 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from knaster.evidence.questions.question import Bound
from knaster.program.model import Location, Program
from knaster.program.types import Reference


class Unread(Enum):
    """What stands for a value that does not matter."""

    UNREAD = "?"

    def __repr__(self) -> str:
        return self.value


UNREAD = Unread.UNREAD
Slot = Any  # a Value, or UNREAD
Slots = tuple[Slot, ...]
Cells = Mapping[Reference, Any]  # the slots of each cell; UNREAD for a whole channel or set


@dataclass(frozen=True, slots=True)
class Activation:
    """A frame: where it stands, whether its caller is inside an atomic region, and its variables in their order."""

    procedure: str
    location: Location
    base: bool
    values: Slots


@dataclass(frozen=True, slots=True)
class StateRow:
    """A state: the thread that chooses (0: none), statics, the stack of each thread, and the cells."""

    choosing: int
    statics: Slots
    threads: tuple[tuple[Activation, ...], ...]
    cells: Cells


@dataclass(frozen=True, slots=True, eq=False)
class StateTable:
    """All states; where it is `reduced`, only those in which no thread is about to do what nobody else can notice.

    Within a `bound` of context switches it has for each row who `ran` last (0: nobody yet), and how many there were.
    """

    program: Program
    rows: tuple[StateRow, ...]
    reduced: bool
    bound: Bound | None = None
    ran: tuple[tuple[int, int], ...] = ()

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def unreached(self) -> None:
        """Statements inside atomic regions are in no row, so it is not known which are never reached."""

    def __repr__(self) -> str:
        within = f" with {self.bound}" if self.bound is not None else ""
        return f"<StateTable of {self.program.file}: {len(self.rows)} states{within}>"


@dataclass(frozen=True, slots=True)
class PathRow:
    """Where a call can stand, and what it can have made of its entry: `changed` has new cells and changed ones.

    `callee` is the number of the root that stands for the call that it is about to make; -1 where it makes none.
    """

    location: Location
    inside: bool  # an atomic region
    values: Slots
    statics: Slots
    changed: Cells
    callee: int = -1


@dataclass(frozen=True, slots=True)
class EffectRow:
    """What a call can leave behind: its results, or an exception."""

    results: Slots
    exception: str | None
    statics: Slots
    changed: Cells


@dataclass(frozen=True, slots=True)
class RootRow:
    """A call; `held` are the cells of its entry that somebody outside may use later, None where that may be any."""

    procedure: str
    base: bool
    formals: Slots
    statics: Slots
    cells: Cells
    held: tuple[Reference, ...] | None
    paths: tuple[PathRow, ...]
    effects: tuple[EffectRow, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EffectTable:
    """All calls of a program with one thread."""

    program: Program
    roots: tuple[RootRow, ...]

    @property
    def size(self) -> int:
        """The number of rows."""
        return sum(1 + len(root.paths) + len(root.effects) for root in self.roots)

    def unreached(self) -> None:
        """Only some locations have rows, so it is not known which are never reached."""

    def __repr__(self) -> str:
        return f"<EffectTable of {self.program.file}: {len(self.roots)} calls, {self.size} rows>"
