"""Values of C expressions as typed expressions of the model: promotion, conversion, arithmetic, constants folded."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.frontends.c.names.types import INT, Boolean, Integer, Scalar, common, in_model, promote
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Operator,
)
from knaster.program.state import Undefined
from knaster.program.types import Int, Type

_OPPOSITE = {
    Comparison.EQUAL: Comparison.DIFFERENT,
    Comparison.DIFFERENT: Comparison.EQUAL,
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.AT_LEAST: Comparison.LESS,
    Comparison.GREATER: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.GREATER,
}
_COMPARISONS: Mapping[str, Comparison] = {operator.value: operator for operator in Comparison}
_SHIFTS = (IntegerOperator.LEFT, IntegerOperator.RIGHT)


@dataclass(frozen=True, slots=True)
class Value:
    """An expression of a scalar type; `truth` is the same as a formula where it is the result of a comparison.

    `narrow` is the value before it was converted to a type that has all values of the one before.
    """

    expr: Expr
    type: Scalar
    truth: Expr | None = None
    narrow: Value | None = None


def negate(condition: Expr) -> Expr:
    """Return the negation of a formula."""
    match condition:
        case Const(value):
            return FALSE if value else TRUE
        case Not(operand):
            return operand
        case Compare(operator, left, right):
            return Compare(_OPPOSITE[operator], left, right)
        case _:
            return Not(condition)


def both(left: Expr, right: Expr) -> Expr:
    """Return the conjunction of two formulas."""
    if left == FALSE or right == TRUE:
        return left
    return right if left == TRUE or right == FALSE else Binary(Operator.AND, left, right)


def either(left: Expr, right: Expr) -> Expr:
    """Return the disjunction of two formulas."""
    if left == TRUE or right == FALSE:
        return left
    return right if left == FALSE or right == TRUE else Binary(Operator.OR, left, right)


class Values:
    """How values are computed under one reading of the integers."""

    def __init__(self, mathematical: bool) -> None:
        self.mathematical = mathematical

    def model(self, type: Scalar) -> Type:
        """Return the type of the model for a scalar type of C."""
        return in_model(type, self.mathematical)

    def constant(self, number: int, type: Integer = INT) -> Value:
        """Return a number as a value of an integer type, into which it wraps."""
        return Value(Const(self._int(type).wrap(number)), type)

    def truth(self, value: Value) -> Expr:
        """Return the formula that says that a value is different from 0."""
        if value.truth is not None:
            return value.truth
        if isinstance(value.type, Boolean):
            return value.expr
        return _fold(Compare(Comparison.DIFFERENT, value.expr, Const(0)))

    def from_truth(self, formula: Expr) -> Value:
        """Return a formula as C's int."""
        if isinstance(formula, Const):
            return self.constant(int(formula.value is True))
        return Value(Convert(formula, self.model(INT)), INT, formula)

    def convert(self, value: Value, type: Scalar, span: Span) -> Value:
        """Return a value converted to a type."""
        if value.type == type:
            return value
        if isinstance(type, Boolean):
            return Value(self.truth(value), type)
        if isinstance(value.type, Boolean):
            return Value(_fold(Convert(value.expr, self.model(type), span)), type, value.expr)
        if self.model(value.type) == self.model(type):
            return Value(value.expr, type, value.truth)
        if value.narrow is not None and value.narrow.type == type:
            return value.narrow
        widens = type.width > value.type.width and (type.signed or not value.type.signed)
        return Value(_fold(Convert(value.expr, self.model(type), span)), type, value.truth, value if widens else None)

    def binary(self, sign: str, left: Value, right: Value, span: Span) -> Value:
        """Return the result of a binary operator other than && and ||."""
        if sign in _COMPARISONS:
            return self._compare(_COMPARISONS[sign], left, right, span)
        operator = IntegerOperator(sign)
        type = promote(left.type) if operator in _SHIFTS else common(left.type, right.type)
        first, second = self.convert(left, type, span), self.convert(right, type, span)
        if operator in _SHIFTS and promote(right.type).width > type.width:
            second = self.convert(right, promote(right.type), span)  # a count that would wrap is still too far
            if not isinstance(second.expr, Const):
                second = self.convert(second, type, span)
        return Value(_fold(Arithmetic(operator, first.expr, second.expr, self._int(type), span)), type)

    def _compare(self, operator: Comparison, left: Value, right: Value, span: Span) -> Value:
        for one, other in ((left, right), (right, left)):
            if one.truth is not None and isinstance(other.expr, Const) and other.expr.value in (0, 1):
                if operator not in (Comparison.EQUAL, Comparison.DIFFERENT):
                    break
                same = (other.expr.value == 1) == (operator is Comparison.EQUAL)
                return self.from_truth(one.truth if same else negate(one.truth))
        type = common(left.type, right.type)
        first, second = self.convert(left, type, span), self.convert(right, type, span)
        return self.from_truth(_fold(Compare(operator, first.expr, second.expr)))

    def unary(self, sign: str, value: Value, span: Span) -> Value:
        """Return the result of + - ~ or !."""
        if sign == "!":
            return self.from_truth(negate(self.truth(value)))
        operand = self.convert(value, promote(value.type), span)
        if sign == "+":
            return operand
        zero = self.constant(0 if sign == "-" else -1, promote(value.type))  # ~x is -1 - x
        return self.binary("-", zero, operand, span)

    def choose(self, condition: Expr, then: Value, otherwise: Value, span: Span) -> Value:
        """Return `condition ? then : otherwise`."""
        same = then.type == otherwise.type and isinstance(then.type, Boolean)
        type: Scalar = then.type if same else common(then.type, otherwise.type)
        first, second = self.convert(then, type, span), self.convert(otherwise, type, span)
        if isinstance(condition, Const):
            return first if condition.value else second
        return Value(Conditional(condition, first.expr, second.expr), type)

    def _int(self, type: Integer) -> Int:
        found = self.model(type)
        assert isinstance(found, Int)
        return found


def _fold(expr: Expr) -> Expr:
    """Return a constant where all operands are constants and the result is defined."""
    match expr:
        case Arithmetic(_, Const(), Const()) | Compare(_, Const(), Const()) | Convert(Const()):
            try:
                return Const(evaluate(expr, {}, iter(())))
            except Undefined:
                return expr
        case _:
            return expr
