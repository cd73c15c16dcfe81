"""A configuration of a program with references: statics, heap, and the stack of every thread.

A cell is named by its class and by its number among the cells of that class that the run has made, so it keeps its name
to the end.  `StateWithHeap` is what a trace shows of a configuration: a `State` like any other, and the heap beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.base.records import dataclass, field
from knaster.program.model import Edge, Location
from knaster.program.types import Reference, Value

Slots = tuple[Value, ...]


@dataclass(slots=True)
class Frame:
    """One activation: where it stands, whether its caller is inside an atomic region, and the call it waits for."""

    procedure: str
    location: Location
    base: bool
    values: dict[str, Value]
    calling: Edge | None = None

    def copy(self) -> Frame:
        """Return a frame that changes on its own."""
        return Frame(self.procedure, self.location, self.base, dict(self.values), self.calling)


@dataclass(slots=True)
class Configuration:
    """Everything that a run has at one moment; finished threads have no frames and keep their number."""

    statics: dict[str, Value]
    heap: dict[Reference, Slots] = field(default_factory=dict)
    threads: list[list[Frame]] = field(default_factory=list)
    made: dict[str, int] = field(default_factory=dict)  # how many cells of each class there have been

    def copy(self) -> Configuration:
        """Return a configuration that changes on its own."""
        threads = [[frame.copy() for frame in frames] for frames in self.threads]
        return Configuration(dict(self.statics), dict(self.heap), threads, dict(self.made))

    def state(self, frame: Frame) -> StateWithHeap:
        """Return what one activation sees."""
        return StateWithHeap({**self.statics, **frame.values}, dict(self.heap))


class StateWithHeap(Mapping[str, Value]):
    """The values of the variables in scope, and beside them the heap at that moment."""

    __slots__ = ("_values", "heap")

    def __init__(self, values: Mapping[str, Value], heap: Mapping[Reference, Slots]) -> None:
        self._values = values
        self.heap = heap

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StateWithHeap):
            return NotImplemented
        return dict(self._values) == dict(other._values) and dict(self.heap) == dict(other.heap)

    __hash__ = None  # type: ignore[assignment]
