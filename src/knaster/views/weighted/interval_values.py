"""Intervals: what an expression can be where its variables lie between bounds, and what a condition says of them.

Cousot and Cousot, Abstract Interpretation (POPL 1977).  A bound that is None is none.  A machine integer that may leave
its type may be anything of it.  A truth value is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.program.expression import (
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
    operands,
    postorder,
)
from knaster.program.types import Bool, Int, Type, holds_all

Interval = tuple[int | None, int | None]
Bounds = dict[str, Interval]  # of the variables that have narrower ones than their types
TOP: Interval = (None, None)
TRUTH: Interval = (0, 1)
DEEPEST = 40  # alternatives inside alternatives of a condition that are looked at
_NEGATED = {
    Comparison.EQUAL: Comparison.DIFFERENT,
    Comparison.DIFFERENT: Comparison.EQUAL,
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.AT_LEAST: Comparison.LESS,
    Comparison.GREATER: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.GREATER,
}


def range_of(type: Type | None) -> Interval:
    """Return the bounds of a type."""
    if isinstance(type, Int):
        return type.low, type.high
    return TRUTH if isinstance(type, Bool) else TOP


def hull(first: Interval, second: Interval) -> Interval:
    """Return the smallest interval around two."""
    low = None if first[0] is None or second[0] is None else min(first[0], second[0])
    high = None if first[1] is None or second[1] is None else max(first[1], second[1])
    return low, high


def meet(first: Interval, second: Interval) -> Interval | None:
    """Return what lies in both intervals; None where nothing does."""
    low = first[0] if second[0] is None else second[0] if first[0] is None else max(first[0], second[0])
    high = first[1] if second[1] is None else second[1] if first[1] is None else min(first[1], second[1])
    return None if low is not None and high is not None and low > high else (low, high)


def interval_of(expr: Expr, bounds: Mapping[str, Interval], types: Mapping[str, Type]) -> Interval:
    """Return between which bounds the value of an expression lies."""
    stack: list[Interval] = []
    for node in postorder(expr):
        count = len(operands(node))
        parts = stack[len(stack) - count :] if count else []
        del stack[len(stack) - count :]
        stack.append(_value(node, parts, bounds, types))
    return stack[-1]


def _value(node: Expr, parts: list[Interval], bounds: Mapping[str, Interval], types: Mapping[str, Type]) -> Interval:
    match node:
        case Const(value) if isinstance(value, int):
            return int(value), int(value)
        case Var(name, False):
            return bounds.get(name) or range_of(types.get(name))
        case Choice(type):
            return range_of(type)
        case Not() if parts[0][0] is not None and parts[0][0] == parts[0][1]:
            return 1 - parts[0][0], 1 - parts[0][0]
        case Not() | Binary() | Compare():
            return TRUTH
        case Conditional():
            return hull(parts[1], parts[2])
        case Arithmetic(operator, _, _, type):
            return _fit(_calculate(operator, parts[0], parts[1]), type)
        case Convert(_, type):
            return _fit(parts[0], type) if isinstance(type, Int) else range_of(type)
    return TOP


def _fit(value: Interval, type: Int) -> Interval:
    """Return what wrapping into a type makes of an interval."""
    if value[0] is not None and value[0] == value[1]:
        return type.wrap(value[0]), type.wrap(value[0])
    whole = range_of(type)
    inside = meet(value, whole)
    return value if inside == value else whole


def _calculate(operator: IntegerOperator, left: Interval, right: Interval) -> Interval:
    match operator:
        case IntegerOperator.ADD:
            return _plus(left[0], right[0]), _plus(left[1], right[1])
        case IntegerOperator.SUBTRACT:
            return _minus(left[0], right[1]), _minus(left[1], right[0])
        case IntegerOperator.MULTIPLY if None not in left and None not in right:
            products = [a * b for a in left for b in right if a is not None and b is not None]
            return min(products), max(products)
        case IntegerOperator.REMAINDER if right[0] is not None and right[0] == right[1] and right[0] > 0:
            below = 0 if left[0] is not None and left[0] >= 0 else 1 - right[0]
            above = 0 if left[1] is not None and left[1] <= 0 else right[0] - 1
            return below, above
        case IntegerOperator.AND if right[0] is not None and right[0] == right[1] and right[0] >= 0:
            return 0, right[0]
    return TOP


def _plus(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _minus(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first - second


def refine(
    condition: Expr, truth: bool, bounds: Bounds, types: Mapping[str, Type], depth: int = DEEPEST
) -> Bounds | None:
    """Return the bounds where a condition can be true (or false); None where it cannot."""
    todo, left = [(condition, truth)], bounds
    while todo:
        part, wanted = todo.pop()
        match part:
            case Const(value) if isinstance(value, int):
                if bool(value) is not wanted:
                    return None
            case Not(operand):
                todo.append((operand, not wanted))
            case Binary(Operator.AND | Operator.OR as operator, one, other):
                if (operator is Operator.AND) is wanted:
                    todo += [(one, wanted), (other, wanted)]
                elif depth:
                    ways = [refine(way, wanted, left, types, depth - 1) for way in (one, other)]
                    joined = _either(*ways)
                    if joined is None:
                        return None
                    left = joined
            case Var(_, False):
                narrowed = _narrow(part, (int(wanted), int(wanted)), left, types)
                if narrowed is None:
                    return None
                left = narrowed
            case Compare(comparison, one, other):
                compared = _compare(comparison if wanted else _NEGATED[comparison], one, other, left, types)
                if compared is None:
                    return None
                left = compared
    return left


def _either(first: Bounds | None, second: Bounds | None) -> Bounds | None:
    if first is None or second is None:
        return second if first is None else first
    return {name: hull(first[name], second[name]) for name in first.keys() & second.keys()}


def _compare(
    comparison: Comparison, left: Expr, right: Expr, bounds: Bounds, types: Mapping[str, Type]
) -> Bounds | None:
    if comparison in (Comparison.GREATER, Comparison.AT_LEAST):
        turned = Comparison.LESS if comparison is Comparison.GREATER else Comparison.AT_MOST
        return _compare(turned, right, left, bounds, types)
    one, other = interval_of(left, bounds, types), interval_of(right, bounds, types)
    match comparison:
        case Comparison.EQUAL:
            limits: tuple[Interval, Interval] = other, one
        case Comparison.DIFFERENT:
            limits = _without(one, other), _without(other, one)
        case _:
            gap = int(comparison is Comparison.LESS)
            limits = (None, _minus(other[1], gap)), (_plus(one[0], gap), None)
    if meet(one, limits[0]) is None or meet(other, limits[1]) is None:
        return None
    narrowed = _narrow(left, limits[0], bounds, types)
    return None if narrowed is None else _narrow(right, limits[1], narrowed, types)


def _without(value: Interval, other: Interval) -> Interval:
    """Return bounds of what differs from the other, where that is one number at an end."""
    if other[0] is None or other[0] != other[1]:
        return TOP
    low = other[0] + 1 if value[0] == other[0] else None
    high = other[0] - 1 if value[1] == other[0] else None
    return low, high


def _narrow(expr: Expr, limits: Interval, bounds: Bounds, types: Mapping[str, Type]) -> Bounds | None:
    """Return the bounds where a variable, converted or not, lies within limits; None where it cannot."""
    while isinstance(expr, Convert) and isinstance(expr.operand, Var | Convert):
        inner = types.get(expr.operand.name) if isinstance(expr.operand, Var) else expr.operand.type
        if not holds_all(expr.type, inner):
            return bounds
        expr = expr.operand
    if not isinstance(expr, Var) or expr.primed or limits == TOP:
        return bounds
    own = range_of(types.get(expr.name))
    if own == TOP and not isinstance(types.get(expr.name), Int):
        return bounds
    narrowed = meet(bounds.get(expr.name) or own, limits)
    return None if narrowed is None else {**bounds, expr.name: narrowed}
