"""Proof tables: from what a method has found about a program with references, a table that others can check.

Numbers become values again: a cell is called by its class and its address.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from knaster.evidence.proofs.heap.effect_table import EffectRow, EffectTable, PathRow, RootRow
from knaster.evidence.proofs.heap.state_table import Activation, StateRow, StateTable
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.types import Reference
from knaster.views.heap.canonical_states import State
from knaster.views.heap.derivation import Effect, Node, Root
from knaster.views.heap.memory_layout import Layout, Number, SequenceShape, Shape
from knaster.views.heap.overlay import Location, Overlay, references
from knaster.views.heap.pattern_trie import FORMAL

Known = Callable[[Location], bool]


def state_table(layout: Layout, states: Iterable[State], reduced: bool) -> StateTable:
    """Return a table of the states of all threads."""
    return StateTable(layout.program, tuple(state_row(layout, state) for state in states), reduced)


def state_row(layout: Layout, state: State) -> StateRow:
    """Return a state as a row of a table."""
    choosing, statics, threads, cells = state
    naming = _Values(layout, lambda address: cells[address - 1][0])
    stacks = tuple(
        tuple(
            Activation(
                layout.procedures[number].procedure.name,
                location,
                base,
                naming.values(local, layout.procedures[number].shapes),
            )
            for number, location, base, local in frames
        )
        for frames in threads
    )
    named = {naming.name(address): naming.cell(cell) for address, cell in enumerate(cells, start=1)}
    return StateRow(choosing, naming.values(statics, layout.static_shapes), stacks, named)


def effect_table(layout: Layout, roots: Sequence[Root], read: Mapping[int, Collection[Location]] | None) -> EffectTable:
    """Return a table of calls; `read` says what each has read of its entry, None stands for everything."""
    callees: dict[int, int] = {}
    for root in roots:
        for node, _ in root.callers:
            callees[id(node)] = root.number
    rows = []
    for root in roots:
        known = read[root.number] if read is not None else None
        rows.append(_Root(layout, root, known).row(callees))
    return EffectTable(layout.program, tuple(rows))


class _Root:
    """One root, and the names of its cells."""

    def __init__(self, layout: Layout, root: Root, known: Collection[Location] | None) -> None:
        self.layout, self.root, self.known = layout, root, known
        self.frame = layout.procedures[root.procedure]

    def row(self, callees: Mapping[int, int]) -> RootRow:
        root, formals = self.root, tuple(slot for slot, _ in enumerate(self.root.formals))
        memory = Overlay(self.layout, root.entry)
        naming = self._values(memory)
        held = None if self.known is not None else tuple(naming.name(address) for address in sorted(root.held))
        entered = naming.values(root.formals, self.frame.parameters)
        return RootRow(
            self.frame.procedure.name,
            root.base,
            tuple(entered[slot] if self._is_known((FORMAL, slot)) else UNREAD for slot in formals),
            self._statics(memory, naming),
            {naming.name(address): self._cell(memory, naming, address) for address in self._entry()},
            held,
            tuple(self._path(node, callees.get(id(node), -1)) for node in root.seen.values()),
            tuple(self._effect(effect) for effect in root.effects.values()),
        )

    def _is_known(self, location: Location) -> bool:
        return self.known is None or location in self.known

    def _entry(self) -> list[int]:
        """Return the cells of the entry that are known to be there: those that a known value mentions."""
        root = self.root
        if self.known is None:
            return list(range(1, len(root.entry.cells) + 1))
        found: dict[int, None] = {}
        for address, slot in self.known:
            if address == FORMAL:
                shape = next((shape for number, shape in self.frame.parameters if number == slot), False)
                value = root.formals[slot]
            elif not address:
                value, shape = root.entry.statics[slot], self.layout.static_shape[slot]
            else:
                cell = root.entry.cells[address - 1]
                value, shape = cell[slot], self.layout.classes[cell[0]].shape(slot)
            found.update(dict.fromkeys(references(value, shape)))
        return sorted(found)

    def _values(self, memory: Overlay) -> _Values:
        return _Values(self.layout, memory.class_of)

    def _statics(self, memory: Overlay, naming: _Values) -> tuple[Any, ...]:
        statics = memory.statics()
        return tuple(
            naming.value(value, self.layout.static_shape[slot])
            if self._is_known((0, slot)) or (0, slot) in memory.written
            else UNREAD
            for slot, value in enumerate(statics)
        )

    def _cell(self, memory: Overlay, naming: _Values, address: int) -> Any:
        """Return a cell of the entry as it is now."""
        cell = memory[address]
        kind = self.layout.classes[cell[0]]

        def is_known(slot: int) -> bool:
            return self._is_known((address, slot)) or (address, slot) in memory.written

        if kind.is_queue:
            return naming.cell(cell) if is_known(1) else UNREAD
        return tuple(
            naming.value(value, kind.shape(slot)) if is_known(slot) else UNREAD
            for slot, value in enumerate(cell[1:], start=1)
        )

    def _changes(self, memory: Overlay, naming: _Values) -> dict[Reference, Any]:
        changed = sorted({address for address, _ in memory.written if address})
        found = {naming.name(address): self._cell(memory, naming, address) for address in changed}
        for number, cell in enumerate(memory.new_cells, start=memory.kept + 1):
            found[naming.name(number)] = naming.cell(cell)
        return found

    def _path(self, node: Node, callee: int) -> PathRow:
        memory = Overlay(self.layout, node.root.entry, node.written, node.new_cells)
        naming = self._values(memory)
        unused = [slot for slot in range(len(self.root.formals)) if not self._is_known((FORMAL, slot))]
        local = list(node.local)
        for slot in unused:
            local[slot] = 0
        values = list(naming.values(local, self.frame.shapes))
        for slot in unused:
            values[slot] = UNREAD
        changed = self._changes(memory, naming)
        return PathRow(node.location, node.inside, tuple(values), self._statics(memory, naming), changed, callee)

    def _effect(self, effect: Effect) -> EffectRow:
        memory = Overlay(self.layout, self.root.entry, effect.written, effect.new_cells)
        naming = self._values(memory)
        shapes = self.frame.results if effect.exception is None else ()
        results = naming.values(effect.results, shapes)
        return EffectRow(results, effect.exception, self._statics(memory, naming), self._changes(memory, naming))


class _Values:
    """Turns numbers into values."""

    def __init__(self, layout: Layout, class_of: Callable[[int], int]) -> None:
        self.layout = layout
        self.class_of = class_of

    def name(self, address: int) -> Reference:
        """Return the name of a cell."""
        return Reference(self.layout.classes[self.class_of(address)].cell.name, address)

    def value(self, value: Number, shape: Shape) -> Any:
        """Return a value."""
        if shape is True:
            return self.name(value) if value else None
        if not shape:
            return value
        if type(shape) is SequenceShape:
            return tuple([self.value(part, shape.element) for part in value])
        return tuple([self.value(part, inner) for part, inner in zip(value, shape, strict=True)])

    def values(self, values: Sequence[Number], shapes: Sequence[tuple[int, Shape]]) -> tuple[Any, ...]:
        """Return values, of which `shapes` says where references can be."""
        found = list(values)
        for slot, shape in shapes:
            found[slot] = self.value(found[slot], shape)
        return tuple(found)

    def cell(self, cell: Sequence[Number]) -> tuple[Any, ...]:
        """Return the slots of a cell."""
        kind = self.layout.classes[cell[0]]
        if kind.is_queue:
            return tuple([self.value(part, kind.element_shape) for part in cell[1]])
        if kind.is_instance:
            return self.values(cell, kind.shapes)[1:]
        return tuple([self.value(part, kind.element_shape) for part in cell[1:]])
