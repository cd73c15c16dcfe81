"""The types of a program: what the front end of C makes is right, and what is changed is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.frontends.languages import load
from knaster.program.expression import (
    TRUE,
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
)
from knaster.program.model import Assign, Call, Program
from knaster.program.typecheck import mismatches
from knaster.program.types import BOOL, Array, Int, Type
from knaster.program.validate import validate

INT, CHAR = Int(32), Int(8, False)
TYPES: dict[str, Type] = {"x": INT, "c": CHAR, "b": BOOL, "a": Array(INT, 2)}
X, C, B, A = Var("x"), Var("c"), Var("b"), Var("a")


@pytest.mark.parametrize(
    ("expr", "type"),
    [
        (Arithmetic(IntegerOperator.ADD, X, Const(1), INT), INT),
        (Arithmetic(IntegerOperator.LEFT, X, C, INT), INT),
        (Arithmetic(IntegerOperator.ADD, X, Convert(C, INT), INT), INT),
        (Compare(Comparison.EQUAL, A, A), BOOL),
        (Conditional(B, X, Const(3)), INT),
        (Updated(A, C, Const(3)), Array(INT, 2)),
        (Element(A, X), INT),
        (Convert(B, INT), INT),
        (Choice(CHAR), CHAR),
        (Const(255), CHAR),
        (Const((1, 2)), Array(INT, 2)),
    ],
)
def test_types_that_are_right(expr: Expr, type: Type) -> None:
    assert list(mismatches(expr, type, TYPES)) == []


@pytest.mark.parametrize(
    ("expr", "type"),
    [
        (Arithmetic(IntegerOperator.ADD, X, C, INT), INT),
        (Arithmetic(IntegerOperator.LEFT, X, B, INT), INT),
        (Arithmetic(IntegerOperator.ADD, C, Const(256), CHAR), CHAR),
        (Compare(Comparison.LESS, B, TRUE), BOOL),
        (Compare(Comparison.EQUAL, X, C), BOOL),
        (Conditional(X, X, X), INT),
        (Conditional(B, X, C), INT),
        (Not(X), BOOL),
        (Binary(Operator.AND, B, X), BOOL),
        (Updated(A, X, B), Array(INT, 2)),
        (Element(X, X), BOOL),
        (Element(A, B), INT),
        (Convert(A, INT), INT),
        (X, CHAR),
        (Const(-1), CHAR),
        (Const((1, 2, 3)), Array(INT, 2)),
    ],
)
def test_types_that_are_wrong(expr: Expr, type: Type) -> None:
    assert list(mismatches(expr, type, TYPES))


def program() -> Program:
    return load(
        "unsigned char g; int f(int n, unsigned char c) { return n + c; }\n"
        "int main(void) { int a[2] = {1, 2}; int x = 5; x = f(a[1], g); g = x; return 0; }\n",
        file="t.c",
    )


def test_a_value_of_another_type_than_its_place_is_found() -> None:
    assert validate(program()) == []
    g = Var("g")
    for action in (Assign(("x",), (g,)), Call("f", (X, X), ("x",)), Call("f", (X, g), ("g",))):
        main = program().procedure("main")
        edges = tuple(
            replace(edge, action=action) if isinstance(edge.action, type(action)) else edge for edge in main.edges
        )
        changed = replace(program(), procedures=(program().procedure("f"), replace(main, edges=edges)))
        assert any("is expected" in problem.message for problem in validate(changed))
