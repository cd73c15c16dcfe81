"""Equations of machine integers solved for what varies: `(int)((unsigned int)x - 1) == 4` is `x == 5`.

Adding a constant, and converting between types of the same width, maps the values of a type to those of a type one to
one, whether something wraps or not.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.program.expression import Arithmetic, Compare, Comparison, Const, Convert, Expr, IntegerOperator, Var
from knaster.program.types import Int, Type


def solved(expr: Compare, types: Mapping[str, Type]) -> Compare:
    """Return an equation with a constant, or that something differs from one, with less arithmetic in it."""
    left, right = expr.left, expr.right
    if isinstance(left, Const):
        left, right = right, left
    if expr.operator not in (Comparison.EQUAL, Comparison.DIFFERENT) or not isinstance(right, Const):
        return expr
    value = right.value
    if not isinstance(value, int) or isinstance(value, bool):
        return expr
    while (simpler := _solve_step(left, value, types)) is not None:
        left, value = simpler
    return Compare(expr.operator, left, Const(value))


def _solve_step(expr: Expr, value: int, types: Mapping[str, Type]) -> tuple[Expr, int] | None:
    """Return what has to be which number so that an expression is a number; None where nobody says."""
    own = _type_of(expr, types)
    if own is None or not own.holds(value):
        return None
    match expr:
        case Arithmetic(IntegerOperator.ADD, other, Const(int(more)), _):
            inner, wanted = other, value - more
        case Arithmetic(IntegerOperator.ADD, Const(int(more)), other, _):
            inner, wanted = other, value - more
        case Arithmetic(IntegerOperator.SUBTRACT, other, Const(int(less)), _):
            inner, wanted = other, value + less
        case Convert(other, Int()):
            inner, wanted = other, value
        case _:
            return None
    type = _type_of(inner, types)
    if type is None or type.width != own.width:
        return None
    return inner, type.wrap(wanted)


def _type_of(expr: Expr, types: Mapping[str, Type]) -> Int | None:
    match expr:
        case Var(name):
            found = types.get(name)
            return found if isinstance(found, Int) else None
        case Arithmetic(_, _, _, type) | Convert(_, Int() as type):
            return type
        case _:
            return None
