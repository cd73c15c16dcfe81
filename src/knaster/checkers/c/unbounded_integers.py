"""Integers as integers of a solver: a machine integer wraps where its bounds do not exclude it.

Masks and shifts by constants are remainders, products and quotients; of other operators on bits only bounds are known,
and the answer is not exact then.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.checkers.c.terms import Sides, Term, Unsuitable, bounds_of, fits, is_within
from knaster.program.evaluate import WIDEST
from knaster.program.expression import Comparison, IntegerOperator
from knaster.program.memory import FloatTerm
from knaster.program.types import INTEGER, Array, Bool, Int, Type
from knaster.smt.door import Door, Formula, Sort

_PLAIN = {IntegerOperator.ADD: "+", IntegerOperator.SUBTRACT: "-", IntegerOperator.MULTIPLY: "*"}
_ORDERS = {
    Comparison.LESS: ("<", False),
    Comparison.AT_MOST: ("<=", False),
    Comparison.GREATER: ("<", True),
    Comparison.AT_LEAST: ("<=", True),
}
_MOST_RUNS = 8  # of ones in a mask


class UnboundedIntegers:
    """Integers of a solver."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self._invented = 0

    def sort(self, type: Type) -> Sort:
        """Return the sort of a type, or raise `Unsuitable`."""
        match type:
            case Bool():
                return "Bool"
            case Int():
                return "Int"
            case Array(element):
                return ("Array", "Int", self.sort(element))
            case _:
                raise Unsuitable(f"{type} has no integers")

    def number(self, value: int) -> Term:
        """Return a constant."""
        return Term(self.door.integer(value), INTEGER, value, value)

    def limit(self, term: Term) -> list[Formula]:
        """Return the bounds of the type of an integer."""
        if not isinstance(term.type, Int) or term.type.low is None or term.type.high is None:
            return []
        low, high = self.door.integer(term.type.low), self.door.integer(term.type.high)
        return [self.door.term("<=", low, term.value), self.door.term("<=", term.value, high)]

    def fit(self, term: Term, type: Int) -> Term:
        """Return an integer, wrapped into a type: as it is, once around, or by a remainder."""
        if type.width is None or type.low is None or type.high is None or fits(term, type):
            return Term(term.value, type, term.low, term.high)
        if term.constant is not None:
            value = type.wrap(term.constant)
            return Term(self.door.integer(value), type, value, value)
        size, value = 1 << type.width, term.value
        # mutant(<, >, -, +): the remainder is right in any case, and longer
        if term.low is None or term.high is None or term.low < type.low - size or term.high > type.high + size:
            base = self.door.integer(type.low)
            around = self.door.term("mod", self.door.term("-", value, base), self.door.integer(size))
            return Term(self.door.term("+", around, base), type, type.low, type.high)
        if term.low < type.low:  # mutant(<): where they are equal nothing is below
            below = self.door.term("<", value, self.door.integer(type.low))
            value = self.door.term("ite", below, self.door.term("+", value, self.door.integer(size)), value)
        if term.high > type.high:  # mutant(>): where they are equal nothing is above
            above = self.door.term("<", self.door.integer(type.high), value)
            value = self.door.term("ite", above, self.door.term("-", value, self.door.integer(size)), value)
        return Term(value, type, type.low, type.high)

    def from_truth(self, truth: Formula, type: Int) -> Term:
        """Return 1 or 0."""
        one = Term(self.door.term("ite", truth, self.door.integer(1), self.door.integer(0)), INTEGER, 0, 1)
        return self.fit(one, type)

    def compute(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result of an operator wrapped into a type; where it has none, 0."""
        low, high = bounds_of(operator, left, right)
        if operator in _PLAIN:
            value = self.door.term(_PLAIN[operator], left.value, right.value)
        elif operator in (IntegerOperator.DIVIDE, IntegerOperator.REMAINDER):
            value = self._divide(operator, left, right, sides)
        elif operator in (IntegerOperator.LEFT, IntegerOperator.RIGHT):
            return self._shift(operator, left, right, type, sides)
        else:
            return self._bitwise(operator, left, right, type, sides)
        return self.fit(Term(value, INTEGER, low, high), type)

    def _divide(self, operator: IntegerOperator, left: Term, right: Term, sides: Sides) -> Formula:
        """Return a quotient that is truncated towards zero, or its remainder.

        SMT-LIB's quotient by a positive number is rounded down.
        """
        a, b, zero, term = left.value, right.value, self.door.integer(0), self.door.term
        nothing = None
        if not (right.low is not None and right.low > 0) and not (right.high is not None and right.high < 0):
            nothing = term("=", b, zero)
            sides.defined.append(term("not", nothing))
        # mutant(>=): the sizes of natural numbers are the numbers
        natural, positive = left.low is not None and left.low >= 0, right.low is not None and right.low >= 0
        if operator is IntegerOperator.REMAINDER and natural and positive:
            value = term("mod", a, b)
        else:
            size_a = a if natural else term("ite", term("<", a, zero), term("-", zero, a), a)
            size_b = b if positive else term("ite", term("<", b, zero), term("-", zero, b), b)
            size = term("div", size_a, size_b)
            if natural and positive:
                value = size
            else:
                negative = term("xor", term("<", a, zero), term("<", b, zero))
                value = term("ite", negative, term("-", zero, size), size)
            if operator is IntegerOperator.REMAINDER:
                value = term("-", a, term("*", b, value))
        return value if nothing is None else term("ite", nothing, zero, value)

    def _shift(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        far = type.width or WIDEST
        if not is_within(right.low, right.high, 0, far - 1):
            zero, end = self.door.integer(0), self.door.integer(far)
            inside = [self.door.term("<=", zero, right.value), self.door.term("<", right.value, end)]
            sides.defined.append(self.door.term("and", *inside))
        by = right.constant
        if by is None:
            return self._any(left, right, type, sides)
        if not 0 <= by < far:
            return self.fit(self.number(0), type)
        factor = self.door.integer(1 << by)
        low, high = bounds_of(operator, left, right)
        name = "*" if operator is IntegerOperator.LEFT else "div"
        return self.fit(Term(self.door.term(name, left.value, factor), INTEGER, low, high), type)

    def _bitwise(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result where one operand is a constant with few runs of ones; else any value."""
        low, high = bounds_of(operator, left, right)
        for one, other in ((left, right), (right, left)):
            both = None if other.constant is None else self._mask(one, other.constant)
            if both is None:
                continue
            if operator is IntegerOperator.AND:
                value = both
                if other.constant is not None and other.constant >= 0:
                    low, high = 0, other.constant
            else:
                twice = both if operator is IntegerOperator.OR else self.door.term("*", self.door.integer(2), both)
                value = self.door.term("-", self.door.term("+", one.value, other.value), twice)
            return self.fit(Term(value, INTEGER, low, high), type)
        return self._any(left, right, type, sides, operator)

    def _mask(self, term: Term, mask: int) -> Formula | None:
        """Return the bits of a term that a constant has too: for each run of ones, the remainder of a quotient."""
        if mask < 0:
            rest = self._mask(term, -1 - mask)
            return None if rest is None else self.door.term("-", term.value, rest)
        found, position, runs = self.door.integer(0), 0, 0
        while mask >> position:
            while not mask >> position & 1:
                position += 1
            length = 0
            while mask >> position + length & 1:
                length += 1
            runs += 1
            if runs > _MOST_RUNS:
                return None
            unit = self.door.integer(1 << position)
            moved = self.door.term("div", term.value, unit) if position else term.value
            part = self.door.term("mod", moved, self.door.integer(1 << length))
            part = self.door.term("*", part, unit) if position else part
            found = part if runs == 1 else self.door.term("+", found, part)
            position += length
        return found

    def _any(self, left: Term, right: Term, type: Int, sides: Sides, operator: IntegerOperator | None = None) -> Term:
        """Return any value of a type, with what is known of bits of natural numbers."""
        if type.width is None:
            raise Unsuitable("bits of mathematical integers are not known")
        self._invented += 1
        found = Term(self.door.variable(f"any!{self._invented}", "Int"), type, type.low, type.high)
        sides.exact = False
        sides.facts += self.limit(found)
        if operator is None or not fits(left, type) or not fits(right, type):
            return found
        zero, a, b, c, term = self.door.integer(0), left.value, right.value, found.value, self.door.term
        natural = [term("<=", zero, a), term("<=", zero, b)]
        if operator is IntegerOperator.AND:
            for one, is_natural in zip((a, b), natural, strict=True):
                sides.facts.append(term("=>", is_natural, term("and", term("<=", zero, c), term("<=", c, one))))
            return found
        least = [term("<=", a, c), term("<=", b, c)] if operator is IntegerOperator.OR else [term("<=", zero, c)]
        most = term("<=", c, term("+", a, b))
        sides.facts.append(term("=>", term("and", *natural), term("and", *least, most)))
        return found

    def compute_floats(self, term: FloatTerm, operands: Sequence[Term], sides: Sides) -> Term:
        """Refuse: floating-point numbers are bit-vectors."""
        raise Unsuitable(f"'{term.operator}' of floating-point numbers is nothing for integers")

    def meet(self, one: Term, other: Term) -> tuple[Term, Term]:
        """Return two values as they are."""
        return one, other

    def bits(self, term: Term, sides: Sides) -> Term:
        """Return a value as it is."""
        return term

    def compare(self, operator: Comparison, left: Term, right: Term) -> Formula:
        """Return a comparison of two integers."""
        if operator is Comparison.EQUAL:
            return self.door.term("=", left.value, right.value)
        if operator is Comparison.DIFFERENT:
            return self.door.term("not", self.door.term("=", left.value, right.value))
        name, swapped = _ORDERS[operator]
        return self.door.term(name, *((right.value, left.value) if swapped else (left.value, right.value)))

    def index(self, term: Term) -> Formula:
        """Return a natural number as an index."""
        return term.value
