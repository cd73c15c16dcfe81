"""Arguments without names: each travels behind a number for its type, and `va_arg` names the number that it expects.

C leaves it undefined to take an argument as one of another type (C17 7.16.1.1).  Numbers tell apart what gcc's own
conventions tell apart: the width of integers, pointers, floating-point numbers, the size of structs; not the sign of an
integer, nor what a pointer points to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from knaster.frontends.c.memory.arithmetic import is_pointer
from knaster.frontends.c.memory.types import cell_of, is_scalar
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.program.expression import Const, Expr
from knaster.program.memory import Floating, bytes_of

if TYPE_CHECKING:
    from knaster.frontends.c.memory.arithmetic import Result

_POINTER, _FLOATING, _STRUCT = 0, 1 << 10, 1 << 20


def type_number(type: Any) -> int:
    """Return the number of a type that an argument without a name has, or is expected to have."""
    if isinstance(type, Boolean):
        return 8
    if isinstance(type, Integer):
        return type.width
    if is_pointer(type):
        return _POINTER
    if is_scalar(type) and isinstance(cell := cell_of(type), Floating):
        return _FLOATING + cell.width
    return _STRUCT + bytes_of(cell_of(type))


def with_types(values: Iterable[Result]) -> list[Expr]:
    """Return what is passed for arguments without names; small integers become `int`."""
    found: list[Expr] = []
    for value in values:
        number = type_number(value.type)
        found += [Const(32 if 0 < number < 32 else number), value.expr]
    return found
