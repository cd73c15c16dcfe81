"""Frozen memories: statics, cells and started threads as one value; what a callee sees of it, and what comes back.

Cells that were there when the transaction began keep their names.  Newer ones are numbered as they are met, and those
that a callee cannot reach are left out of its memory and are there again behind the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.program.types import Reference

Names = dict[Reference, Reference]


class Activation(NamedTuple):
    """A frame as a value."""

    procedure: str
    location: int
    base: bool
    values: tuple[Any, ...]


class Memory(NamedTuple):
    """Statics, cells sorted by name, and the first frames of threads that were started."""

    statics: tuple[Any, ...]
    cells: tuple[tuple[Reference, Any], ...]
    started: tuple[Activation, ...]


def rename(value: Any, names: Mapping[Reference, Reference]) -> Any:
    """Return a value with cells renamed; those without a new name keep theirs."""
    if type(value) is Reference:
        return names.get(value, value)
    if type(value) is tuple:
        return tuple([rename(part, names) for part in value])
    return value


def rename_frame(frame: Activation, names: Mapping[Reference, Reference]) -> Activation:
    """Return a frame with cells renamed."""
    return frame._replace(values=rename(frame.values, names))


def freeze(
    statics: Sequence[Any],
    heap: Mapping[Reference, Any],
    started: Sequence[Activation],
    kept: frozenset[Reference],
    values: Iterable[Any],
) -> tuple[Memory, Names]:
    """Return a memory without garbage, and the new names of the cells that are not kept; `values` are held, too."""
    first = max((cell.number for cell in kept), default=0) + 1
    names: Names = {}
    order: list[Reference] = []

    def meet(value: Any) -> None:
        todo = [value]
        while todo:
            here = todo.pop()
            if type(here) is Reference:
                if here not in kept and here not in names:
                    names[here] = Reference(here.target, first + len(order))
                    order.append(here)
                    todo.append(heap[here])
            elif type(here) is tuple:
                todo += reversed(here)

    meet(tuple(values))
    meet(tuple(statics))
    for cell in sorted(kept):
        meet(heap[cell])
    meet(tuple(frame.values for frame in started))
    cells = [(cell, rename(heap[cell], names)) for cell in kept] + [
        (names[cell], rename(heap[cell], names)) for cell in order
    ]
    renamed = tuple([rename_frame(frame, names) for frame in started])
    return Memory(rename(tuple(statics), names), tuple(sorted(cells)), renamed), names


def merge(
    memory: Memory, caller: Memory, back: Mapping[Reference, Reference], old: frozenset[Reference]
) -> tuple[Memory, Names]:
    """Return the memory of a caller after its callee has left one behind, and how cells are called there.

    `back` has the caller's names of the newer cells with which the callee began; all other newer ones get new names.
    """
    heap = dict(caller.cells)
    names: Names = dict(back)
    used = max((cell.number for cell in heap), default=0)
    for cell, _ in memory.cells:
        if cell not in names and cell not in old:
            used += 1
            names[cell] = Reference(cell.target, used)
    for cell, slots in memory.cells:
        heap[names.get(cell, cell)] = rename(slots, names)
    started = tuple([rename_frame(frame, names) for frame in memory.started])
    return Memory(rename(memory.statics, names), tuple(sorted(heap.items())), started), names
