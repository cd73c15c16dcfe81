"""What types tell of an expression of a program with memory: its type, and the interval of its values.

R. E. Moore, Interval Analysis (1966), on types alone: nobody has to ask whether the sum of two bytes overflows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.program.expression import (
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Conditional,
    Const,
    Convert,
    Element,
    IntegerOperator,
    Not,
    Updated,
    Var,
)
from knaster.program.memory import (
    Address,
    Addresses,
    AddressOf,
    Distance,
    Floating,
    FloatOperation,
    FloatTerm,
    Load,
    Moved,
)
from knaster.program.types import INTEGER, Array, Bool, Int

Interval = tuple[int, int]


def type_of(expr: Any, types: Mapping[str, Any]) -> Any:
    """Return the type of an expression; None where only its value tells."""
    while isinstance(expr, Conditional):
        expr = expr.then
    match expr:
        case Element(array):
            inner = type_of(array, types)
            return inner.element if isinstance(inner, Array) else None
        case Updated(array):
            return type_of(array, types)
        case Const(tuple(value)) if not isinstance(value, Address):
            return Array(INTEGER, len(value))
        case Const(Address()) | AddressOf() | Moved():
            return Addresses(0)
        case Var(name):
            return types.get(name)
        case (
            Load(_, type) | Choice(type) | Convert(_, type) | Arithmetic(_, _, _, type) | FloatOperation(_, _, _, type)
        ):
            return type
        case FloatTerm(_, _, _, result):
            return Int(result.width, False) if isinstance(result, Floating) else result
        case Distance(_, _, _, width):
            return Int(width)
        case Compare() | Not() | Binary():
            return Bool()
    return None


def range_of(expr: Any, types: Mapping[str, Any], wrapped: bool = True) -> Interval | None:
    """Return an interval that has every value of an expression; None where there is none that types tell.

    Where it is not `wrapped`, None means that the exact result of the outermost operator may be outside of its type.
    """
    match expr:
        case Const(int(value)):
            return int(value), int(value)
        case Conditional(_, then, otherwise):
            return _hull(range_of(then, types), range_of(otherwise, types))
        case Convert(operand, Int() as type):
            inner = range_of(operand, types)
            return inner if _fits(inner, type) else _whole(type)
        case Arithmetic(sign, left, right, type):
            exact = _result(sign, range_of(left, types), range_of(right, types))
            if _fits(exact, type):
                return exact
            return _whole(type) if wrapped else None
    return _whole(type_of(expr, types))


def _whole(type: Any) -> Interval | None:
    if isinstance(type, Bool):
        return 0, 1
    if isinstance(type, Int) and type.low is not None and type.high is not None:
        return type.low, type.high
    return None


def _fits(inner: Interval | None, type: Int) -> bool:
    return inner is not None and type.holds(inner[0]) and type.holds(inner[1])


def _hull(one: Interval | None, other: Interval | None) -> Interval | None:
    return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))


def _result(sign: IntegerOperator, left: Interval | None, right: Interval | None) -> Interval | None:
    """Return the bounds of an exact result."""
    if sign is IntegerOperator.AND:
        masks = [side[1] for side in (left, right) if side is not None and side[0] >= 0]
        return (0, min(masks)) if masks else None
    if left is None or right is None:
        return None
    (a, b), (c, d) = left, right
    match sign:
        case IntegerOperator.ADD:
            return a + c, b + d
        case IntegerOperator.SUBTRACT:
            return a - d, b - c
        case IntegerOperator.MULTIPLY:
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case IntegerOperator.LEFT if c >= 0 and d <= 128:
            return min(a, a << d), max(b, b << d)
        case IntegerOperator.RIGHT if c >= 0:
            return min(a, 0), max(b, 0)
        case IntegerOperator.REMAINDER if c > 0:
            return max(min(a, 0), 1 - d), min(max(b, 0), d - 1)
        case IntegerOperator.DIVIDE if c > 0:
            return min(a, 0), max(b, 0)
    return None
