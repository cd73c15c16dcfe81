"""Programs of C in C's own words: brackets where they are needed, and no others."""

from __future__ import annotations

import pytest

from knaster.frontends.c.spelling import expression_to_text, type_to_text, value_to_text
from knaster.program.expression import Arithmetic, Conditional, Const, Convert, Expr, IntegerOperator, Not, Updated, Var
from knaster.program.types import BOOL, INTEGER, Array, Int, Type, Value

INT = Int(32)
A, B = Var("a"), Var("b")


def operation(sign: str, left: Expr, right: Expr) -> Expr:
    return Arithmetic(IntegerOperator(sign), left, right, INT)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (operation("-", A, operation("-", B, A)), "a - (b - a)"),
        (operation("-", operation("-", A, B), A), "a - b - a"),
        (operation("*", operation("+", A, B), A), "(a + b) * a"),
        (operation("+", operation("*", A, B), A), "a * b + a"),
        (operation("&", operation("+", A, B), A), "(a + b) & a"),
        (operation("-", Const(0), operation("+", A, B)), "-(a + b)"),
        (operation("-", A, Const(-3)), "a - -3"),
        (Not(Not(A)), "!!a"),
        (Convert(operation("+", A, B), Int(8, False)), "(unsigned char)(a + b)"),
        (Convert(Not(A), INT), "!a"),
        (Conditional(A, B, Conditional(A, A, B)), "a ? b : a ? a : b"),
        (Updated(A, Const(1), B), "a with [1] = b"),
    ],
)
def test_expressions(expr: Expr, text: str) -> None:
    assert expression_to_text(expr) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "1"), (-3, "-3"), ((1, (2, 3)), "{1,{2,3}}"), (tuple(range(14)), "{0,1,2,3,4,5,6,7,8,9,10,11,...}")],
)
def test_values(value: Value, text: str) -> None:
    assert value_to_text(value) == text


@pytest.mark.parametrize(
    ("type", "text"),
    [
        (BOOL, "_Bool"),
        (INTEGER, "integer"),
        (Int(8), "signed char"),
        (Int(8, False), "unsigned char"),
        (Int(64, False), "unsigned long long"),
        (Array(INT, 3), "int[3]"),
    ],
)
def test_types(type: Type, text: str) -> None:
    assert type_to_text(type) == text
