"""Bounded paths: from the types of a program with references, how many references a path in its heap has at most.

There is a bound where no class leads to itself, whatever the program does.  Where besides every cell has a fixed number
of slots, visible states are finitely many, and summaries of them end: Theorem 3 of Qadeer and Rajamani, Deciding
Assertions in Programs with References (MSR-TR-2005-08, 2005).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from knaster.base.graphs import components
from knaster.program.model import Program
from knaster.program.objects import ArrayCell, Cell, ClassCell
from knaster.program.types import Pointer, Struct, Type


def longest_path(program: Program) -> int | None:
    """Return the most references of a path; None where there may be any number of them, or of slots."""
    assert program.objects is not None
    cells = {cell.name: cell for cell in program.objects.cells}
    if any(not _is_fixed(cell) for cell in cells.values()):
        return None
    leads = {name: set(_classes(_slots(cell), cells)) for name, cell in cells.items()}
    length: dict[str, int] = {}
    for group in components(list(cells), lambda name: leads[name]):
        if len(group) > 1 or group[0] in leads[group[0]]:
            return None
        length[group[0]] = 1 + max((length[name] for name in leads[group[0]]), default=0)
    return reduce(max, (length[name] for name in _classes(_variables(program), cells)), 0)


def end_in_words(program: Program, besides: str = "") -> dict[str, str]:
    """Return what statistics say where summaries surely end; nothing where the types do not tell.

    `besides` is what holds, too, and the end depends on.
    """
    most = longest_path(program)
    if most is None:
        return {}
    paths = f"paths in the heap have at most {most} reference{'' if most == 1 else 's'}"
    return {"check_ends": f"{paths}, and {besides}" if besides else paths}


def _is_fixed(cell: Cell) -> bool:
    """Tell whether all cells of a class have the same number of slots."""
    return isinstance(cell, ClassCell) or (isinstance(cell, ArrayCell) and cell.length is not None)


def _slots(cell: Cell) -> list[Type]:
    return [kind for _, kind in cell.fields] if isinstance(cell, ClassCell) else [cell.element]


def _variables(program: Program) -> list[Type]:
    kinds = [kind for _, kind in program.types]
    return kinds + [kind for procedure in program.procedures for _, kind in procedure.types]


def _classes(kinds: list[Type], cells: Mapping[str, Cell]) -> Iterator[str]:
    """Yield the classes to which values of some types can refer; an interface stands for every class."""
    todo = list(kinds)
    while todo:
        match todo.pop():
            case Pointer(target):
                yield from (target,) if target in cells else cells
            case Struct(_, fields):
                todo += [kind for _, kind in fields]
