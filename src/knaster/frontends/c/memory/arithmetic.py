"""Values of programs with memory: arithmetic on numbers as in `lower`, on pointers as C has it."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.frontends.c.lower.values import Value, Values, negate
from knaster.frontends.c.memory.lengths import Counts
from knaster.frontends.c.memory.types import FunctionType, Pointer, cell_of
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.program.expression import (
    Arithmetic,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
)
from knaster.program.memory import NULL, Addresses, Distance, Floating, FloatOperation, Moved
from knaster.program.types import Int

_COMPARISONS = {operator.value: operator for operator in Comparison}


@dataclass(frozen=True, slots=True)
class Result:
    """An expression and its type in C."""

    expr: Expr
    type: Any
    truth: Expr | None = None


class PointerValues:
    """How values are computed, pointers among them."""

    def __init__(self, pointer: int) -> None:
        self.numbers = Values(False)
        self.pointer = pointer
        self.counts = Counts()

    def number(self, value: Result | Value) -> Value:
        """Return a number or a truth value as `lower` has it."""
        if isinstance(value, Value):
            return value
        return Value(value.expr, value.type, value.truth)

    def result(self, value: Value) -> Result:
        """Return a value of `lower` as one that may be a pointer."""
        return Result(value.expr, value.type, value.truth)

    def constant(self, number: int) -> Result:
        """Return a number of type int."""
        return self.result(self.numbers.constant(number))

    def truth(self, value: Result) -> Expr:
        """Return the formula that says that a value is different from 0."""
        if is_pointer(value.type):
            return Compare(Comparison.DIFFERENT, value.expr, Const(NULL))
        if isinstance(value.type, Floating):
            return Compare(Comparison.DIFFERENT, value.expr, Const(0))
        return self.numbers.truth(self.number(value))

    def convert(self, value: Result, type: Any, span: Span) -> Result:
        """Return a value converted to a type."""
        if isinstance(type, Floating) or isinstance(value.type, Floating):
            if isinstance(type, Boolean):
                return Result(self.truth(value), type)
            if type == value.type or not isinstance(type, Integer | Floating):
                return Result(value.expr, type)
            return Result(Convert(value.expr, cell_of(type), span), type)
        if is_pointer(type):
            if is_pointer(value.type):
                return Result(value.expr, type)
            if isinstance(value.expr, Const) and value.expr.value == 0:
                return Result(Const(NULL), type)
            wide = self.numbers.convert(self.number(value), Integer(8 * self.pointer, _signed(value.type)), span)
            return Result(Convert(wide.expr, Addresses(self.pointer), span), type)
        if is_pointer(value.type):
            if isinstance(type, Boolean):
                return Result(self.truth(value), type)
            return Result(Convert(value.expr, cell_of(type), span), type)
        if isinstance(type, Integer | Boolean) and isinstance(value.type, Integer | Boolean):
            return self.result(self.numbers.convert(self.number(value), type, span))
        return Result(value.expr, type, value.truth)

    def binary(self, sign: str, left: Result, right: Result, type: Any, span: Span) -> Result:
        """Return the result of a binary operator other than && and ||, which has the type that Clang says."""
        if isinstance(left.type, Floating) or isinstance(right.type, Floating):
            return self.floating(sign, left, right, span)
        one, other = is_pointer(left.type), is_pointer(right.type)
        if not one and not other:
            return self.result(self.numbers.binary(sign, self.number(left), self.number(right), span))
        if sign in _COMPARISONS:
            target = left.type if one else right.type
            first, second = self.convert(left, target, span), self.convert(right, target, span)
            formula = Compare(_COMPARISONS[sign], first.expr, second.expr)
            return self.result(self.numbers.from_truth(formula))
        if one and other:
            return Result(self.distance(left, right, span), type)
        pointer, number = (left, right) if one else (right, left)
        if not isinstance(number.type, Integer | Boolean) or not isinstance(pointer.type, Pointer):
            return pointer  # something of it was refused
        return self.moved(pointer, number, sign == "-", span)

    def floating(self, sign: str, left: Result, right: Result, span: Span) -> Result:
        """Return the result of a binary operator of floating-point numbers, in the wider of their types."""
        width = max(side.type.width for side in (left, right) if isinstance(side.type, Floating))
        type = Floating(width)
        first, second = self.convert(left, type, span), self.convert(right, type, span)
        if sign in _COMPARISONS:
            formula = Compare(_COMPARISONS[sign], first.expr, second.expr)
            return self.result(self.numbers.from_truth(formula))
        return Result(FloatOperation(sign, first.expr, second.expr, type), type)

    def distance(self, left: Result, right: Result, span: Span) -> Expr:
        """Return how many elements lie between two pointers."""
        width, variable = 8 * self.pointer, left.type.variable
        found: Expr = Distance(left.expr, right.expr, left.type.step, width, span)
        if variable is None:
            return found
        count = self.counts.of(variable)
        return Convert(Arithmetic(IntegerOperator.DIVIDE, found, count, Int(128), span), Int(width))

    def moved(self, pointer: Result, number: Result, back: bool, span: Span) -> Result:
        """Return a pointer moved by so many elements."""
        index = self.numbers.convert(self.number(number), Integer(64, _signed(number.type)), span)
        step, distance = -pointer.type.step if back else pointer.type.step, index.expr
        if pointer.type.variable is not None:
            distance = self.counts.scaled(pointer.type.variable, distance)
        return Result(Moved(pointer.expr, distance, step, span), pointer.type)

    def choose(self, condition: Expr, then: Result, otherwise: Result, type: Any, span: Span) -> Result:
        """Return `condition ? then : otherwise`."""
        first, second = self.convert(then, type, span), self.convert(otherwise, type, span)
        return Result(Conditional(condition, first.expr, second.expr), type)

    def unary(self, sign: str, value: Result, span: Span) -> Result:
        """Return the result of + - ~ or !."""
        if sign == "!":
            return self.result(self.numbers.from_truth(negated(self.truth(value))))
        if isinstance(value.type, Floating):
            minus: Expr = Const(-1)
            minus = FloatOperation("*", value.expr, Convert(minus, value.type), value.type)  # 0 keeps its sign
            return value if sign == "+" else Result(minus, value.type)
        return self.result(self.numbers.unary(sign, self.number(value), span))


def negated(formula: Expr) -> Expr:
    """Return the negation of a formula; an order of pointers is not total."""
    if isinstance(formula, Compare) and formula.operator not in (Comparison.EQUAL, Comparison.DIFFERENT):
        return Not(formula)
    return negate(formula)


def is_pointer(type: Any) -> bool:
    """Tell whether values of a type are addresses."""
    return isinstance(type, Pointer | FunctionType)


def _signed(type: Any) -> bool:
    return not isinstance(type, Integer) or type.signed or type.width < 64
