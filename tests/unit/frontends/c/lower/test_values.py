"""Values of C: conversions, constants folded, comparisons as formulas."""

from __future__ import annotations

import pytest

from knaster.base.errors import Span
from knaster.frontends.c.lower.values import Value, Values, both, either, negate
from knaster.frontends.c.names.types import CHAR, INT, Boolean, Integer
from knaster.frontends.c.spelling import expression_to_text
from knaster.program.expression import FALSE, TRUE, Compare, Comparison, Const, Expr, Not, Var

HERE = Span(1, 1)
MACHINE, MATHEMATICAL = Values(False), Values(True)
X, C, B, U = (
    Value(Var("x"), INT),
    Value(Var("c"), CHAR),
    Value(Var("b"), Boolean()),
    Value(Var("u"), Integer(32, False)),
)


def test_formulas() -> None:
    less = Compare(Comparison.LESS, Var("x"), Const(3))
    assert negate(less) == Compare(Comparison.AT_LEAST, Var("x"), Const(3)) and negate(Not(Var("b"))) == Var("b")
    assert both(TRUE, less) == both(less, TRUE) == less and both(less, FALSE) == both(FALSE, less) == FALSE
    assert either(FALSE, less) == either(less, FALSE) == less and either(less, TRUE) == either(TRUE, less) == TRUE


@pytest.mark.parametrize(
    ("sign", "left", "right", "text"),
    [
        ("+", X, C, "x + (int)c"),
        ("+", X, U, "(unsigned int)x + u"),
        ("<", X, U, "(unsigned int)x < u"),
        ("<<", C, X, "(int)c << x"),
        ("+", B, B, "(int)b + (int)b"),
    ],
)
def test_operands_are_converted(sign: str, left: Value, right: Value, text: str) -> None:
    assert expression_to_text(MACHINE.binary(sign, left, right, HERE).expr) == text


def constant(number: int) -> Value:
    return MACHINE.constant(number)


@pytest.mark.parametrize(
    ("sign", "left", "right", "value"),
    [("+", 2147483647, 1, -2147483648), ("/", -7, 2, -3), ("<", 1, 2, 1), ("==", 1, 2, 0)],
)
def test_constants_are_folded(sign: str, left: int, right: int, value: int) -> None:
    assert MACHINE.binary(sign, constant(left), constant(right), HERE).expr == Const(value)


def test_a_comparison_with_a_truth_value_is_that_formula() -> None:
    less = MACHINE.binary("<", X, constant(3), HERE)
    for sign, number, text in (("==", 1, "x < 3"), ("==", 0, "x >= 3"), ("!=", 0, "x < 3"), ("!=", 1, "x >= 3")):
        truth = MACHINE.truth(MACHINE.binary(sign, less, constant(number), HERE))
        assert expression_to_text(truth) == text


def shown(expr: Expr) -> str:
    return expression_to_text(expr)


def test_signs_and_truth() -> None:
    assert shown(MACHINE.unary("-", X, HERE).expr) == "-x" and shown(MACHINE.unary("~", C, HERE).expr) == "-1 - (int)c"
    assert shown(MACHINE.unary("!", X, HERE).expr) == "x == 0" and MACHINE.unary("+", C, HERE).type == INT
    assert shown(MACHINE.truth(X)) == "x != 0" and MACHINE.truth(B) == Var("b")


def test_conversions() -> None:
    assert MACHINE.convert(X, Boolean(), HERE).expr == MACHINE.truth(X)
    assert MACHINE.convert(constant(300), Integer(8, False), HERE).expr == Const(44)
    assert MATHEMATICAL.convert(X, Integer(64), HERE).expr == Var("x")  # both are integers without bounds
    assert shown(MACHINE.convert(X, Integer(64), HERE).expr) == "(long long)x"
