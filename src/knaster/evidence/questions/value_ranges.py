"""Bounds of the values of expressions, as far as types tell (R. E. Moore, Interval Analysis, 1966)."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.program.expression import (
    Arithmetic,
    Choice,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Updated,
    Var,
    operands,
    postorder,
)
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import BOOL, INTEGER, Array, Int, Type
from knaster.smt.terms import Term, hull, spread

_FAR = 128  # bits that a value is shifted


def ranges_of(expr: Expr, types: Mapping[str, Type]) -> dict[int, Term]:
    """Return the bounds of every node of an expression, as far as types tell."""
    found: dict[int, Term] = {}
    for node in postorder(expr):
        below = [found[id(operand)] for operand in operands(node)]
        found[id(node)] = _bound(node, below, types)
    return found


def _bound(node: Expr, below: list[Term], types: Mapping[str, Type]) -> Term:
    match node:
        case Const(int(value)):
            return Term(None, INTEGER, int(value), int(value))
        case Const(tuple(value)):
            return Term(None, Array(INTEGER, len(value)))
        case Var(name):
            return _any(types.get(name, BOOL))
        case Choice(type):
            return _any(type)
        case Conditional():
            return Term(None, below[1].type, *hull(below[1:]))
        case Arithmetic(operator, _, _, type):
            return _fit(result_bounds(operator, *below), type)
        case Convert(_, Int() as type):
            return _fit(below[0], type)
        case Element():
            return _any(below[0].type.element if isinstance(below[0].type, Array) else INTEGER)
        case Updated():
            return below[0]
        case FloatTerm(_, _, _, result):
            return _any(Int(result.width, False) if isinstance(result, Floating) else result)
        case _:
            return Term(None, BOOL, 0, 1)


def _any(type: Type) -> Term:
    return Term(None, type, type.low, type.high) if isinstance(type, Int) else Term(None, type)


def _fit(term: Term, type: Int) -> Term:
    """Return what is known of a value after it was wrapped into a type."""
    within = term.low is not None and term.high is not None and type.holds(term.low) and type.holds(term.high)
    return Term(None, type, term.low, term.high) if within else _any(type)


def result_bounds(operator: IntegerOperator, left: Term, right: Term) -> Term:
    """Return the bounds of a result in mathematical integers, where it is defined."""
    low, high = spread(operator, left, right)
    a, b, c, d = left.low, left.high, right.low, right.high
    match operator:
        case IntegerOperator.DIVIDE if a is not None and b is not None and c is not None and c >= 0:
            low, high = min(a, 0), max(b, 0)
        case IntegerOperator.AND:
            masks = [top for bottom, top in ((a, b), (c, d)) if bottom is not None and bottom >= 0 and top is not None]
            low, high = (0, min(masks)) if masks else (None, None)
        case IntegerOperator.LEFT if a is not None and b is not None and d is not None and 0 <= d <= _FAR:
            low, high = min(a, a << d), max(b, b << d)
        case IntegerOperator.RIGHT if a is not None and b is not None:
            low, high = min(a, 0), max(b, 0)
    return Term(None, INTEGER, low, high)
