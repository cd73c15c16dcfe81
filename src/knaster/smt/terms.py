"""Terms: a formula of z3 for the value of an expression, its type, and the bounds that are known of it.

What a term needs besides its value is kept in `Sides`: where it is defined, what is known of the variables that were
invented for it, which of them are inputs, and whether the term means exactly what the expression means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from knaster.base.records import dataclass, field
from knaster.program.expression import Choice, Comparison, IntegerOperator
from knaster.program.types import Int, Type, Value

Formula = Any  # an expression of z3
MOST_BITS = 4_096


class Unsuitable(Exception):
    """The expression has no translation of this kind: an unbounded integer as a bit-vector, a part of a heap."""


@dataclass(frozen=True, slots=True)
class Term:
    """A value: its formula, its type, and for integers bounds that it never leaves (None: unknown)."""

    value: Formula
    type: Type
    low: int | None = None
    high: int | None = None


@dataclass(slots=True)
class Sides:
    """What stands beside the terms that were translated together.

    `defined`: the run goes on only where these hold (no division by zero, no index out of range, no shift too far).
    `facts` are true of the invented variables: bounds of inputs and of values that are not known exactly.  `inputs` are
    the variables that stand for choices, in the order of evaluation; `invented` are the others.  Without `exact` the
    terms allow more values than the expressions.
    """

    defined: list[Formula] = field(default_factory=list)
    facts: list[Formula] = field(default_factory=list)
    inputs: list[tuple[Choice, Formula]] = field(default_factory=list)
    invented: list[Formula] = field(default_factory=list)
    overflows: list[Formula] = field(default_factory=list)  # where an operator that should wrap does not
    exact: bool = True

    @property
    def conditions(self) -> list[Formula]:
        """All that holds where the run goes on."""
        return [*self.defined, *self.facts]


class Numbers(Protocol):
    """A way to compute with integers; `Integers` and `Bits` are the two."""

    context: Any
    exact: bool  # False where the meaning of operators is changed, so that results are guesses

    def variable(self, name: str, type: Type) -> Term:
        """Return a variable of z3; of an integer as `Integers` has it the type's range is in `within`."""

    def within(self, term: Term) -> list[Formula]:
        """Return what is true of every value of the term's type, as far as the formula does not say so itself."""

    def constant(self, value: Value, type: Type | None = None) -> Term:
        """Return a constant; arrays need their type."""

    def arithmetic(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result of an operator in `type`."""

    def compare(self, operator: Comparison, left: Term, right: Term) -> Formula:
        """Return a comparison."""

    def convert(self, term: Term, type: Type) -> Term:
        """Return an integer or truth value as a value of another scalar type."""

    def index(self, term: Term) -> Formula:
        """Return an integer as an index of an array."""

    def number(self, formula: Formula, term: Term) -> int:
        """Return the integer that a constant formula stands for where it is a value of `term`."""


State = Mapping[str, Term]


def hull(terms: list[Term]) -> tuple[int | None, int | None]:
    """Return bounds that hold for each of several terms."""
    lows, highs = [term.low for term in terms], [term.high for term in terms]
    low = None if None in lows else min(value for value in lows if value is not None)
    high = None if None in highs else max(value for value in highs if value is not None)
    return low, high


def spread(operator: IntegerOperator, left: Term, right: Term) -> tuple[int | None, int | None]:
    """Return bounds of the result of an operator before it wraps."""
    a, b, c, d = left.low, left.high, right.low, right.high
    match operator:
        case IntegerOperator.ADD:
            return _sum(a, c), _sum(b, d)
        case IntegerOperator.SUBTRACT:
            return _sum(a, None if d is None else -d), _sum(b, None if c is None else -c)
        case IntegerOperator.MULTIPLY:
            if a is None or b is None or c is None or d is None:
                return (0, None) if (a or -1) >= 0 and (c or -1) >= 0 else (None, None)
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case IntegerOperator.DIVIDE:
            if a is not None and a >= 0 and c is not None and c >= 0:
                return 0, b
            most = _magnitude(a, b)
            return (None, None) if most is None else (-most, most)
        case IntegerOperator.REMAINDER:
            sizes = [size for size in (_magnitude(a, b), _magnitude(c, d, -1)) if size is not None]
            if not sizes:
                return (0 if a is not None and a >= 0 else None), None
            most = max(0, min(sizes))
            return (0 if a is not None and a >= 0 else -most), (0 if b is not None and b <= 0 else most)
        case _:
            return None, None


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _magnitude(low: int | None, high: int | None, plus: int = 0) -> int | None:
    return None if low is None or high is None else max(abs(low), abs(high)) + plus
