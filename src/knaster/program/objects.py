"""Programs with references: what lives in the heap, and the actions of an edge that only such programs need.

A cell of the heap is an instance of a class, an array, a channel or a set.  Its *slots* are its fields or its elements.
Struct values are tuples, values of an enumeration are numbers.

The steps are those of the Zing model checker (Andrews, Qadeer, Rajamani, Rehof and Xie, Zing: A Model Checker for
Concurrent Software, CAV 2004): one edge is one transition of one thread, unless it says that its thread keeps on.
"""

from __future__ import annotations

from enum import Enum

from knaster.base.records import dataclass
from knaster.program.expression import Expr
from knaster.program.types import Type

MOST_SLOTS = 1_000_000  # of one array, and values of one choice: more do not fit into states that are stored


@dataclass(frozen=True, slots=True)
class ClassCell:
    """A class: its fields, and the values that some of them begin with; the others begin with the default."""

    name: str
    fields: tuple[tuple[str, Type], ...]
    initial: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class ArrayCell:
    """Arrays of one element type; `length` is None where `new` says it."""

    name: str
    element: Type
    length: int | None = None


@dataclass(frozen=True, slots=True)
class ChannelCell:
    """Queues without a bound."""

    name: str
    element: Type


@dataclass(frozen=True, slots=True)
class SetCell:
    """Sets; they keep the order of insertion, which only the order of alternatives shows."""

    name: str
    element: Type


Cell = ClassCell | ArrayCell | ChannelCell | SetCell


@dataclass(frozen=True, slots=True)
class Objects:
    """What a program with references declares; `statics` are evaluated in this order before the start."""

    cells: tuple[Cell, ...] = ()
    statics: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Store:
    """Give each place the value: a variable, a field, an element, or a part of a struct in one of these."""

    places: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Choose:
    """Give the place any value of an enumeration, a range or `bool` (`values`), or any element of a collection."""

    place: Expr
    values: tuple[int | bool, ...] | None
    collection: Expr | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Append a value to a channel; never blocks."""

    channel: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Update:
    """Add to a set, or remove from it, one element or every element of another set (`whole`)."""

    target: Expr
    adds: bool
    operand: Expr
    whole: bool = False


class Mode(Enum):
    """How the branches of a select compete."""

    ANY = "any"  # every enabled branch is an alternative
    FIRST = "first"  # only the first enabled one is


@dataclass(frozen=True, slots=True)
class Join:
    """One branch of a select; all edges that leave its location are joins.

    Enabled where every condition holds and every channel has a message; taking it receives the messages.
    """

    waits: tuple[Expr, ...]
    receives: tuple[tuple[Expr, Expr], ...]  # a channel and a place
    mode: Mode = Mode.ANY
    may_end: bool = False  # waiting here is no deadlock


@dataclass(frozen=True, slots=True)
class Raise:
    """Raise an exception: control goes to the nearest handler, frame by frame; without one the program fails."""

    exception: str


@dataclass(frozen=True, slots=True)
class Print:
    """Say something in traces: `{0}` is the value of the first argument, `{{` a brace; changes nothing."""

    text: str
    arguments: tuple[Expr, ...] = ()


HeapAction = Store | Choose | Send | Update | Join | Raise | Print


@dataclass(frozen=True, slots=True)
class Handler:
    """Where control goes when `exception` (None: any) arrives at a location of the procedure; the first fit counts."""

    location: int
    exception: str | None
    target: int
