"""The memory of a program with references at one moment: statics, the stacks of threads, and cells.

A cell is named by its class and a number.  `UNREAD` stands for a value that is not known: whoever reads it is refused,
because what is done without reading it is done whatever it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from knaster_check.program import Edge, Procedure, Reference, Type, Value
from knaster_check.refused import Refused

Slots = tuple[Value, ...]


class _Unread:
    def __repr__(self) -> str:
        return "?"


UNREAD = _Unread()


class Fails(Exception):
    """A step cannot be taken: the program fails in this way."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind)


class Vanishes(Exception):
    """An `assume` fails: the whole run is none, for every thread."""


@dataclass(slots=True)
class Frame:
    """An activation: where it stands, whether its caller is inside an atomic region, and the call that it waits for."""

    procedure: Procedure
    location: int
    base: bool
    values: dict[str, Value]
    calling: Edge | None = None

    def copy(self) -> Frame:
        """Return a frame that changes on its own."""
        return Frame(self.procedure, self.location, self.base, dict(self.values), self.calling)


@dataclass(slots=True)
class Memory:
    """Everything at one moment; finished threads have no frames and keep their number."""

    statics: dict[str, Value]
    heap: dict[Reference, Any] = field(default_factory=dict)  # slots; UNREAD of a channel or a set
    threads: list[list[Frame]] = field(default_factory=list)
    made: int = 0  # the largest number of a cell

    def copy(self) -> Memory:
        """Return a memory that changes on its own."""
        threads = [[frame.copy() for frame in frames] for frames in self.threads]
        return Memory(dict(self.statics), dict(self.heap), threads, self.made)

    def cell(self, reference: Value) -> Slots:
        """Return the slots of a cell; some of them may be unread."""
        if known(reference) is None:
            raise Fails("null-dereference")
        slots: Slots = known(self.heap[reference])
        return slots


def known(value: Value) -> Value:
    """Return a value that is read; refuse one that is not known."""
    if value is UNREAD:
        raise Refused("a step reads what its call is not said to see")
    return value


def default(type: Type) -> Value:
    """Return what a variable of a type begins with: 0, false, null."""
    match type:
        case ("bool",):
            return False
        case ("pointer", _):
            return None
        case ("array", element, length):
            return (default(element),) * length
        case ("struct", _, fields):
            return tuple(default(part) for _, part in fields)
    return 0
