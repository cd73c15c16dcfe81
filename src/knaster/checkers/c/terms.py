"""Values as terms of a solver: the term, its type, and bounds that the value never leaves.

R. E. Moore, Interval Analysis (1966): bounds say how many bits a result of mathematical integers needs, and where an
integer cannot wrap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from knaster.base.records import dataclass, field
from knaster.program.expression import Comparison, IntegerOperator
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import Int, Type
from knaster.smt.door import Door, Formula, Sort

Bound = int | None  # None: nobody knows


class Unsuitable(Exception):
    """An arithmetic has no term for an expression."""


@dataclass(frozen=True, slots=True)
class Term:
    """A value of a type; `real` where it is a floating-point number, and the type that of its bits."""

    value: Formula
    type: Type
    low: Bound = None
    high: Bound = None
    real: Floating | None = None

    @property
    def constant(self) -> Bound:
        """The only value of an integer, if there is only one."""
        return self.low if self.low is not None and self.low == self.high else None


@dataclass(slots=True)
class Sides:
    """What stands beside terms: where they have a value, what is true of variables that stand for what is not known.

    Without `exact` some variable may have more values than the expression.
    """

    defined: list[Formula] = field(default_factory=list)
    ranges: list[Formula] = field(default_factory=list)  # of variables that may have any value of their types
    facts: list[Formula] = field(default_factory=list)  # of elements, and of values that are not known exactly
    exact: bool = True


class Arithmetic(Protocol):
    """A way to say what integers are: bit-vectors or integers of the solver."""

    door: Door

    def sort(self, type: Type) -> Sort:
        """Return the sort of a type, or raise `Unsuitable`."""

    def number(self, value: int) -> Term:
        """Return a constant."""

    def fit(self, term: Term, type: Int) -> Term:
        """Return an integer, wrapped into a type."""

    def from_truth(self, truth: Formula, type: Int) -> Term:
        """Return 1 or 0."""

    def compute(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result of an operator wrapped into a type; where it has none, 0."""

    def compute_floats(self, term: FloatTerm, operands: Sequence[Term], sides: Sides) -> Term:
        """Return what an operation of floating-point numbers makes of their bits, or raise `Unsuitable`."""

    def meet(self, one: Term, other: Term) -> tuple[Term, Term]:
        """Return two values both as floating-point numbers where one of them is."""

    def bits(self, term: Term, sides: Sides) -> Term:
        """Return a value by its bits where it is a floating-point number."""

    def compare(self, operator: Comparison, left: Term, right: Term) -> Formula:
        """Return a comparison of two integers by their values."""

    def index(self, term: Term) -> Formula:
        """Return a natural number as an index."""

    def limit(self, term: Term) -> list[Formula]:
        """Return what the type says of the value of a variable."""


def bounds_of(operator: IntegerOperator, left: Term, right: Term) -> tuple[Bound, Bound]:
    """Return bounds of the mathematical result of an operator."""
    a, b, c, d = left.low, left.high, right.low, right.high
    match operator:
        case IntegerOperator.ADD:
            return _sum(a, c), _sum(b, d)
        case IntegerOperator.SUBTRACT:
            return _sum(a, _negate(d)), _sum(b, _negate(c))
        case IntegerOperator.MULTIPLY:
            if a is None or b is None or c is None or d is None:
                return None, None
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case IntegerOperator.DIVIDE:
            if a is None or b is None:
                return (0, None) if a is not None and a >= 0 and c is not None and c >= 0 else (None, None)
            most = max(abs(a), abs(b))
            return (0 if a >= 0 and c is not None and c >= 0 else -most), most
        case IntegerOperator.REMAINDER:
            sizes = [max(abs(a), abs(b))] if a is not None and b is not None else []
            sizes += [max(abs(c), abs(d), 1) - 1] if c is not None and d is not None else []
            low = 0 if a is not None and a >= 0 else None
            high = 0 if b is not None and b <= 0 else None
            if not sizes:
                return low, high
            return (-min(sizes) if low is None else low), (min(sizes) if high is None else high)
        case IntegerOperator.LEFT:
            far = right.constant
            if far is None or not 0 <= far <= 4096 or a is None or b is None:
                return None, None
            return min(a << far, 0), max(b << far, 0)
        case IntegerOperator.RIGHT:
            return (None, None) if a is None or b is None else (min(a, 0), max(b, 0))
        case _:  # bits: no more of them than both have, and one for the sign
            if a is None or b is None or c is None or d is None:
                return None, None
            bits = max(number.bit_length() for number in (a, b, c, d))
            return (0 if min(a, c) >= 0 else -(1 << bits)), (1 << bits) - 1


def join_bounds(one: Term, other: Term) -> tuple[Bound, Bound]:
    """Return bounds of a value that is one of two."""
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return low, high


def fits(term: Term, type: Int) -> bool:
    """Tell whether the bounds of an integer say that it is a value of a type."""
    if type.width is None:
        return True
    return term.low is not None and term.high is not None and type.holds(term.low) and type.holds(term.high)


def is_within(low: Bound, high: Bound, least: int, most: int) -> bool:
    """Tell whether bounds say that a value is one of `least` .. `most`."""
    return low is not None and high is not None and least <= low and high <= most


def _sum(one: Bound, other: Bound) -> Bound:
    return None if one is None or other is None else one + other


def _negate(bound: Bound) -> Bound:
    return None if bound is None else -bound
