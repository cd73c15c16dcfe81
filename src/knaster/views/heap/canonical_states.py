"""Canonical states: from a state, the same one with its cells named as they are met, garbage left out.

Radu Iosif, Symmetry Reduction Criteria for Software Model Checking (SPIN 2002) has the idea: two heaps are equal up to
renaming exactly if a fixed traversal numbers them to the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.views.heap.memory_layout import Class, Layout, Number, SequenceShape, Shape

Frame = tuple[int, int, bool, tuple[Number, ...]]  # procedure, location, caller atomic, locals
Threads = tuple[tuple[Frame, ...], ...]
State = tuple[int, tuple[Number, ...], Threads, tuple[tuple[Number, ...], ...]]
"""The thread that chooses (0: none), the statics, the stacks, and the cells; cell i has the address i + 1."""


def canonical_state(
    layout: Layout, choosing: int, statics: Sequence[Number], heap: Sequence[Any], threads: Any
) -> State:
    """Return a state with its cells renamed."""
    naming = Naming(layout, heap, 0)
    fixed = naming.values(statics, layout.static_shapes)
    procedures = layout.procedures
    stacks = tuple(
        tuple(
            [
                (number, location, base, naming.values(local, procedures[number].shapes))
                if procedures[number].shapes
                else (number, location, base, local if type(local) is tuple else tuple(local))
                for number, location, base, local in frames
            ]
        )
        for frames in threads
    )
    return choosing, fixed, stacks, naming.cells()


class Naming:
    """New names for the cells of a heap; those up to `kept` keep theirs and are not followed."""

    def __init__(self, layout: Layout, heap: Any, kept: int, names: dict[int, int] | None = None) -> None:
        self.classes: list[Class] = layout.classes
        self.heap = heap
        self.kept = kept
        self.names: dict[int, int] = {} if names is None else names
        self.order: list[int] = []

    def name(self, address: int) -> int:
        """Return the new name of a cell."""
        if address <= self.kept:
            return address
        found = self.names.get(address)
        if found is None:
            self.order.append(address)
            found = self.names[address] = self.kept + len(self.order)
        return found

    def value(self, value: Number, shape: Shape) -> Number:
        """Return a value with its references renamed."""
        if shape is True:
            return self.name(value) if value else 0
        if not shape:
            return value
        if type(shape) is SequenceShape:
            return tuple([self.value(part, shape.element) for part in value])
        return tuple([self.value(part, inner) for part, inner in zip(value, shape, strict=True)])

    def values(self, values: Sequence[Number], shapes: Sequence[tuple[int, Shape]]) -> tuple[Number, ...]:
        """Return values with their references renamed."""
        if not shapes:
            return tuple(values)
        renamed = list(values)
        for slot, shape in shapes:
            value = renamed[slot]
            if value:
                renamed[slot] = self.name(value) if shape is True else self.value(value, shape)
        return tuple(renamed)

    def cells(self) -> tuple[tuple[Number, ...], ...]:
        """Return the cells that have got a name, in the order of their names; more get one meanwhile."""
        found = []
        for address in self.order:
            found.append(self.cell(self.heap[address]))
        return tuple(found)

    def cell(self, cell: tuple[Number, ...]) -> tuple[Number, ...]:
        """Return a cell with its references renamed."""
        made = self.classes[cell[0]]
        if made.shapes:
            return self.values(cell, made.shapes)
        if not made.element_shape:
            return cell
        shape = made.element_shape
        if made.is_queue:
            return cell[0], tuple([self.value(part, shape) for part in cell[1]])
        return (cell[0], *[self.value(part, shape) for part in cell[1:]])
