"""When an expression over integers is undefined: the conditions, operands first, in the order in which C evaluates.

A condition reads only operands of which earlier conditions say that they are defined.  It is computed in a type that
holds every result, so that it never overflows itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.program.algebra import conjunction, disjunction
from knaster.program.checks.static_types import range_of, type_of
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Updated,
    operands,
)
from knaster.program.types import Array, Int

OVERFLOW, DIVISION, SHIFT, BOUNDS = "overflow", "division", "shift", "bounds"
KINDS = (DIVISION, SHIFT, BOUNDS, OVERFLOW)
MOST = 2_000  # nodes of an expression of which it is asked which operands are evaluated
_DIVISIONS = (IntegerOperator.DIVIDE, IntegerOperator.REMAINDER)
_SHIFTS = (IntegerOperator.LEFT, IntegerOperator.RIGHT)
_EXACT = (IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY)


class Fault(NamedTuple):
    """A way in which a step may be undefined: its kind, where it stands, and when it happens."""

    kind: str
    span: Span
    condition: Expr


class TooLarge(Exception):
    """An expression is too large, or has a shape of which nobody can tell when it is undefined."""


def faults_of(expr: Expr, types: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the ways in which an expression may be undefined, as far as types do not exclude them."""
    todo: list[tuple[Expr, tuple[Expr, ...], bool]] = [(expr, (), False)]
    count = 0
    while todo:
        node, under, done = todo.pop()
        if done:
            for kind, condition in own_faults(node, types):
                yield Fault(kind, getattr(node, "span", Span(0, 0)), conjunction((*under, condition)))
            continue
        count += 1
        if count > MOST:
            raise TooLarge
        todo.append((node, under, True))
        todo += reversed([(part, (*under, *when), False) for part, when in _parts(node)])


def _parts(node: Expr) -> list[tuple[Expr, tuple[Expr, ...]]]:
    """Return the operands of a node in the order of evaluation, each with the conditions under which it is."""
    match node:
        case Binary(Operator.AND, left, right):
            return [(left, ()), (right, (left,))]
        case Binary(Operator.OR, left, right):
            return [(left, ()), (right, (Not(left),))]
        case Conditional(condition, then, otherwise):
            return [(condition, ()), (then, (condition,)), (otherwise, (Not(condition),))]
    return [(part, ()) for part in operands(node)]


def own_faults(node: Expr, types: Mapping[str, Any]) -> Iterator[tuple[str, Expr]]:
    """Yield the ways in which the outermost operator of an expression may be undefined, and when it is."""
    match node:
        case Arithmetic(sign, _, right, type):
            if sign in _DIVISIONS and _may_be(range_of(right, types), 0):
                yield DIVISION, Compare(Comparison.EQUAL, right, Const(0))
            if sign in _SHIFTS and (far := _outside(right, range_of(right, types), 0, (type.width or 1 << 16) - 1)):
                yield SHIFT, far
            if type.signed and type.width is not None and (over := _overflow(node, types)):
                yield OVERFLOW, over
        case Element(array, index) | Updated(array, index, _):
            kind = type_of(array, types)
            if not isinstance(kind, Array):
                raise TooLarge
            if out := _outside(index, range_of(index, types), 0, kind.length - 1):
                yield BOUNDS, out


def _overflow(node: Arithmetic, types: Mapping[str, Any]) -> Expr | None:
    """Return that a signed operation has a result outside of its type; None where it never has."""
    sign, left, right, type = node.operator, node.left, node.right, node.type
    assert type.low is not None and type.high is not None and type.width is not None
    if sign in _EXACT:
        wide = Int(2 * type.width)
        exact = Arithmetic(sign, Convert(left, wide), Convert(right, wide), wide, node.span)
        return _outside(exact, range_of(exact, types), type.low, type.high)
    if sign in _DIVISIONS:
        if not (_may_be(range_of(left, types), type.low) and _may_be(range_of(right, types), -1)):
            return None
        least = Compare(Comparison.EQUAL, left, Const(type.low))
        return conjunction((least, Compare(Comparison.EQUAL, right, Const(-1))))
    if sign is not IntegerOperator.LEFT:
        return None
    parts = [Compare(Comparison.LESS, left, Const(0))] if _may_be_below(range_of(left, types), 0) else []
    if range_of(node, types, wrapped=False) is None:
        most = Arithmetic(IntegerOperator.RIGHT, Const(type.high), right, type, node.span)
        parts.append(Compare(Comparison.GREATER, left, most))
    return disjunction(parts) if parts else None


def _outside(expr: Expr, known: tuple[int, int] | None, low: int, high: int) -> Expr | None:
    """Return that a value is outside of bounds; None where it never is."""
    parts: list[Expr] = []
    if known is None or known[0] < low:
        parts.append(Compare(Comparison.LESS, expr, Const(low)))
    if known is None or known[1] > high:
        parts.append(Compare(Comparison.GREATER, expr, Const(high)))
    return disjunction(parts) if parts else None


def _may_be(known: tuple[int, int] | None, number: int) -> bool:
    return known is None or known[0] <= number <= known[1]


def _may_be_below(known: tuple[int, int] | None, number: int) -> bool:
    return known is None or known[0] < number
