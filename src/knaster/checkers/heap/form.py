"""The form of a state up to the names of cells, for the checkers of tables: their own, shared with no engine.

Cells are numbered as they are met from statics, frames, and cells that are said to matter; garbage is never met.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.model import Procedure, Program
from knaster.program.types import BOOL, Pointer, Reference, Struct, Type


def may_refer(type: Type) -> bool:
    """Tell whether a value of a type can have a reference in it."""
    if isinstance(type, Struct):
        return any(may_refer(part) for _, part in type.fields)
    return isinstance(type, Pointer)


def referring_variables(program: Program, procedure: Procedure) -> tuple[int, ...]:
    """Return the numbers of the variables of a frame that can have references in them."""
    types = program.types_in(procedure)
    names = procedure.parameters + procedure.locals
    return tuple(number for number, name in enumerate(names) if may_refer(types[name]))


def referring_statics(program: Program) -> tuple[int, ...]:
    """Return the numbers of the statics that can have references in them."""
    types = dict(program.types)
    return tuple(number for number, name in enumerate(program.globals) if may_refer(types.get(name, BOOL)))


class Form:
    """Spells values without the names of cells; those in `kept` keep theirs."""

    def __init__(self, heap: Mapping[Reference, Any], kept: Mapping[Reference, Any]) -> None:
        self.heap = heap
        self.kept = kept
        self.numbers: dict[Reference, int] = {}
        self.met: list[Reference] = []

    def spell(self, value: Any) -> Hashable:
        """Return a value with numbers for references."""
        if type(value) is Reference:
            number = self.numbers.get(value)
            if number is None:
                number = self.numbers[value] = len(self.met)
                self.met.append(value)
            return (value,) if value in self.kept else number
        if type(value) is tuple:
            return tuple([self.spell(part) for part in value])
        return value  # type: ignore[no-any-return]

    def spell_all(self, values: Sequence[Any], where: Iterable[int]) -> tuple[Hashable, ...]:
        """Return values spelled where they can have references in them."""
        found = list(values)
        for number in where:
            if found[number] is not None:
                found[number] = self.spell(found[number])
        return tuple(found)

    def cells(self) -> tuple[Hashable, ...]:
        """Return the cells that were met; more are met meanwhile."""
        heap, spell = self.heap, self.spell
        found: list[Hashable] = []
        for cell in self.met:
            slots = heap[cell]
            shown = slots if slots is UNREAD else tuple([spell(slot) for slot in slots])
            found.append((cell if cell in self.kept else cell.target, shown))
        return tuple(found)
