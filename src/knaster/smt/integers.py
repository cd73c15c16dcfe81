"""Machine and mathematical integers as integers of z3: they wrap only where their bounds do not exclude it.

Masks and shifts by constants are remainders, products and quotients; bit operations and shifts of other values are any
value that their operands allow, and the translation says then that it is not exact.
"""

from __future__ import annotations

from typing import Any

from knaster.base.errors import InternalError
from knaster.program.evaluate import WIDEST
from knaster.program.expression import Comparison, IntegerOperator
from knaster.program.types import BOOL, INTEGER, Array, Bool, Int, Reference, Type, Value
from knaster.smt.library import z3
from knaster.smt.terms import Formula, Sides, Term, Unsuitable, spread

_BITWISE = (IntegerOperator.AND, IntegerOperator.OR, IntegerOperator.XOR)
_MOST_RUNS = 8  # of ones in a mask


class Integers:
    """Integers of z3.

    Without `wraps` only conversions wrap, no operator does: a guess at what happens, for somebody who checks it, or who
    shows that `Sides.overflows` never happens.
    """

    def __init__(self, context: Any, wraps: bool = True) -> None:
        self.context = context
        self.exact = wraps
        self._fresh = 0

    def sort(self, type: Type) -> Any:
        """Return the sort of z3 for a type."""
        match type:
            case Bool():
                return z3.BoolSort(self.context)
            case Int():
                return z3.IntSort(self.context)
            case Array(element):
                return z3.ArraySort(z3.IntSort(self.context), self.sort(element))
            case _:
                raise Unsuitable(f"{type} is no type of a program without a heap")

    def variable(self, name: str, type: Type) -> Term:
        """Return a variable; what is true of its values is `within`."""
        low, high = (type.low, type.high) if isinstance(type, Int) else (None, None)
        return Term(z3.Const(name, self.sort(type)), type, low, high)

    def within(self, term: Term) -> list[Formula]:
        """Return the bounds of an integer as formulas; of arrays nothing is said."""
        if not isinstance(term.type, Int):
            return []
        facts = [] if term.low is None else [term.value >= self._value(term.low)]
        return facts if term.high is None else [*facts, term.value <= self._value(term.high)]

    def constant(self, value: Value, type: Type | None = None) -> Term:
        """Return a constant."""
        if isinstance(value, bool):
            return Term(z3.BoolVal(value, self.context), BOOL)
        if isinstance(value, int):
            return Term(self._value(value), type if isinstance(type, Int) else INTEGER, value, value)
        if isinstance(value, tuple) and not isinstance(value, Reference) and isinstance(type, Array):
            parts = [self.constant(part, type.element).value for part in value]
            usual = max(parts[:64], key=lambda part: sum(part.eq(other) for other in parts[:64]))
            found = z3.K(z3.IntSort(self.context), usual)
            for index, part in enumerate(parts):
                if not part.eq(usual):
                    found = z3.Store(found, self._value(index), part)
            return Term(found, type)
        raise Unsuitable(f"the constant {value!r} has no type here")

    def _value(self, value: int) -> Formula:
        return z3.IntVal(value, self.context)

    def arithmetic(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result of an operator in `type`."""
        low, high = spread(operator, left, right)
        match operator:
            case IntegerOperator.ADD:
                value = left.value + right.value
            case IntegerOperator.SUBTRACT:
                value = left.value - right.value
            case IntegerOperator.MULTIPLY:
                value = left.value * right.value
            case IntegerOperator.DIVIDE | IntegerOperator.REMAINDER:
                if right.low is None or right.low <= 0 <= (right.high if right.high is not None else 0):
                    sides.defined.append(right.value != 0)
                value = self._quotient(left, right)
                if operator is IntegerOperator.REMAINDER:
                    value = left.value - right.value * value
                    if left.low is not None and left.low >= 0 and right.low is not None and right.low > 0:
                        value = left.value % right.value
            case IntegerOperator.LEFT | IntegerOperator.RIGHT:
                return self._shift(operator, left, right, type, sides)
            case _:
                return self._bitwise(operator, left, right, type, sides)
        return self._result(value, low, high, type, sides)

    def _result(self, value: Formula, low: int | None, high: int | None, type: Int, sides: Sides) -> Term:
        """Return the result of an operator: wrapped, or as it is, and then where it leaves its type is noted."""
        if self.exact or type.low is None or type.high is None:
            return self.wrap_around(value, low, high, type)
        below = [value < self._value(type.low)] if low is None or low < type.low else []
        above = [value > self._value(type.high)] if high is None or high > type.high else []
        sides.overflows += [*below, *above]
        low = type.low if low is None or low < type.low else low
        return Term(value, type, low, type.high if high is None or high > type.high else high)

    def _quotient(self, left: Term, right: Term) -> Formula:
        """Return the quotient that is truncated towards zero; z3's own rounds down where the divisor is positive."""
        a, b = left.value, right.value
        positive = right.low is not None and right.low >= 0
        negative = right.high is not None and right.high <= 0
        up = a / b if positive else -(a / -b) if negative else z3.If(b > 0, a / b, -(a / -b))
        if left.low is not None and left.low >= 0:
            return up
        down = -(-a / b) if positive else -a / -b if negative else z3.If(b > 0, -(-a / b), -a / -b)
        return down if left.high is not None and left.high <= 0 else z3.If(a >= 0, up, down)

    def wrap_around(self, value: Formula, low: int | None, high: int | None, type: Int) -> Term:
        """Return a value that lies within bounds as one of `type`: as it is, once around, or by a remainder."""
        if type.low is None or type.high is None or type.width is None:
            return Term(value, type, low, high)
        if low is not None and high is not None and type.low <= low and high <= type.high:
            return Term(value, type, low, high)
        size = 1 << type.width
        if low is None or high is None or low < type.low - size or high > type.high + size:
            shift = -type.low
            moved = value + shift if shift else value
            found = moved % self._value(size)
            return Term(found - shift if shift else found, type, type.low, type.high)
        if low < type.low:
            value = z3.If(value < self._value(type.low), value + self._value(size), value)
        if high > type.high:
            value = z3.If(value > self._value(type.high), value - self._value(size), value)
        return Term(value, type, type.low, type.high)

    def _shift(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        width = type.width or WIDEST
        if right.low is None or right.high is None or right.low < 0 or right.high >= width:
            sides.defined += [right.value >= 0, right.value < self._value(width)]
        if right.low is None or right.low != right.high:
            return self._any(left, right, type, sides)
        if not 0 <= right.low < width:
            return self.constant(0, type)
        factor = self._value(1 << right.low)
        if operator is IntegerOperator.LEFT:
            low, high = spread(IntegerOperator.MULTIPLY, left, Term(factor, INTEGER, 1 << right.low, 1 << right.low))
            return self._result(left.value * factor, low, high, type, sides)
        low = None if left.low is None else left.low >> right.low
        high = None if left.high is None else left.high >> right.low
        return Term(left.value / factor, type, low, high)

    def _bitwise(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result where one operand is a constant with few runs of ones; else any value."""
        for one, other in ((left, right), (right, left)):
            if other.low is None or other.low != other.high:
                continue
            masked = self._mask(one, other.low)
            if masked is None:
                continue
            value, both = one.value + self._value(other.low), masked
            if operator is IntegerOperator.AND:
                value = both
                low, high = (0, other.low) if other.low >= 0 else (None, None)
            else:
                value = value - (both if operator is IntegerOperator.OR else 2 * both)
                low, high = type.low, type.high
            if low is None or high is None:
                low, high = type.low, type.high
            return Term(value, type, low, high)
        return self._any(left, right, type, sides, operator)

    def _mask(self, term: Term, mask: int) -> Formula | None:
        """Return the bits of a term that a constant has too: for each run of ones, a quotient's remainder."""
        if mask < 0:
            rest = self._mask(term, -1 - mask)
            return None if rest is None else term.value - rest
        parts, position, runs = self._value(0), 0, 0
        while mask >> position:
            while not mask >> position & 1:
                position += 1
            length = 0
            while mask >> position + length & 1:
                length += 1
            runs += 1
            if runs > _MOST_RUNS:
                return None
            moved = term.value / self._value(1 << position) if position else term.value
            part = moved % self._value(1 << length)
            parts = parts + (part * self._value(1 << position) if position else part)
            position += length
        return z3.simplify(parts)

    def _any(self, left: Term, right: Term, type: Int, sides: Sides, operator: IntegerOperator | None = None) -> Term:
        """Return any value of a type, with what is known of results of this operator on natural numbers."""
        self._fresh += 1
        found = self.variable(f"any!{self._fresh}", type)
        sides.exact = False
        sides.invented.append(found.value)
        sides.facts += self.within(found)
        if operator in _BITWISE:
            natural = z3.And(left.value >= 0, right.value >= 0)
            a, b, c = left.value, right.value, found.value
            if operator is IntegerOperator.AND:
                known = [z3.Implies(a >= 0, z3.And(c >= 0, c <= a)), z3.Implies(b >= 0, z3.And(c >= 0, c <= b))]
            elif operator is IntegerOperator.OR:
                known = [z3.Implies(natural, z3.And(c >= a, c >= b, c <= a + b))]
            else:
                known = [z3.Implies(natural, z3.And(c >= 0, c <= a + b))]
            sides.facts += known
        return found

    def compare(self, operator: Comparison, left: Term, right: Term) -> Formula:
        """Return a comparison."""
        match operator:
            case Comparison.EQUAL:
                return left.value == right.value
            case Comparison.DIFFERENT:
                return left.value != right.value
            case Comparison.LESS:
                return left.value < right.value
            case Comparison.AT_MOST:
                return left.value <= right.value
            case Comparison.GREATER:
                return left.value > right.value
            case Comparison.AT_LEAST:
                return left.value >= right.value

    def convert(self, term: Term, type: Type) -> Term:
        """Return an integer or truth value as a value of another scalar type."""
        truth = isinstance(term.type, Bool)
        if isinstance(type, Bool):
            return term if truth else Term(term.value != 0, BOOL)
        if not isinstance(type, Int):
            raise InternalError(f"{term.type} is converted to {type}")
        if truth:
            return Term(z3.If(term.value, self._value(1), self._value(0)), type, 0, 1)
        return self.wrap_around(term.value, term.low, term.high, type)

    def index(self, term: Term) -> Formula:
        """Return an integer as an index."""
        return term.value

    def number(self, formula: Formula, term: Term) -> int:
        """Return the integer that a constant formula stands for."""
        return int(formula.as_long())
