"""The match of a call with a root of a table, and what an effect of that root does to the caller's memory.

Two cells never match one, null matches null only, and classes and lengths of arrays are compared; what is not known in
the entry of the root matches anything.  S. Qadeer and S. Rajamani, Deciding Assertions in Programs with References
(MSR-TR-2005-08, 2005), figure 7 and the rule USE SUM.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from knaster_check.heap.memory import UNREAD, Memory
from knaster_check.heap.rows import Cells
from knaster_check.program import Cell, Procedure, Reference, Value
from knaster_check.refused import expect

Names = dict[Reference, Reference]
Values = tuple[Value, ...]


class Path(NamedTuple):
    """Where a call can stand, what it can have made of its entry, and the root of the call that it is about to make."""

    location: int
    inside: bool  # an atomic region
    values: Values
    statics: Values
    changed: Cells
    callee: int


class Effect(NamedTuple):
    """What a call can leave behind: its results, or an exception."""

    results: Values
    exception: str | None
    statics: Values
    changed: Cells


@dataclass(frozen=True, slots=True)
class Root:
    """A call: what it begins with; `held` are the cells that somebody outside may use later, None: perhaps all."""

    procedure: Procedure
    base: bool
    formals: Values
    statics: Values
    cells: Cells
    held: Values | None
    paths: tuple[Path, ...]
    effects: tuple[Effect, ...]


def match_root(root: Root, formals: Sequence[Value], memory: Memory) -> Names | None:
    """Return how the caller calls the cells of a root's entry; None where the call is another one."""
    names: Names = {}
    todo = [*zip(root.formals, formals, strict=True), *zip(root.statics, memory.statics.values(), strict=True)]
    while todo:
        wanted, given = todo.pop()
        if wanted is UNREAD:
            continue
        if wanted.__class__ is not given.__class__:
            return None
        if isinstance(wanted, Reference):
            if wanted in names or given in names.values():
                if names.get(wanted) != given:
                    return None
                continue
            if wanted.target != given.target:
                return None
            names[wanted] = given
            todo.append((root.cells[wanted], memory.heap[given]))
        elif isinstance(wanted, tuple):
            if len(wanted) != len(given):
                return None
            todo += zip(wanted, given, strict=True)
        elif wanted != given:
            return None
    return names


def held_outside(
    frame: Iterable[Value], held: Iterable[Value], names: Names, heap: Mapping[Reference, Any]
) -> set[Reference]:
    """Return the cells that a callee sees and somebody else can use later, as the callee calls them.

    These are the locals of the caller, what hangs on them where the callee does not see it, and what is held of the
    caller itself.
    """
    own = {given: wanted for wanted, given in names.items()}
    todo = [*references(frame), *references(held)]
    seen, found = set(todo), set[Reference]()
    while todo:
        cell = todo.pop()
        if cell in own:
            found.add(own[cell])
            continue
        for other in references(heap[cell]):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return found


def references(values: Iterable[Value]) -> Iterator[Reference]:
    """Yield the references in values."""
    for value in values:
        if isinstance(value, Reference):
            yield value
        elif isinstance(value, tuple):
            yield from references(value)


def apply_effect(root: Root, effect: Effect, names: Names, into: Memory, cells: Mapping[str, Cell]) -> list[Value]:
    """Let an effect happen in the memory of a caller; return its results."""
    called = dict(names)
    for cell in effect.changed:
        if cell not in root.cells:
            into.made += 1
            called[cell] = Reference(cell.target, into.made)

    def rename(value: Value) -> Value:
        if isinstance(value, Reference):
            expect(value in called, "an effect has a cell that its call does not see")
            return called[value]
        return tuple(rename(part) for part in value) if isinstance(value, tuple) else value

    for name, value in zip(into.statics, effect.statics, strict=True):
        if value is not UNREAD:
            into.statics[name] = rename(value)
    for cell, slots in effect.changed.items():
        if slots is UNREAD:
            continue
        new = [rename(slot) for slot in slots]
        if cell in root.cells and cells[cell.target].form not in ("channel", "set"):
            before = into.heap[called[cell]]
            new = [old if slot is UNREAD else slot for old, slot in zip(before, new, strict=True)]
        into.heap[rename(cell)] = tuple(new)
    return [rename(value) for value in effect.results]
