"""The memory of a transaction: statics, cells and threads that were started; it notes what a step touches.

A *touch* is (0, static, whether it is written) or (cell, 0, whether it is written): of a cell all slots count as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from knaster.base.errors import UnsupportedError
from knaster.base.memory_count import measure
from knaster.base.named_tuples import NamedTuple
from knaster.semantics.heap.failure import BLOCKED, INDEX, NULL, Fails
from knaster.views.heap.canonical_states import Frame
from knaster.views.heap.memory_layout import Layout, Number
from knaster.views.heap.overlay import Cell, references, references_in

Touch = tuple[int, int, bool]


class Shot(NamedTuple):
    """A memory that does not change: statics, cells (cell i has the address i + 1), and threads that were started."""

    statics: tuple[Number, ...]
    cells: tuple[Cell, ...]
    started: tuple[Frame, ...]

    @property
    def size(self) -> int:
        """How many numbers it takes to remember it: a cell takes a few more than it holds."""
        return len(self.statics) + len(self.started) + sum([4 + measure(cell) for cell in self.cells])


class WatchedMemory:
    """A memory on which compiled steps run."""

    __slots__ = ("heap", "layout", "queues", "started", "statics", "touched")

    def __init__(self, layout: Layout, shot: Shot) -> None:
        self.layout = layout
        self.queues = layout.queues
        self.statics = list(shot.statics)
        self.heap: list[Any] = [None, *shot.cells]
        self.started = list(shot.started)
        self.touched: list[Touch] = []

    def shot(self) -> Shot:
        """Return what the memory holds now."""
        return Shot(tuple(self.statics), tuple(self.heap[1:]), tuple(self.started))

    # What compiled steps ask for

    def static(self, slot: int) -> Number:
        """Return a static."""
        self.touched.append((0, slot, False))
        return self.statics[slot]

    def put_static(self, slot: int, value: Number) -> None:
        """Change a static."""
        self.touched.append((0, slot, True))
        self.statics[slot] = value

    def cell(self, address: int, write: bool = False) -> Cell:
        """Return a cell, which is touched."""
        if not address:
            raise Fails(NULL)
        self.touched.append((address, 0, write))
        found: Cell = self.heap[address]
        return found

    def field(self, address: int, slot: int) -> Number:
        """Return a slot of a cell."""
        return self.cell(address)[slot]

    def put(self, address: int, slot: int, value: Number) -> None:
        """Change a slot of a cell."""
        cell = self.cell(address, True)
        self.heap[address] = (*cell[:slot], value, *cell[slot + 1 :])

    def class_of(self, address: int) -> int:
        """Return the class of a cell."""
        number: int = self.cell(address)[0]
        return number

    def elements(self, address: int) -> Any:
        """Return all elements of a collection."""
        cell = self.cell(address)
        return cell[1] if cell[0] in self.queues else cell[1:]

    def at(self, address: int, index: int) -> Number:
        """Return an element."""
        elements = self.elements(address)
        if 0 <= index < len(elements):
            return elements[index]
        raise Fails(INDEX)

    def put_at(self, address: int, index: int, value: Number) -> None:
        """Change an element of an array."""
        if not 0 <= index < len(self.cell(address)) - 1:
            raise Fails(INDEX)
        self.put(address, index + 1, value)

    def size(self, address: int) -> int:
        """Return the number of elements."""
        return len(self.elements(address))

    def pop(self, address: int) -> Number:
        """Take the first message of a channel."""
        queue = self.elements(address)
        if not queue:
            raise Fails(BLOCKED)
        self.put(address, 1, queue[1:])
        return queue[0]

    def new(self, cell: Cell) -> int:
        """Add a cell; return its address."""
        self.heap.append(cell)
        return len(self.heap) - 1

    def fill(self, address: int, values: Iterable[tuple[int, Number]]) -> int:
        """Give slots of a new cell their initial values."""
        for slot, value in values:
            self.put(address, slot, value)
        return address

    def apply(self, procedure: int, arguments: tuple[Number, ...]) -> Number:
        """Refuse: conditions that call methods are for the search of all states."""
        raise UnsupportedError("a wait that calls a method; use --engine explicit")


def references_of_frame(layout: Layout, frame: Frame) -> list[int]:
    """Return the addresses in a frame."""
    return [
        address for slot, shape in layout.procedures[frame[0]].shapes for address in references(frame[3][slot], shape)
    ]


def reachable_cells(
    layout: Layout, statics: Sequence[Number], heap: Sequence[Any], started: Iterable[Frame], others: Iterable[int]
) -> set[int]:
    """Return the cells that other threads can reach: from statics, their own variables, and what they are given."""
    found = set(others)
    for slot, shape in layout.static_shapes:
        found.update(references(statics[slot], shape))
    for frame in started:
        found.update(references_of_frame(layout, frame))
    todo = list(found)
    while todo:
        for address in references_in(layout, heap[todo.pop()]):
            if address not in found:
                found.add(address)
                todo.append(address)
    return found
