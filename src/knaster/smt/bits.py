"""Machine integers as bit-vectors, exactly: for the checkers.

The type of a term is that of its bit-vector, so a result in mathematical integers is a signed bit-vector that is wide
enough for it.  A variable or an input that is unbounded has no such bit-vector: `Unsuitable`.
"""

from __future__ import annotations

from typing import Any

from knaster.base.errors import InternalError
from knaster.program.evaluate import WIDEST
from knaster.program.expression import Comparison, IntegerOperator
from knaster.program.types import BOOL, Array, Bool, Int, Reference, Type, Value
from knaster.smt.library import z3
from knaster.smt.terms import MOST_BITS, Formula, Sides, Term, Unsuitable, spread

_INDEX = 64  # bits of an index


class Bits:
    """Bit-vectors of z3."""

    exact = True

    def __init__(self, context: Any) -> None:
        self.context = context

    def sort(self, type: Type) -> Any:
        """Return the sort of z3 for a type."""
        match type:
            case Bool():
                return z3.BoolSort(self.context)
            case Int(int(width)):
                return z3.BitVecSort(width, self.context)
            case Int():
                raise Unsuitable("a mathematical integer is no bit-vector")
            case Array(element):
                return z3.ArraySort(z3.BitVecSort(_INDEX, self.context), self.sort(element))
            case _:
                raise Unsuitable(f"{type} is no type of a program without a heap")

    def variable(self, name: str, type: Type) -> Term:
        """Return a variable."""
        low, high = (type.low, type.high) if isinstance(type, Int) else (None, None)
        return Term(z3.Const(name, self.sort(type)), type, low, high)

    def within(self, term: Term) -> list[Formula]:
        """Return nothing: a bit-vector has the values of its type only."""
        return []

    def constant(self, value: Value, type: Type | None = None) -> Term:
        """Return a constant; without a type, as short as it can be."""
        if isinstance(value, bool):
            return Term(z3.BoolVal(value, self.context), BOOL)
        if isinstance(value, int):
            own = type if isinstance(type, Int) and type.width is not None else _wide(value, value)
            return Term(z3.BitVecVal(value, own.width, self.context), own, value, value)
        if isinstance(value, tuple) and not isinstance(value, Reference) and isinstance(type, Array):
            parts = [self.constant(part, type.element).value for part in value]
            usual = max(parts[:64], key=lambda part: sum(part.eq(other) for other in parts[:64]))
            found = z3.K(z3.BitVecSort(_INDEX, self.context), usual)
            for index, part in enumerate(parts):
                if not part.eq(usual):
                    found = z3.Store(found, z3.BitVecVal(index, _INDEX, self.context), part)
            return Term(found, type)
        raise Unsuitable(f"the constant {value!r} has no type here")

    def arithmetic(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result of an operator in `type`."""
        low, high = spread(operator, left, right)
        own = type
        divides = operator in (IntegerOperator.DIVIDE, IntegerOperator.REMAINDER)
        if divides and (right.low is None or right.high is None or right.low <= 0 <= right.high):
            sides.defined.append(right.value != 0)
        if operator in (IntegerOperator.LEFT, IntegerOperator.RIGHT):
            sides.defined += self._shiftable(right, type.width or WIDEST)
        if type.width is None:
            own = self._enough(operator, left, right, low, high)
        assert own.width is not None
        value = _apply(operator, _resize(left, own.width), _resize(right, own.width), own.signed)
        within = low is not None and high is not None and own.holds(low) and own.holds(high)
        return Term(value, own, low if within else own.low, high if within else own.high)

    def _enough(self, operator: IntegerOperator, left: Term, right: Term, low: int | None, high: int | None) -> Int:
        """Return a type that has the operands and every result in mathematical integers."""
        operands = [bound for term in (left, right) for bound in (term.low, term.high) if bound is not None]
        if operator is IntegerOperator.LEFT:
            if right.low is None or right.low != right.high or left.low is None or left.high is None:
                raise Unsuitable("a mathematical integer is shifted by an unknown number of bits")
            far = max(0, min(right.low, WIDEST))
            low, high = left.low << far, left.high << far
        bounds = [*operands, *(bound for bound in (low, high) if bound is not None)]
        found = _wide(min(bounds), max(bounds))
        if found.width is None or found.width > MOST_BITS:
            raise Unsuitable(f"a number has more than {MOST_BITS} bits")
        return found

    def _shiftable(self, right: Term, width: int) -> list[Formula]:
        if right.low is not None and right.high is not None and right.low >= 0 and right.high < width:
            return []
        zero, end = self.constant(0), self.constant(width)
        return [self.compare(Comparison.AT_LEAST, right, zero), self.compare(Comparison.LESS, right, end)]

    def compare(self, operator: Comparison, left: Term, right: Term) -> Formula:
        """Return a comparison; numbers of different types are compared by their values."""
        a, b, signed = left.value, right.value, True
        if isinstance(left.type, Int) and isinstance(right.type, Int):
            if left.type == right.type:
                signed = left.type.signed
            else:
                width = max(_signed_width(left.type), _signed_width(right.type))
                a, b = _resize(left, width), _resize(right, width)
        match operator:
            case Comparison.EQUAL:
                return a == b
            case Comparison.DIFFERENT:
                return a != b
            case Comparison.LESS:
                return a < b if signed else z3.ULT(a, b)
            case Comparison.AT_MOST:
                return a <= b if signed else z3.ULE(a, b)
            case Comparison.GREATER:
                return a > b if signed else z3.UGT(a, b)
            case Comparison.AT_LEAST:
                return a >= b if signed else z3.UGE(a, b)

    def convert(self, term: Term, type: Type) -> Term:
        """Return an integer or truth value as a value of another scalar type."""
        truth = isinstance(term.type, Bool)
        if isinstance(type, Bool):
            return term if truth else Term(term.value != 0, BOOL)
        if not isinstance(type, Int):
            raise InternalError(f"{term.type} is converted to {type}")
        if truth:
            own = type if type.width is not None else _wide(0, 1)
            one, zero = (z3.BitVecVal(value, own.width, self.context) for value in (1, 0))
            return Term(z3.If(term.value, one, zero), own, 0, 1)
        if type.width is None:
            return term
        fits = term.low is not None and term.high is not None and type.holds(term.low) and type.holds(term.high)
        low, high = (term.low, term.high) if fits else (type.low, type.high)
        return Term(_resize(term, type.width), type, low, high)

    def index(self, term: Term) -> Formula:
        """Return an integer as an index; requires that it is a natural number, and not a large one."""
        return _resize(term, _INDEX)

    def number(self, formula: Formula, term: Term) -> int:
        """Return the integer that a constant formula stands for."""
        assert isinstance(term.type, Int)
        return term.type.wrap(int(formula.as_long()))


def _wide(low: int, high: int) -> Int:
    """Return the shortest signed type that has two numbers and what is between them."""
    return Int(1 + max((low if low >= 0 else -1 - low).bit_length(), (high if high >= 0 else -1 - high).bit_length()))


def _signed_width(type: Int) -> int:
    assert type.width is not None
    return type.width + (not type.signed)


def _resize(term: Term, width: int) -> Formula:
    """Return the bit-vector of a width that is congruent to a term, and equal to it where it fits."""
    assert isinstance(term.type, Int) and term.type.width is not None
    more = width - term.type.width
    if more == 0:
        return term.value
    if term.low is not None and term.low == term.high:
        return z3.BitVecVal(term.low, width, term.value.ctx)
    if more < 0:
        return z3.Extract(width - 1, 0, term.value)
    return z3.SignExt(more, term.value) if term.type.signed else z3.ZeroExt(more, term.value)


def _apply(operator: IntegerOperator, a: Formula, b: Formula, signed: bool) -> Formula:
    match operator:
        case IntegerOperator.ADD:
            return a + b
        case IntegerOperator.SUBTRACT:
            return a - b
        case IntegerOperator.MULTIPLY:
            return a * b
        case IntegerOperator.DIVIDE:
            return a / b if signed else z3.UDiv(a, b)
        case IntegerOperator.REMAINDER:
            return z3.SRem(a, b) if signed else z3.URem(a, b)
        case IntegerOperator.LEFT:
            return a << b
        case IntegerOperator.RIGHT:
            return a >> b if signed else z3.LShR(a, b)
        case IntegerOperator.AND:
            return a & b
        case IntegerOperator.OR:
            return a | b
        case IntegerOperator.XOR:
            return a ^ b
