"""Linear comparisons as intervals: a sum of terms, and between which numbers it is.

`x < y + 2 && x > y` says that `x - y` is between 1 and 1.  Sums that differ by a factor are one sum, so intervals of it
can be met; types of variables say between which numbers a sum is in any case.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from knaster.base.records import dataclass
from knaster.program.expression import (
    Arithmetic,
    Compare,
    Comparison,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Var,
)
from knaster.program.model import old
from knaster.program.types import INTEGER, Array, Bool, Int, Type
from knaster.smt.read_back import Sum, comparison, expression

Terms = tuple[tuple[Expr, int], ...]  # each with its factor; the first one is positive, and they have no divisor


@dataclass(frozen=True, slots=True)
class Between:
    """That a sum of terms is at least `low` and at most `high`, where they are given."""

    terms: Terms
    low: int | None
    high: int | None

    def expressions(self) -> list[Expr]:
        """Return it as comparisons, all of which hold."""
        if (said := _about_divisibility(self)) is not None:
            return [said]
        if self.low is not None and self.low == self.high:
            return [_write(Comparison.EQUAL, self.terms, self.low)]
        found = [] if self.low is None else [_write(Comparison.AT_LEAST, self.terms, self.low)]
        return found if self.high is None else [*found, _write(Comparison.AT_MOST, self.terms, self.high)]

    def is_inside(self, other: Between) -> bool:
        """Tell whether this says at least as much of the same sum."""
        return self.terms == other.terms and (
            (other.low is None or (self.low is not None and self.low >= other.low))
            and (other.high is None or (self.high is not None and self.high <= other.high))
        )

    def is_apart(self, other: Between) -> bool:
        """Tell whether this and another interval of the same sum have nothing in common."""
        if self.terms != other.terms:
            return False
        return _is_below(self, other) or _is_below(other, self)

    def with_numbers(self, numbers: Mapping[Expr, int | None]) -> Between | bool:
        """Return what is left where some terms are numbers; whether it is true where nothing is left."""
        total: Sum = dict(self.terms)
        for term, factor in self.terms:
            if (number := numbers.get(term)) is not None:
                del total[term]
                total[None] = total.get(None, 0) + factor * number
        return self if len(total) == len(self.terms) and None not in total else make_between(total, self.low, self.high)

    def minus(self, other: Between) -> Between | bool:
        """Return an equation less another one, times what takes their first common term away."""
        mine, its = dict(self.terms), dict(other.terms)
        shared = next((term for term in mine if term in its), None)
        if shared is None or mine[shared] % its[shared] or self.low is None or other.low is None:
            return self
        times = mine[shared] // its[shared]
        total = _combine(dict(self.terms), dict(other.terms), -times)
        assert total is not None
        bound = self.low - times * other.low
        return make_between(total, bound, bound)

    def covers_with(self, other: Between) -> bool:
        """Tell whether each number is in this interval or in another one of the same sum."""
        if self.terms != other.terms:
            return False
        low, high = (self, other) if self.low is None else (other, self)
        return (
            low.low is None and high.high is None and (low.high is None or high.low is None or high.low <= low.high + 1)
        )

    def meet(self, other: Between) -> Between:
        """Return what both say of the same sum."""
        low = max((one for one in (self.low, other.low) if one is not None), default=None)
        high = min((one for one in (self.high, other.high) if one is not None), default=None)
        return Between(self.terms, low, high)


def _about_divisibility(found: Between) -> Expr | None:
    """Return what an interval of a remainder from 0 on says of divisibility; None where it says something else."""
    if len(found.terms) != 1 or (parts := natural_remainder(found.terms[0][0])) is None:
        return None
    dividend, by = parts
    low, high = max(found.low or 0, 0), by - 1 if found.high is None else min(found.high, by - 1)
    if low == high:
        return _divides(Comparison.EQUAL, dividend, by, low)
    if (low, high) == (1, by - 1):
        return _divides(Comparison.DIFFERENT, dividend, by, 0)
    return None


def _divides(operator: Comparison, dividend: Expr, by: int, rest: int) -> Expr:
    """Return whether a number and another one leave the same remainder."""
    total: Sum = {}
    for term, factor in (sum_of(dividend, None) or {dividend: 1}).items():
        total[term] = factor % by
    if len(total) == 1 and total.get(next(iter(total))) == by - 1:
        total = {term: 1 for term in total}  # of a number and of its opposite
        rest = -rest
    total[None] = (total.get(None, 0) - rest) % by
    written = expression({term if term is None else Convert(term, INTEGER): each for term, each in total.items()})
    remainder = Arithmetic(IntegerOperator.REMAINDER, written, Const(by), INTEGER)
    return Compare(operator, remainder, Const(0))


def natural_remainder(expr: Expr) -> tuple[Expr, int] | None:
    """Return dividend and divisor of a remainder from 0 on, as C has it: `(n % 2 + 2) % 2`; None if it is none."""
    match expr:
        case Arithmetic(
            IntegerOperator.REMAINDER,
            Arithmetic(
                IntegerOperator.ADD,
                Arithmetic(IntegerOperator.REMAINDER, dividend, Const(int(one)), _),
                Const(int(two)),
                _,
            ),
            Const(int(by)),
            Int(None),
        ) if one == two == by > 0:
            return dividend, by
        case _:
            return None


def _quotient(expr: Expr) -> tuple[Expr, Expr, int] | None:
    """Return dividend, its remainder from 0 on, and divisor of a quotient that is rounded down; None if it is none."""
    match expr:
        case Arithmetic(
            IntegerOperator.DIVIDE, Arithmetic(IntegerOperator.SUBTRACT, dividend, rest, _), Const(int(by)), Int(None)
        ) if natural_remainder(rest) == (dividend, by):
            return dividend, rest, by
        case _:
            return None


def _is_below(one: Between, other: Between) -> bool:
    return one.high is not None and other.low is not None and one.high < other.low


def _write(operator: Comparison, terms: Terms, bound: int) -> Expr:
    """Return a sum compared with a number, what is subtracted on the other side."""
    if operator is Comparison.EQUAL and bound == 0 and len(terms) == 2:
        (one, plus), (other, minus) = terms
        if isinstance(one, Var) and isinstance(other, Var) and other.name == old(one.name) and plus == -minus:
            return Compare(operator, one, other)  # it keeps its value, whatever its type is
    sums: Sum = {Convert(term, INTEGER): factor for term, factor in terms}
    found = comparison(operator, sums, {None: bound})
    match found:  # `a > b + 3` rather than `a >= b + 4`
        case Compare(Comparison.AT_LEAST, left, Arithmetic(IntegerOperator.ADD, right, Const(int(more)), type)):
            return Compare(Comparison.GREATER, left, Arithmetic(IntegerOperator.ADD, right, Const(more - 1), type))
        case Compare(Comparison.AT_MOST, Arithmetic(IntegerOperator.ADD, left, Const(int(more)), type), right):
            return Compare(Comparison.LESS, Arithmetic(IntegerOperator.ADD, left, Const(more - 1), type), right)
    return found


def read_between(expr: Compare, sign: bool, types: Mapping[str, Type]) -> Between | bool | None:
    """Return a comparison, or its negation, as an interval; whether it is true; None where it is none."""
    left, right = sum_of(expr.left, types), sum_of(expr.right, types)
    operator = expr.operator
    if left is None or right is None or operator is (Comparison.DIFFERENT if sign else Comparison.EQUAL):
        return None
    total = dict(left)
    for term, factor in right.items():
        total[term] = total.get(term, 0) - factor
    return make_between(total, *_limits(operator, sign, 0))


def make_between(total: Sum, low: int | None, high: int | None) -> Between | bool:
    """Return that a sum, with a number in it, is between others; whether that is so where it has no terms."""
    offset = total.get(None, 0)
    low, high = None if low is None else low - offset, None if high is None else high - offset
    terms = sorted(((term, factor) for term, factor in total.items() if term is not None and factor), key=_order)
    if not terms:
        return (low is None or low <= 0) and (high is None or high >= 0)
    shared = gcd(*(factor for _, factor in terms))
    if terms[0][1] < 0:
        shared, low, high = -shared, None if high is None else -high, None if low is None else -low
    low = None if low is None else -(-low // abs(shared))
    high = None if high is None else high // abs(shared)
    found = Between(tuple((term, factor // shared) for term, factor in terms), low, high)
    return False if low is not None and high is not None and low > high else found


def _limits(operator: Comparison, sign: bool, bound: int) -> tuple[int | None, int | None]:
    """Return between which numbers a sum is that is compared with a bound; not so where `sign` is false."""
    match operator, sign:
        case (Comparison.EQUAL, _) | (Comparison.DIFFERENT, _):
            return bound, bound
        case (Comparison.LESS, True) | (Comparison.AT_LEAST, False):
            return None, bound - 1
        case (Comparison.AT_MOST, True) | (Comparison.GREATER, False):
            return None, bound
        case (Comparison.GREATER, True) | (Comparison.AT_MOST, False):
            return bound + 1, None
        case _:
            return bound, None


def _order(entry: tuple[Expr, int]) -> tuple[int, str]:
    """Return where a term stands in a sum: a result first, values at the entry last."""
    term = entry[0]
    name = term.name if isinstance(term, Var) else str(term)
    return (0 if name.startswith("@") else 2 if name.startswith("\\old") else 1), name


def sum_of(expr: Expr, types: Mapping[str, Type] | None) -> Sum | None:
    """Return an integer expression as a sum of terms, as far as it is one of mathematical integers; None if none.

    Without types all variables are taken for numbers.
    """
    match expr:
        case Const(int(value)) if not isinstance(value, bool):
            return {None: value}
        case Convert(operand, Int(None)):
            return sum_of(operand, types)
        case Arithmetic(IntegerOperator.ADD | IntegerOperator.SUBTRACT as operator, left, right, Int(None)):
            sign = 1 if operator is IntegerOperator.ADD else -1
            return _combine(sum_of(left, types), sum_of(right, types), sign)
        case Arithmetic(IntegerOperator.MULTIPLY, left, right, Int(None)):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Const) and isinstance(one.value, int):
                    return _combine({}, _multiple(other, one.value, types), 1)
            return {expr: 1}
        case Arithmetic():
            return {expr: 1}
        case Var() | Element():
            return {expr: 1} if types is None or isinstance(_type_of(expr, types), Int) else None
        case _:
            return None


def _multiple(expr: Expr, factor: int, types: Mapping[str, Type] | None) -> Sum | None:
    """Return a multiple of an expression; of a quotient by a divisor of the factor it is that of what is divided."""
    if (parts := _quotient(expr)) is not None and factor % parts[2] == 0:
        dividend, rest, by = parts
        return _combine({}, _combine(sum_of(dividend, types), {rest: 1}, -1), factor // by)
    return _combine({}, sum_of(expr, types), factor)


def _combine(left: Sum | None, right: Sum | None, factor: int) -> Sum | None:
    if left is None or right is None:
        return None
    found = dict(left)
    for term, own in right.items():
        found[term] = found.get(term, 0) + factor * own
    return found


def _type_of(expr: Expr, types: Mapping[str, Type]) -> Type | None:
    match expr:
        case Var(name):
            return types.get(name)
        case Element(array, _):
            known = _type_of(array, types)
            return known.element if isinstance(known, Array) else None
        case Arithmetic(_, _, _, type):
            return type
        case _:
            return None


def range_of(terms: Terms, types: Mapping[str, Type]) -> Between:
    """Return between which numbers types let a sum be."""
    low: int | None = 0
    high: int | None = 0
    for term, factor in terms:
        rest = natural_remainder(term)
        ends = _ends(_type_of(term, types)) if rest is None else (0, rest[1] - 1)
        less, more = ends if factor > 0 else (ends[1], ends[0])
        low = None if low is None or less is None else low + factor * less
        high = None if high is None or more is None else high + factor * more
    return Between(terms, low, high)


def _ends(type: Type | None) -> tuple[int | None, int | None]:
    match type:
        case Int():
            return type.low, type.high
        case Bool():
            return 0, 1
        case _:
            return None, None
