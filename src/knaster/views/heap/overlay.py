"""Overlays: the memory of a summary, made of what a call sees at its entry and what it has changed so far.

A root has an *entry*: the statics and the cells that its caller could show it.  Entry cells have the addresses 1 .. n
and keep them for the life of the root; new cells come behind them.  An `Overlay` is the entry, what was written to it
(location -> value), and the new cells.  A *location* is (0, static) or (cell, slot); all elements of a channel or a set
are one slot.  Reads of entry locations that were not written before are noted, for patterns.

Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), sections 4 and 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knaster.base.errors import UnsupportedError
from knaster.base.records import dataclass
from knaster.semantics.heap.failure import BLOCKED, INDEX, NULL, Fails
from knaster.views.heap.canonical_states import Naming
from knaster.views.heap.memory_layout import Layout, Number, SequenceShape, Shape

Location = tuple[int, int]
Cell = tuple[Number, ...]
Written = tuple[tuple[Location, Number], ...]  # sorted by location


@dataclass(frozen=True, slots=True)
class Entry:
    """What a root begins with; cell i has the address i + 1."""

    statics: tuple[Number, ...]
    cells: tuple[Cell, ...]


class Overlay:
    """A memory over an entry; `read` is the list of entry locations that were read, in order."""

    __slots__ = ("cells", "entry", "kept", "layout", "new_cells", "queues", "read", "written")

    def __init__(self, layout: Layout, entry: Entry, written: Written = (), new_cells: Sequence[Cell] = ()) -> None:
        self.layout = layout
        self.queues = layout.queues
        self.entry = entry
        self.cells = entry.cells
        self.kept = len(entry.cells)
        self.written = dict(written)
        self.new_cells = list(new_cells)
        self.read: list[Location] = []

    # What compiled steps ask for

    def static(self, slot: int) -> Number:
        """Return a static."""
        found = self.written.get((0, slot), self)
        if found is not self:
            return found
        self.read.append((0, slot))
        return self.entry.statics[slot]

    def put_static(self, slot: int, value: Number) -> None:
        """Change a static."""
        self.written[0, slot] = value

    def field(self, address: int, slot: int) -> Number:
        """Return a slot of a cell."""
        if address > self.kept:
            return self.new_cells[address - self.kept - 1][slot]
        if not address:
            raise Fails(NULL)
        found = self.written.get((address, slot), self)
        if found is not self:
            return found
        self.read.append((address, slot))
        return self.cells[address - 1][slot]

    def put(self, address: int, slot: int, value: Number) -> None:
        """Change a slot of a cell."""
        if address > self.kept:
            cell = self.new_cells[address - self.kept - 1]
            self.new_cells[address - self.kept - 1] = (*cell[:slot], value, *cell[slot + 1 :])
        elif address:
            self.written[address, slot] = value
        else:
            raise Fails(NULL)

    def shell(self, address: int) -> Cell:
        """Return a cell as it was made or entered: good for its class and its length, which never change."""
        if not address:
            raise Fails(NULL)
        return self.new_cells[address - self.kept - 1] if address > self.kept else self.cells[address - 1]

    def class_of(self, address: int) -> int:
        """Return the class of a cell."""
        number: int = self.shell(address)[0]
        return number

    def at(self, address: int, index: int) -> Number:
        """Return an element."""
        shell = self.shell(address)
        if shell[0] in self.queues:
            elements = self.field(address, 1)
            if 0 <= index < len(elements):
                return elements[index]
            raise Fails(INDEX)
        if 0 <= index < len(shell) - 1:
            return self.field(address, index + 1)
        raise Fails(INDEX)

    def put_at(self, address: int, index: int, value: Number) -> None:
        """Change an element of an array."""
        if not 0 <= index < len(self.shell(address)) - 1:
            raise Fails(INDEX)
        self.put(address, index + 1, value)

    def size(self, address: int) -> int:
        """Return the number of elements."""
        shell = self.shell(address)
        return len(self.field(address, 1)) if shell[0] in self.queues else len(shell) - 1

    def elements(self, address: int) -> Any:
        """Return all elements."""
        shell = self.shell(address)
        if shell[0] in self.queues:
            return self.field(address, 1)
        return tuple([self.field(address, slot) for slot in range(1, len(shell))])

    def pop(self, address: int) -> Number:
        """Take the first message of a channel."""
        queue = self.field(address, 1)
        if not queue:
            raise Fails(BLOCKED)
        self.put(address, 1, queue[1:])
        return queue[0]

    def new(self, cell: Cell) -> int:
        """Add a cell; return its address."""
        self.new_cells.append(cell)
        return self.kept + len(self.new_cells)

    def fill(self, address: int, values: Iterable[tuple[int, Number]]) -> int:
        """Give slots of a new cell their initial values."""
        for slot, value in values:
            self.put(address, slot, value)
        return address

    def apply(self, procedure: int, arguments: tuple[Number, ...]) -> Number:
        """Refuse: conditions that call methods are for the search of all states."""
        raise UnsupportedError("a wait that calls a method; use --engine explicit")

    # What the engines ask for

    def __getitem__(self, address: int) -> Cell:
        """Return a whole cell as it is now."""
        if address > self.kept:
            return self.new_cells[address - self.kept - 1]
        cell = self.cells[address - 1]
        written = self.written
        return (cell[0], *[written.get((address, slot), cell[slot]) for slot in range(1, len(cell))])

    def statics(self) -> list[Number]:
        """Return all statics as they are now."""
        written = self.written
        return [written.get((0, slot), value) for slot, value in enumerate(self.entry.statics)]

    def shape(self, location: Location) -> Shape:
        """Return the shape of what an entry location holds."""
        address, slot = location
        if not address:
            return self.layout.static_shape[slot]
        return self.layout.classes[self.cells[address - 1][0]].shape(slot)

    def rename_cells(
        self, values: Sequence[Number], shapes: Sequence[tuple[int, Shape]]
    ) -> tuple[tuple[Number, ...], Written, tuple[Cell, ...]]:
        """Return values, what was written, and the new cells that hang on these, renumbered as they are met."""
        naming = Naming(self.layout, self, self.kept)
        written = tuple(
            [(location, naming.value(value, self.shape(location))) for location, value in sorted(self.written.items())]
        )
        return naming.values(values, shapes), written, naming.cells()


def apply_effect(
    overlay: Overlay, written: Written, cells: Sequence[Cell], names: Mapping[int, int], kept: int
) -> Naming:
    """Let an effect happen in the caller's memory; return how the effect's cells are called there.

    `names` gives the caller's names of the entry cells of the callee, of which there are `kept`.
    """
    naming = Naming(overlay.layout, None, 0)
    naming.names = dict(names)
    first = overlay.kept + len(overlay.new_cells)
    for number in range(1, len(cells) + 1):
        naming.names[kept + number] = first + number
    overlay.new_cells += [naming.cell(cell) for cell in cells]
    for (address, slot), value in written:
        if not address:
            overlay.put_static(slot, naming.value(value, overlay.layout.static_shape[slot]))
        else:
            owner = naming.names[address]
            shape = overlay.layout.classes[overlay.class_of(owner)].shape(slot)
            overlay.put(owner, slot, naming.value(value, shape))
    return naming


def references(value: Number, shape: Shape) -> list[int]:
    """Return the addresses in a value."""
    if shape is True:
        return [value] if value else []
    if not shape:
        return []
    if type(shape) is SequenceShape:
        return [each for part in value for each in references(part, shape.element)]
    return [each for part, inner in zip(value, shape, strict=True) for each in references(part, inner)]


def references_in(layout: Layout, cell: Cell) -> list[int]:
    """Return the addresses in a cell."""
    made = layout.classes[cell[0]]
    if made.shapes:
        return [each for slot, shape in made.shapes for each in references(cell[slot], shape)]
    if not made.element_shape:
        return []
    parts = cell[1] if made.is_queue else cell[1:]
    return [each for part in parts for each in references(part, made.element_shape)]
