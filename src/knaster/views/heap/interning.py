"""Interning: from a state, a few numbers of parts that are kept once each, so a step looks only at what it changes.

Gerard Holzmann, State Compression in SPIN: Recursive Indexing and Compression Training Runs (SPIN 1997) has the idea
(*collapse*): stacks, statics and cells are kept once each and called by numbers.  A state is (the thread that chooses
or 0, the shared part, the stack of each thread); a shared part is the statics and all cells.

Cells are named as they are met: first all that the statics lead to, then what the stack of each thread leads to, in
order.  A part is renamed once for each way to rename the cells that it mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from knaster.base.memory_count import Room, measure
from knaster.base.named_tuples import NamedTuple
from knaster.views.heap.canonical_states import Frame, Naming, State
from knaster.views.heap.memory_layout import Layout, Number
from knaster.views.heap.overlay import Cell, references, references_in

Key = tuple[int, ...]  # the thread that chooses, the number of the shared part, the numbers of the stacks
Mentioned = tuple[int, ...]  # the addresses in a part, each once, in the order of the traversal
Part = TypeVar("Part")
FINISHED = 0  # the number of the empty stack


class Parts(Generic[Part]):
    """Parts of one kind, each with the addresses that it mentions."""

    def __init__(
        self,
        layout: Layout,
        find: Callable[[Part], list[int]],
        rename: Callable[[Part, Naming], Part],
        weigh: Callable[[Part], int],
        room: Room,
    ) -> None:
        self._layout = layout
        self._weigh = weigh
        self._room = room
        self.parts: list[Part] = []
        self.mentioned: list[Mentioned] = []
        self.numbers: dict[Part, int] = {}
        self._find = find
        self._rename = rename
        self._renamed: dict[tuple[int, Mentioned], int] = {}

    def number(self, part: Part) -> int:
        """Return the number of a part."""
        known = self.numbers.get(part)
        if known is None:
            self._room.take(self._weigh(part))
            known = self.numbers[part] = len(self.parts)
            self.parts.append(part)
            self.mentioned.append(tuple(dict.fromkeys(self._find(part))))
        return known

    def rename(self, number: int, names: dict[int, int]) -> int:
        """Return the number of a part with the addresses that it mentions renamed."""
        mentioned = self.mentioned[number]
        if not mentioned:
            return number
        new = tuple([names[address] for address in mentioned])
        if new == mentioned:
            return number
        known = self._renamed.get((number, new))
        if known is None:
            naming = Naming(self._layout, None, 0, dict(zip(mentioned, new, strict=True)))
            known = self._renamed[number, new] = self.number(self._rename(self.parts[number], naming))
        return known


class Shared(NamedTuple):
    """What all threads can lead to: the number of the statics, those of the cells, and how many the statics lead to."""

    statics: int
    cells: tuple[int, ...]
    common: int


class Interning:
    """The parts of the states of one program."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.room = room = Room()
        self.stacks: Parts[tuple[Frame, ...]] = Parts(layout, self._references_in_stack, self._rename_stack, len, room)
        self.statics: Parts[tuple[Number, ...]] = Parts(
            layout, self._references_in_statics, self._rename_statics, measure, room
        )
        self.cells: Parts[Cell] = Parts(
            layout, lambda cell: references_in(layout, cell), self._rename_cell, measure, room
        )
        self.shared: list[Shared] = []
        self._shared_numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        self.stacks.number(())

    def share(self, statics: int, cells: tuple[int, ...], common: int) -> int:
        """Return the number of a shared part."""
        known = self._shared_numbers.get((statics, cells))
        if known is None:
            self.room.take(len(cells))
            known = self._shared_numbers[statics, cells] = len(self.shared)
            self.shared.append(Shared(statics, cells, common))
        return known

    def canonical_key(self, choosing: int, statics: int, cells: Sequence[int], stacks: Sequence[int]) -> Key:
        """Return a state with its cells renamed, garbage left out."""
        order: list[int] = []
        names: dict[int, int] = {}
        in_cells, in_stacks = self.cells.mentioned, self.stacks.mentioned
        met = 0
        common = -1
        for mentioned in (self.statics.mentioned[statics], *[in_stacks[stack] for stack in stacks]):
            for address in mentioned:
                if address not in names:
                    order.append(address)
                    names[address] = len(order)
            while met < len(order):
                for address in in_cells[cells[order[met] - 1]]:
                    if address not in names:
                        order.append(address)
                        names[address] = len(order)
                met += 1
            if common < 0:
                common = met
        if order == list(range(1, len(order) + 1)):
            return choosing, self.share(statics, tuple(cells[: len(order)]), common), *stacks
        renamed = self.cells.rename
        shared = self.share(
            self.statics.rename(statics, names),
            tuple([renamed(cells[address - 1], names) for address in order]),
            common,
        )
        return choosing, shared, *[self.stacks.rename(stack, names) for stack in stacks]

    def state(self, key: Key) -> State:
        """Return a state in full."""
        shared = self.shared[key[1]]
        cells = tuple([self.cells.parts[cell] for cell in shared.cells])
        return key[0], self.statics.parts[shared.statics], tuple([self.stacks.parts[k] for k in key[2:]]), cells

    def _references_in_stack(self, stack: tuple[Frame, ...]) -> list[int]:
        procedures = self.layout.procedures
        return [
            address
            for number, _, _, local in stack
            for slot, shape in procedures[number].shapes
            for address in references(local[slot], shape)
        ]

    def _references_in_statics(self, statics: tuple[Number, ...]) -> list[int]:
        return [address for slot, shape in self.layout.static_shapes for address in references(statics[slot], shape)]

    def _rename_stack(self, stack: tuple[Frame, ...], naming: Naming) -> tuple[Frame, ...]:
        procedures = self.layout.procedures
        return tuple(
            [
                (number, location, base, naming.values(local, procedures[number].shapes))
                for number, location, base, local in stack
            ]
        )

    def _rename_statics(self, statics: tuple[Number, ...], naming: Naming) -> tuple[Number, ...]:
        return naming.values(statics, self.layout.static_shapes)

    def _rename_cell(self, cell: Cell, naming: Naming) -> Cell:
        return naming.cell(cell)
