"""The value of an expression over any types, for given values of its choices.

An operator that C leaves undefined raises `Undefined`: division by 0, a shift too far, an index out of range.  Signed
overflow is defined here and wraps.  Each `Choice` takes the next of the `inputs`, operands left to right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import and_, eq, ge, gt, le, lt, ne, or_, xor

from knaster.base.errors import InternalError, Span
from knaster.program.expression import (
    Arithmetic,
    Binary,
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
    Operator,
    Updated,
    Var,
    postorder,
)
from knaster.program.state import NOTHING, NoInput, State, Undefined
from knaster.program.types import Bool, Int, Reference, Type, Value, belongs

WIDEST = 1 << 12  # shifts of unbounded integers go less far


def evaluate(expr: Expr, state: State, inputs: Iterator[Value], after: State = NOTHING) -> Value:
    """Return the value of `expr`; primed variables are looked up in `after`.

    Raises `Undefined` where the program has no next step, and `NoInput` where a choice finds no input of its type.
    """
    stack: list[Value] = []
    for node in postorder(expr):
        match node:
            case Const(value):
                stack.append(value)
            case Var(name, primed):
                stack.append((after if primed else state)[name])
            case Choice(type):
                stack.append(_take(type, inputs))
            case Not():
                stack.append(not stack.pop())
            case Binary(operator):
                right, left = stack.pop(), stack.pop()
                stack.append(_CONNECTIVES[operator](bool(left), bool(right)))
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                stack.append(then if condition else otherwise)
            case Arithmetic(integer, _, _, type, span):
                right, left = stack.pop(), stack.pop()
                stack.append(arithmetic(integer, _integer(left), _integer(right), type, span))
            case Compare(comparison):
                right, left = stack.pop(), stack.pop()
                stack.append(compare(comparison, left, right))
            case Convert(_, type):
                stack.append(convert(stack.pop(), type))
            case Element(_, _, span):
                index, array = stack.pop(), stack.pop()
                stack.append(_array(array)[_index(array, index, span)])
            case Updated(_, _, _, span):
                value, index, array = stack.pop(), stack.pop(), stack.pop()
                place, parts = _index(array, index, span), _array(array)
                stack.append((*parts[:place], value, *parts[place + 1 :]))
            case _:
                stack.append(_float_term(node, stack))
    return stack.pop()


def _float_term(node: Expr, stack: list[Value]) -> Value:
    """Return the value of an operation of floating-point numbers, whose operands are taken from the stack."""
    from knaster.program.floating_point import term_value  # only programs with such numbers pay for them
    from knaster.program.memory import FloatTerm

    if not isinstance(node, FloatTerm):
        raise InternalError(f"{node.__class__.__name__} is evaluated")
    return term_value(node, [_integer(stack.pop()) for _ in node.operands][::-1])


def arithmetic(operator: IntegerOperator, left: int, right: int, type: Int, span: Span) -> int:
    """Return the result of an integer operator in `type`."""
    match operator:
        case IntegerOperator.ADD:
            return type.wrap(left + right)
        case IntegerOperator.SUBTRACT:
            return type.wrap(left - right)
        case IntegerOperator.MULTIPLY:
            return type.wrap(left * right)
        case IntegerOperator.DIVIDE | IntegerOperator.REMAINDER:
            if right == 0:
                raise Undefined("division by zero", span)
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return type.wrap(quotient if operator is IntegerOperator.DIVIDE else left - right * quotient)
        case IntegerOperator.LEFT | IntegerOperator.RIGHT:
            if right < 0 or right >= (type.width or WIDEST):
                raise Undefined("a shift by a negative number or by the whole width", span)
            return type.wrap(left << right if operator is IntegerOperator.LEFT else left >> right)
        case IntegerOperator.AND:
            return type.wrap(left & right)
        case IntegerOperator.OR:
            return type.wrap(left | right)
        case IntegerOperator.XOR:
            return type.wrap(left ^ right)


def compare(operator: Comparison, left: Value, right: Value) -> bool:
    """Return whether a comparison holds."""
    if operator in (Comparison.EQUAL, Comparison.DIFFERENT):
        return bool(_COMPARISONS[operator](left, right))
    return bool(_COMPARISONS[operator](_integer(left), _integer(right)))


def convert(value: Value, type: Type) -> Value:
    """Return an integer or truth value as a value of `type`."""
    match type:
        case Bool():
            return _integer(value) != 0
        case Int():
            return type.wrap(_integer(value))
        case _:
            raise InternalError(f"{value!r} is converted to {type}")


def _take(type: Type, inputs: Iterator[Value]) -> Value:
    for value in inputs:
        if not belongs(value, type):
            raise NoInput(f"{value!r} is no value of the input's type")
        return value
    raise NoInput("no input is left")


def _integer(value: Value) -> int:
    if not isinstance(value, int):
        raise InternalError(f"{value!r} is used as a number")
    return int(value)


def _array(value: Value) -> tuple[Value, ...]:
    if not isinstance(value, tuple) or isinstance(value, Reference):
        raise InternalError(f"{value!r} is used as an array")
    return value


def _index(array: Value, index: Value, span: Span) -> int:
    place = _integer(index)
    if not 0 <= place < len(_array(array)):
        raise Undefined("an index out of range", span)
    return place


_CONNECTIVES: Mapping[Operator, Callable[[bool, bool], bool]] = {
    Operator.AND: and_,
    Operator.OR: or_,
    Operator.XOR: xor,
    Operator.EQUAL: eq,
    Operator.IMPLIES: le,
}
_COMPARISONS: Mapping[Comparison, Callable[..., object]] = {
    Comparison.EQUAL: eq,
    Comparison.DIFFERENT: ne,
    Comparison.LESS: lt,
    Comparison.AT_MOST: le,
    Comparison.GREATER: gt,
    Comparison.AT_LEAST: ge,
}
