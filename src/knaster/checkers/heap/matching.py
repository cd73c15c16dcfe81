"""The match of a call with a root of a table, and what an effect of that root does to the caller's memory.

Two cells never match one, null matches null only, and classes and lengths of arrays are compared; what is `UNREAD` in
the entry of the root matches anything.  Qadeer and Rajamani, MSR-TR-2005-08 (2005), figure 7 and the rule USE SUM.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knaster.base.errors import InternalError
from knaster.evidence.proofs.heap.effect_table import EffectRow, RootRow
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.objects import Cell, ChannelCell, SetCell
from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration

Names = dict[Reference, Reference]


def match_root(root: RootRow, formals: Sequence[Any], configuration: Configuration) -> Names | None:
    """Return how the caller calls the cells of a root's entry; None where the call is another one."""
    heap = configuration.heap
    names: Names = {}
    used: set[Reference] = set()
    todo = [*zip(root.formals, formals, strict=True), *zip(root.statics, configuration.statics.values(), strict=True)]
    while todo:
        wanted, given = todo.pop()
        if wanted is UNREAD:
            continue
        if type(wanted) is not type(given):
            return None
        if type(wanted) is tuple:
            if len(wanted) != len(given):
                return None
            todo += zip(wanted, given, strict=True)
        elif type(wanted) is not Reference:
            if wanted != given:
                return None
        elif wanted in names:
            if names[wanted] != given:
                return None
        elif given in used or wanted.target != given.target:
            return None
        else:
            names[wanted] = given
            used.add(given)
            todo.append((root.cells[wanted], dict.__getitem__(heap, given)))
    return names


def held_outside(frame: Iterable[Any], held: Iterable[Reference], names: Names, heap: Mapping[Reference, Any]) -> Names:
    """Return the cells that a callee sees and that somebody else can use later, by their name at the callee.

    These are the locals of the caller, what hangs on them where the callee does not see it, and what is `held` of the
    caller itself.
    """
    own = {given: wanted for wanted, given in names.items()}
    todo = [*references(frame), *held]
    seen = set(todo)
    found: Names = {}
    while todo:
        cell = todo.pop()
        if cell in own:
            found[own[cell]] = cell
            continue
        for other in references(heap[cell]):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return found


def references(values: Iterable[Any]) -> list[Reference]:
    """Return the references in values."""
    found: list[Reference] = []
    todo = list(values)
    while todo:
        value = todo.pop()
        if type(value) is Reference:
            found.append(value)
        elif type(value) is tuple:
            todo += value
    return found


def apply_effect(
    root: RootRow, effect: EffectRow, names: Names, into: Configuration, cells: Mapping[str, Cell]
) -> list[Any]:
    """Let an effect happen in the memory of a caller; return its results."""
    heap, all_names = into.heap, dict(names)
    for cell in effect.changed:
        if cell not in root.cells:
            into.made[cell.target] += 1
            all_names[cell] = Reference(cell.target, into.made[cell.target])

    def rename(value: Any) -> Any:
        if type(value) is Reference:
            if value not in all_names:
                raise InternalError(
                    "the table of effects does not hold: an effect has a cell that its call does not see"
                )
            return all_names[value]
        return tuple([rename(part) for part in value]) if type(value) is tuple else value

    for name, value in zip(list(into.statics), effect.statics, strict=True):
        if value is not UNREAD:
            into.statics[name] = rename(value)
    for cell, slots in effect.changed.items():
        if slots is UNREAD:
            continue
        is_whole = cell not in root.cells or isinstance(cells[cell.target], ChannelCell | SetCell)
        before = slots if is_whole else dict.__getitem__(heap, rename(cell))
        heap[rename(cell)] = tuple(
            [old if new is UNREAD else rename(new) for old, new in zip(before, slots, strict=True)]
        )
    return [rename(value) for value in effect.results]
