"""Integers as bit-vectors: each is as wide as its type; a mathematical result is as wide as its bounds ask for.

A variable that may be any integer is no bit-vector: `Unsuitable`.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.checkers.c.floating_point import FloatingNumbers, FloatingPoint
from knaster.checkers.c.terms import Bound, Sides, Term, Unsuitable, bounds_of, fits, is_within
from knaster.program.evaluate import WIDEST
from knaster.program.expression import Comparison, IntegerOperator
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import Array, Bool, Int, Type
from knaster.smt.door import Door, Formula, Sort

INDEX = 64  # bits of an index
MOST_BITS = 4_096
_CONGRUENT = {  # the lowest bits of the result are those of the lowest bits of the operands
    IntegerOperator.ADD: "bvadd",
    IntegerOperator.SUBTRACT: "bvsub",
    IntegerOperator.MULTIPLY: "bvmul",
    IntegerOperator.AND: "bvand",
    IntegerOperator.OR: "bvor",
    IntegerOperator.XOR: "bvxor",
}
_DIVISIONS = {IntegerOperator.DIVIDE: ("bvudiv", "bvsdiv"), IntegerOperator.REMAINDER: ("bvurem", "bvsrem")}
_ORDERS = {  # the operator for unsigned numbers, for signed ones, and whether the operands change places
    Comparison.LESS: ("bvult", "bvslt", False),
    Comparison.AT_MOST: ("bvule", "bvsle", False),
    Comparison.GREATER: ("bvult", "bvslt", True),
    Comparison.AT_LEAST: ("bvule", "bvsle", True),
}


class BitVectors:
    """Bit-vectors of a solver; every term of an integer has a type with a width."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self._floats = self._make_floats()

    def _make_floats(self) -> FloatingPoint:
        return FloatingPoint(self.door)

    def sort(self, type: Type) -> Sort:
        """Return the sort of a type, or raise `Unsuitable`."""
        match type:
            case Bool():
                return "Bool"
            case Int(int(width)):
                return ("BitVec", width)
            case Array(element):
                return ("Array", ("BitVec", INDEX), self.sort(element))
            case _:
                raise Unsuitable(f"{type} has no bit-vectors")

    def number(self, value: int) -> Term:
        """Return a constant, as short as it can be."""
        return self._constant(value, _wide(value, value))

    def limit(self, term: Term) -> list[Formula]:
        """Return nothing: a bit-vector has the values of its type."""
        return []

    def fit(self, term: Term, type: Int) -> Term:
        """Return an integer, wrapped into a type."""
        if type.width is None:
            return term
        if term.constant is not None:
            return self._constant(type.wrap(term.constant), type)
        low, high = (term.low, term.high) if fits(term, type) else (type.low, type.high)
        return Term(self._resize(term, type.width), type, low, high)

    def from_truth(self, truth: Formula, type: Int) -> Term:
        """Return 1 or 0."""
        own = type if type.width is not None else Int(2)
        assert own.width is not None
        one, zero = self.door.bits(1, own.width), self.door.bits(0, own.width)
        low, high = (0, 1) if own.holds(1) else (-1, 0)  # one bit with a sign
        return Term(self.door.term("ite", truth, one, zero), own, low, high)

    def compute(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result of an operator wrapped into a type; where it has none, 0."""
        low, high = bounds_of(operator, left, right)
        if operator in (IntegerOperator.LEFT, IntegerOperator.RIGHT):
            return self._shift(operator, left, right, type, sides)
        if operator in _CONGRUENT:
            own = type if type.width is not None else self._enough(left, right, low, high)
            assert own.width is not None
            value = self.door.term(_CONGRUENT[operator], self._resize(left, own.width), self._resize(right, own.width))
            return self._bound_result(value, own, low, high)
        own = self._common(left, right, type)
        assert own.width is not None
        a, b = self._resize(left, own.width), self._resize(right, own.width)
        value = self.door.term(_DIVISIONS[operator][own.signed], a, b)
        if right.low is None or right.high is None or right.low <= 0 <= right.high:
            zero = self.door.term("=", b, self.door.bits(0, own.width))
            sides.defined.append(self.door.term("not", zero))
            value = self.door.term("ite", zero, self.door.bits(0, own.width), value)
        return self.fit(self._bound_result(value, own, low, high), type)

    def _shift(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        far = type.width or WIDEST
        is_right = operator is IntegerOperator.RIGHT
        low, high = bounds_of(operator, left, right)
        if type.width is None:
            if not is_right and right.constant is None:
                raise Unsuitable("a mathematical integer is shifted by an unknown number of bits")
            own = self._enough(left, left, low, high)
        else:
            own = self._common(left, left, type) if is_right else type
        assert own.width is not None
        inside = self._inside(right, far)
        distance = (
            self._resize(right, own.width) if right.constant is None else self.door.bits(right.constant, own.width)
        )
        # mutant(>=): a shift by the width itself leaves the sign too
        if right.constant is not None and right.constant >= own.width:  # so far that only the sign is left, or nothing
            # mutant(-): any distance that is as large leaves the sign
            distance = self.door.bits(own.width - 1, own.width)
        # mutant: what is clamped without need is clamped to where the sign is left, or is not inside
        elif right.constant is None and type.width is None and _signed_width(right.type) > own.width:
            wide = self.compare(Comparison.AT_LEAST, right, self.number(own.width))
            # mutant(-): any distance that is as large leaves the sign
            distance = self.door.term("ite", wide, self.door.bits(own.width - 1, own.width), distance)
        name = "bvshl" if not is_right else "bvashr" if own.signed else "bvlshr"
        value = self.door.term(name, self._resize(left, own.width), distance)
        if inside is not None:
            sides.defined.append(inside)
            value = self.door.term("ite", inside, value, self.door.bits(0, own.width))
        return self.fit(self._bound_result(value, own, low, high), type)

    def _inside(self, right: Term, far: int) -> Formula | None:
        """Return that a distance is one of 0 .. far - 1; None where its bounds say so."""
        if is_within(right.low, right.high, 0, far - 1):
            return None
        parts = [
            self.compare(Comparison.AT_LEAST, right, self.number(0)),
            self.compare(Comparison.LESS, right, self.number(far)),
        ]
        return self.door.term("and", *parts)

    def _bound_result(self, value: Formula, own: Int, low: Bound, high: Bound) -> Term:
        """Return a result of a type, with bounds where they are those of a value of it."""
        known = low is not None and high is not None and own.holds(low) and own.holds(high)
        return Term(value, own, low if known else own.low, high if known else own.high)

    def _enough(self, left: Term, right: Term, low: Bound, high: Bound) -> Int:
        """Return a type that has both operands and the result."""
        bounds = [left.low, left.high, right.low, right.high, low, high]
        numbers = [bound for bound in bounds if bound is not None]
        if len(numbers) < len(bounds):
            raise Unsuitable("a number may be any integer")
        found = _wide(min(numbers), max(numbers))
        assert found.width is not None
        if found.width > MOST_BITS:
            raise Unsuitable(f"a number has more than {MOST_BITS} bits")
        return found

    def _common(self, left: Term, right: Term, type: Int) -> Int:
        """Return a type in which a quotient can be computed: `type` where the operands have it or fit into it."""
        # mutant(or): a wider type has the same quotients
        if type.width is not None and all(term.type == type or fits(term, type) for term in (left, right)):
            return type
        return Int(1 + max(_signed_width(left.type), _signed_width(right.type)))

    def compute_floats(self, term: FloatTerm, operands: Sequence[Term], sides: Sides) -> Term:
        """Return what an operation of floating-point numbers makes of their bits."""
        return self._floats.value(term, [self._operand(operand, term.type) for operand in operands], sides)

    def _operand(self, operand: Term, type: Floating | Int) -> Formula:
        """Return an operand of an operation of floating-point numbers."""
        if operand.real is not None:
            return operand.value
        assert type.width is not None
        bits = self._resize(operand, type.width)
        return bits if isinstance(type, Int) else self._floats.read(bits, type)

    def meet(self, one: Term, other: Term) -> tuple[Term, Term]:
        """Return two values both as floating-point numbers where one of them is."""
        if (one.real is None) is (other.real is None):
            return one, other
        real = one.real or other.real
        assert real is not None
        number = one.type if one.real is not None else other.type
        first, second = (Term(self._operand(term, real), number, real=real) for term in (one, other))
        return first, second

    def bits(self, term: Term, sides: Sides) -> Term:
        """Return a value by its bits where it is a floating-point number."""
        return term if term.real is None else self._floats.keep(term.value, term.real, sides)

    def compare(self, operator: Comparison, left: Term, right: Term) -> Formula:
        """Return a comparison of two integers by their values."""
        own = left.type if left.type == right.type else None
        for one, other in ((left, right), (right, left)):
            # mutant(is): a wider type compares the same
            if own is None and isinstance(one.type, Int) and fits(other, one.type):
                own = one.type
        if own is None:
            own = Int(max(_signed_width(left.type), _signed_width(right.type)))
        assert isinstance(own, Int) and own.width is not None
        a, b = self._resize(left, own.width), self._resize(right, own.width)
        if operator is Comparison.EQUAL:
            return self.door.term("=", a, b)
        if operator is Comparison.DIFFERENT:
            return self.door.term("not", self.door.term("=", a, b))
        unsigned, signed, swapped = _ORDERS[operator]
        return self.door.term(signed if own.signed else unsigned, *((b, a) if swapped else (a, b)))

    def index(self, term: Term) -> Formula:
        """Return a natural number as an index."""
        return self._resize(term, INDEX)

    def _constant(self, value: int, type: Int) -> Term:
        assert type.width is not None
        return Term(self.door.bits(value, type.width), type, value, value)

    def _resize(self, term: Term, width: int) -> Formula:
        """Return the bit-vector of a width that is congruent to a term."""
        if term.real is not None:
            raise Unsuitable("the bits of a floating-point number are used")
        assert isinstance(term.type, Int) and term.type.width is not None
        if term.constant is not None:
            return self.door.bits(term.constant, width)
        more = width - term.type.width
        if more == 0:
            return term.value
        if more < 0:  # mutant(<): it is not 0 here
            return self.door.term("extract", term.value, indices=(width - 1, 0))
        return self.door.term("sign_extend" if term.type.signed else "zero_extend", term.value, indices=(more,))


class RealVectors(BitVectors):
    """Bit-vectors; results of floating-point operations are numbers of the solver until somebody stores their bits."""

    def _make_floats(self) -> FloatingPoint:
        return FloatingNumbers(self.door)


def _wide(low: int, high: int) -> Int:
    """Return the shortest type with a sign that has two numbers and what is between them."""
    # mutant(-): a number and its negative have as many bits
    return Int(1 + max((low if low >= 0 else -1 - low).bit_length(), (high if high >= 0 else -1 - high).bit_length()))


def _signed_width(type: Type) -> int:
    assert isinstance(type, Int) and type.width is not None
    return type.width + (not type.signed)
