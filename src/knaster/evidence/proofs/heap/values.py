"""Values and cells of programs with references in the rows of tables, and as plain data and back without trust.

A reference is a text such as "Foo#2", a struct a list, and "?" stands for what is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NoReturn

from knaster.base.errors import ProofError
from knaster.program.types import Reference


class Unread(Enum):
    """What stands for a value that does not matter."""

    UNREAD = "?"

    def __repr__(self) -> str:
        return self.value


UNREAD = Unread.UNREAD
Slot = Any  # a Value, or UNREAD
Slots = tuple[Slot, ...]
Cells = Mapping[Reference, Any]  # the slots of each cell; UNREAD for a whole channel or set


def value_to_json(value: Any) -> Any:
    """Return a value as plain data."""
    if isinstance(value, Reference):
        return f"{value.target}#{value.number}"
    if isinstance(value, tuple):
        return [value_to_json(part) for part in value]
    return UNREAD.value if value is UNREAD else value


def cells_to_json(cells: Mapping[Reference, Any]) -> dict[str, Any]:
    """Return cells as plain data."""
    return {value_to_json(cell): value_to_json(slots) for cell, slots in cells.items()}


def cells_of_json(data: object) -> dict[Reference, Any]:
    """Return the cells that plain data stands for."""
    found: dict[Reference, Any] = {}
    for name, slots in expect_type(data, dict).items():
        cell = _value_of_json(name)
        if type(cell) is not Reference:
            refuse("a cell has no name")
        value = _value_of_json(slots)
        if type(value) is not tuple and value is not UNREAD:
            refuse("a cell has no slots")
        found[cell] = value
    return found


def values_of_json(data: object) -> tuple[Any, ...]:
    """Return the values that plain data stands for."""
    return tuple(_value_of_json(part) for part in expect_type(data, list))


def _value_of_json(data: object) -> Any:
    if data is None or type(data) in (bool, int):
        return data
    if type(data) is list:
        return tuple(_value_of_json(part) for part in data)
    if type(data) is str:
        target, hash_, number = data.rpartition("#")
        if data == UNREAD.value:
            return UNREAD
        if hash_ and number.isdecimal() and number.isascii() and len(number) < 10:
            return Reference(target, int(number))
    refuse("a value is none")


def parts_of(data: object, count: int) -> list[Any]:
    """Return the parts of a row, so many of them."""
    found: list[Any] = expect_type(data, list)
    if len(found) != count:
        refuse(f"a row has not {count} parts")
    return found


def expect_type(data: Any, kind: type) -> Any:
    """Return what is of a type."""
    if type(data) is not kind:
        refuse(f"where {kind.__name__} should be there is something else")
    return data


def refuse(problem: str) -> NoReturn:
    """Raise `ProofError`."""
    raise ProofError(f"this is no proof: {problem}")
