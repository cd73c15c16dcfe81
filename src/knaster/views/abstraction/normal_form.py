"""Brings comparisons that mean the same, or the opposite, into one form.

Over the integers `x - 1 < y`, `!(x > y)` and `-y <= -x` are one comparison or its negation.  Comparisons of machine
integers are left alone where their operands may wrap.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import gcd

from knaster.program.algebra import OPPOSITE, rebuilt
from knaster.program.expression import (
    NOWHERE,
    TRUE,
    Arithmetic,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Updated,
    Var,
    operands,
    postorder,
    variables,
)
from knaster.program.types import INTEGER, Int

_SUMS = (IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY)
_Linear = tuple[dict[Expr, int], int]  # coefficients, and what is added


@lru_cache(maxsize=100_000)
def normal_form(expr: Expr) -> tuple[Expr, bool]:
    """Return a comparison in its normal form, and whether it means the same: if not, it means the opposite.

    What is always true is `TRUE`, what never is is `TRUE` with the opposite meaning.
    """
    positive = True
    while isinstance(expr, Not):
        expr, positive = expr.operand, not positive
    match expr:
        case Const(value):
            return TRUE, bool(value) == positive
        case Compare(operator, left, right):
            found = _linear_normal(operator, left, right)
            if found is None:
                plain = operator in (Comparison.EQUAL, Comparison.LESS, Comparison.GREATER)
                found = (expr, True) if plain else (Compare(OPPOSITE[operator], left, right), False)
            return found[0], found[1] == positive
        case _:
            return expr, positive


def equation(terms: list[tuple[Expr, int]], value: int) -> Expr:
    """Return that a sum of terms, each with its factor, has a value, in the normal form."""
    ordered = sorted(terms, key=lambda entry: repr(entry[0]))
    sign = -1 if ordered and ordered[0][1] < 0 else 1
    return _spell([(term, sign * factor) for term, factor in ordered], sign * value, True)


def solve_for(expr: Expr, name: str) -> Expr | None:
    """Return what a variable is where an equation holds; None where the expression does not say that."""
    match expr:
        case Compare(Comparison.EQUAL, left, right):
            one, other = _linear(left), _linear(right)
        case _:
            return None
    if one is None or other is None:
        return None
    terms, constant = _combine(IntegerOperator.SUBTRACT, one, other)
    factor = terms.pop(Var(name), 0)
    if abs(factor) != 1 or any(name in variables(term) for term in terms):
        return None
    left_over = sorted(((term, -factor * each) for term, each in terms.items() if each), key=lambda one: repr(one[0]))
    return _sum([*left_over], -factor * constant)


def growth(predicate: Expr, before: Expr) -> list[Expr]:
    """Return whether what a comparison is about does not shrink, and whether it grows, on a way with a precondition.

    Where it does not shrink, a lower bound that held once holds again; that it could wrap is left out of account.
    """
    match predicate, before:
        case Compare(one, left, right), Compare(other, earlier, later) if one is other:
            sides = [_linear(_without_wrapping(side)) for side in (earlier, later, left, right)]
        case _:
            return []
    if any(side is None for side in sides):
        return []
    known = [side for side in sides if side is not None]
    change = _combine(IntegerOperator.SUBTRACT, known[0], known[1])
    change = _combine(IntegerOperator.SUBTRACT, change, _combine(IntegerOperator.SUBTRACT, known[2], known[3]))
    terms = [(term, factor) for term, factor in change[0].items() if factor]
    if not terms:
        return []
    step = _sum(sorted(terms, key=lambda entry: repr(entry[0])), change[1])
    return [normal_form(Compare(Comparison.GREATER, step, Const(bound)))[0] for bound in (-1, 0)]


def _without_wrapping(expr: Expr) -> Expr:
    """Return an expression whose sums and products are those of unbounded integers."""
    stack: list[Expr] = []
    for node in postorder(expr):
        count = len(operands(node))
        parts = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        match node:
            case Arithmetic(operator) if operator in _SUMS:
                stack.append(Arithmetic(operator, parts[0], parts[1], INTEGER, NOWHERE))
            case Convert(_, Int()) if not isinstance(parts[0], Compare | Not):
                stack.append(parts[0])
            case _:
                stack.append(rebuilt(node, parts) if count else node)
    return stack.pop()


def _linear_normal(operator: Comparison, left: Expr, right: Expr) -> tuple[Expr, bool] | None:
    """Return `sum > k` or `sum == k` whose first coefficient is positive, and whether it means the same."""
    one, other = _linear(left), _linear(right)
    if one is None or other is None:
        return None
    terms, constant = one[0], one[1] - other[1]
    for term, factor in other[0].items():
        terms[term] = terms.get(term, 0) - factor
    terms = {term: factor for term, factor in terms.items() if factor}
    positive = operator not in (Comparison.DIFFERENT, Comparison.AT_MOST, Comparison.AT_LEAST)
    if operator in (Comparison.LESS, Comparison.AT_LEAST):  # left < right is -left + right > 0
        terms, constant = {term: -factor for term, factor in terms.items()}, -constant
    equal = operator in (Comparison.EQUAL, Comparison.DIFFERENT)
    if not terms:
        return TRUE, (constant == 0 if equal else constant > 0) == positive
    ordered = sorted(terms.items(), key=lambda entry: repr(entry[0]))
    divisor = gcd(*terms.values())
    if ordered[0][1] < 0:
        ordered, constant = [(term, -factor) for term, factor in ordered], -constant
        if not equal:  # -e > 0 is !(e > -1)
            constant, positive = constant + 1, not positive
    if equal and constant % divisor:
        return TRUE, not positive
    bound = -constant // divisor  # sum + constant > 0 is sum > -constant
    return _spell([(term, factor // divisor) for term, factor in ordered], bound, equal), positive


def _linear(expr: Expr) -> _Linear | None:
    """Return an integer as a sum; what is not linear is a term of its own.  None where an operator may wrap."""
    stack: list[_Linear] = []
    for node in _summands(expr):
        match node:
            case Const(value) if isinstance(value, int):
                stack.append(({}, int(value)))
            case Arithmetic(operator) if _is_linear(node):
                right, left = stack.pop(), stack.pop()
                stack.append(_combine(operator, left, right))
            case _:
                if _may_wrap(node):
                    return None
                stack.append(({node: 1}, 0))
    return stack.pop()


def _is_linear(node: Expr) -> bool:
    """Tell whether a node is a sum, a difference or a multiple of unbounded integers."""
    if not isinstance(node, Arithmetic) or node.type.width is not None:
        return False
    if node.operator is IntegerOperator.MULTIPLY:
        return isinstance(node.left, Const) or isinstance(node.right, Const)
    return node.operator in (IntegerOperator.ADD, IntegerOperator.SUBTRACT)


def _summands(expr: Expr) -> Iterable[Expr]:
    """Yield the terms of a sum, and the operators that join them behind their operands."""
    stack: list[tuple[Expr, bool]] = [(expr, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded or not _is_linear(node):
            yield node
            continue
        assert isinstance(node, Arithmetic)
        stack += [(node, True), (node.right, False), (node.left, False)]


def _may_wrap(node: Expr) -> bool:
    return isinstance(node, Arithmetic | Convert | Conditional | Element | Choice | Updated) and not (
        isinstance(node, Arithmetic) and node.type.width is None
    )


def _combine(operator: IntegerOperator, left: _Linear, right: _Linear) -> _Linear:
    if operator is IntegerOperator.MULTIPLY:
        if left[0]:
            left, right = right, left
        return {term: factor * left[1] for term, factor in right[0].items()}, left[1] * right[1]
    sign = 1 if operator is IntegerOperator.ADD else -1
    terms = dict(left[0])
    for term, factor in right[0].items():
        terms[term] = terms.get(term, 0) + sign * factor
    return terms, left[1] + sign * right[1]


def _spell(terms: list[tuple[Expr, int]], bound: int, equal: bool) -> Expr:
    """Return `positive terms > negative terms + bound` (or `==`)."""
    left = _sum([(term, factor) for term, factor in terms if factor > 0], 0)
    right = _sum([(term, -factor) for term, factor in terms if factor < 0], bound)
    if not equal and bound == -1 and isinstance(right, Const):
        return Compare(Comparison.AT_LEAST, left, Const(0))
    return Compare(Comparison.EQUAL if equal else Comparison.GREATER, left, right)


def _sum(terms: list[tuple[Expr, int]], constant: int) -> Expr:
    found: Expr | None = None
    for term, factor in terms:
        part = term if factor == 1 else Arithmetic(IntegerOperator.MULTIPLY, Const(factor), term, INTEGER, NOWHERE)
        found = part if found is None else Arithmetic(IntegerOperator.ADD, found, part, INTEGER, NOWHERE)
    if found is None:
        return Const(constant)
    if constant == 0:
        return found
    operator = IntegerOperator.ADD if constant > 0 else IntegerOperator.SUBTRACT
    return Arithmetic(operator, found, Const(abs(constant)), INTEGER, NOWHERE)
