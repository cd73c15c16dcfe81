"""When expressions over integers are undefined: conditions, operands first, under what is evaluated."""

from __future__ import annotations

from itertools import product

import pytest

from knaster.program.checks.conditions import TooLarge, faults_of
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Element,
    Expr,
    IntegerOperator,
    Operator,
    Var,
)
from knaster.program.types import Array, Int

BYTE = Int(8)
TYPES = {"x": BYTE, "y": BYTE, "a": Array(BYTE, 3), "p": Int(1, False)}
X, Y = Var("x"), Var("y")


def kinds(expr: Expr) -> list[str]:
    return [fault.kind for fault in faults_of(expr, TYPES)]


def exact(sign: IntegerOperator, x: int, y: int) -> bool:
    """Tell whether a signed operation of 8 bits overflows."""
    match sign:
        case IntegerOperator.ADD:
            return not -128 <= x + y <= 127
        case IntegerOperator.SUBTRACT:
            return not -128 <= x - y <= 127
        case IntegerOperator.MULTIPLY:
            return not -128 <= x * y <= 127
        case IntegerOperator.LEFT:
            return 0 <= y < 8 and (x < 0 or x << y > 127)
        case _:
            return x == -128 and y == -1


@pytest.mark.parametrize(
    "sign",
    [
        IntegerOperator.ADD,
        IntegerOperator.SUBTRACT,
        IntegerOperator.MULTIPLY,
        IntegerOperator.LEFT,
        IntegerOperator.DIVIDE,
        IntegerOperator.REMAINDER,
    ],
)
def test_overflow_is_exact(sign: IntegerOperator) -> None:
    found = {fault.kind: fault.condition for fault in faults_of(Arithmetic(sign, X, Y, BYTE), TYPES)}
    values = (-128, -127, -65, -64, -12, -2, -1, 0, 1, 2, 3, 7, 8, 11, 12, 63, 64, 126, 127)
    for x, y in product(values, values):
        if sign is IntegerOperator.LEFT and not 0 <= y < 8:
            continue  # a shift too far, which is asked for before
        assert bool(evaluate(found["overflow"], {"x": x, "y": y}, iter(()))) is exact(sign, x, y), (x, y)


def test_operands_come_first() -> None:
    quotient = Arithmetic(IntegerOperator.DIVIDE, X, Y, BYTE)
    both = Arithmetic(IntegerOperator.ADD, quotient, Element(Var("a"), X), BYTE)
    assert kinds(both) == ["division", "overflow", "bounds", "overflow"]


def test_what_is_not_evaluated_is_not_undefined() -> None:
    zero = Compare(Comparison.EQUAL, X, Const(0))
    quotient = Arithmetic(IntegerOperator.DIVIDE, Const(1), X, BYTE)
    (guarded,) = faults_of(Conditional(zero, Const(0), quotient), TYPES)
    assert not any(evaluate(guarded.condition, {"x": x}, iter(())) for x in (-1, 0, 1))
    positive = Compare(Comparison.GREATER, quotient, Const(0))
    (either,) = faults_of(Binary(Operator.OR, zero, positive), TYPES)
    assert not any(evaluate(either.condition, {"x": x}, iter(())) for x in (-1, 0, 1))


def test_what_types_exclude_is_left_out() -> None:
    assert kinds(Arithmetic(IntegerOperator.ADD, X, Y, Int(16))) == []
    assert kinds(Arithmetic(IntegerOperator.DIVIDE, X, Const(3), BYTE)) == []
    assert kinds(Element(Var("a"), Const(2))) == []
    assert kinds(Element(Var("a"), Const(3))) == ["bounds"]


def test_what_is_too_large_is_refused() -> None:
    expr: Expr = X
    for _ in range(1_500):
        expr = Arithmetic(IntegerOperator.AND, expr, X, BYTE)
    with pytest.raises(TooLarge):
        list(faults_of(expr, TYPES))
    with pytest.raises(TooLarge):
        list(faults_of(Element(X, Y), TYPES))
