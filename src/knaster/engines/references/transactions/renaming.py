"""Renaming inside transactions: a memory with its new cells named as they are met, and what a callee sees of it.

Cells that were there when a root began keep their names; so does, in callees, every cell that was there when the
transaction began.  A callee does not see new cells that only its callers can reach: they are left out when it begins,
and are there again when it returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.views.heap.canonical_states import Frame, Naming
from knaster.views.heap.memory_layout import Layout, Number
from knaster.views.heap.reductions.watched_memory import Shot, WatchedMemory


def settle(
    layout: Layout, memory: WatchedMemory, kept: int, frames: Sequence[Frame], results: Sequence[Number], procedure: int
) -> tuple[Shot, tuple[Frame, ...], tuple[Number, ...]]:
    """Return a memory, frames and results with all cells behind the kept ones renamed; garbage is left out."""
    if len(memory.heap) - 1 == kept:
        return memory.shot(), tuple(frames), tuple(results)
    naming = Naming(layout, memory.heap, kept)
    settled = tuple([_frame(layout, naming, frame) for frame in frames])
    values = naming.values(results, layout.procedures[procedure].results) if results else ()
    return _shot(layout, naming, memory, kept), settled, values


def show(
    layout: Layout, memory: WatchedMemory, old: int, callee: int, arguments: Sequence[Number]
) -> tuple[Shot, tuple[Number, ...], tuple[int, ...]]:
    """Return what a callee sees, its formals, and the caller's names of its cells behind the old ones."""
    if len(memory.heap) - 1 == old:
        return memory.shot(), tuple(arguments), ()
    naming = Naming(layout, memory.heap, old)
    formals = naming.values(arguments, layout.procedures[callee].parameters)
    return _shot(layout, naming, memory, old), formals, tuple(naming.order)


def come_back(
    layout: Layout, shot: Shot, kept: int, names: Sequence[int], old: int, caller: Shot
) -> tuple[WatchedMemory, Naming]:
    """Return the memory of a caller after its callee has left a memory behind, and how cells are called there.

    The callee began with `kept` cells; the ones behind the old ones have `names` in the caller's memory.
    """
    memory = WatchedMemory(layout, caller)
    fresh = range(len(memory.heap), len(memory.heap) + len(shot.cells) - kept)
    known = [*range(1, old + 1), *names, *fresh]
    naming = Naming(layout, None, 0, dict(enumerate(known, start=1)))
    memory.heap += [None] * len(fresh)
    for address, cell in zip(known, shot.cells, strict=True):
        memory.heap[address] = naming.cell(cell)
    memory.statics = list(naming.values(shot.statics, layout.static_shapes))
    memory.started = [_frame(layout, naming, frame) for frame in shot.started]
    return memory, naming


def rename_frames(layout: Layout, naming: Naming, frames: Sequence[Frame]) -> list[Frame]:
    """Return frames with their cells renamed."""
    return [_frame(layout, naming, frame) for frame in frames]


def _frame(layout: Layout, naming: Naming, frame: Frame) -> Frame:
    procedure, location, base, local = frame
    return procedure, location, base, naming.values(local, layout.procedures[procedure].shapes)


def _shot(layout: Layout, naming: Naming, memory: WatchedMemory, kept: int) -> Shot:
    statics = naming.values(memory.statics, layout.static_shapes)
    cells: list[Any] = [naming.cell(cell) for cell in memory.heap[1 : kept + 1]]
    started = tuple([_frame(layout, naming, frame) for frame in memory.started])
    return Shot(statics, (*cells, *naming.cells()), started)
