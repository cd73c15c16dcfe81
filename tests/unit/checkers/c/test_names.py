"""Names of their own: every variable of an expression becomes its value in a state, every input a new variable."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from knaster.checkers.c.names import Names, all_of, any_of
from knaster.program.expression import (
    CHOICE,
    FALSE,
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
    variables,
)
from knaster.program.types import BOOL, INTEGER, Int

A, B, C = Var("a"), Var("b"), Var("c")
STATE: dict[str, Expr] = {"a": Var("a#1"), "b": Var("b#2"), "c": Var("c#3")}


@pytest.mark.parametrize(
    "make",
    [
        lambda x, y, z: Conditional(x, y, z),
        lambda x, y, z: Binary(Operator.IMPLIES, x, Not(y)),
        lambda x, y, z: Arithmetic(IntegerOperator.SUBTRACT, x, y, Int(8)),
        lambda x, y, z: Compare(Comparison.LESS, x, Convert(y, INTEGER)),
        lambda x, y, z: Element(Updated(x, y, z), z),
    ],
)
def test_every_variable_is_its_value(make: Callable[[Expr, Expr, Expr], Expr]) -> None:
    assert Names().rename(make(A, B, C), STATE) == make(Var("a#1"), Var("b#2"), Var("c#3"))


def test_primed_variables_are_those_afterwards() -> None:
    assert Names().rename(Binary(Operator.AND, A, Var("a", True)), STATE, {"a": TRUE}) == Binary(
        Operator.AND, Var("a#1"), TRUE
    )
    with pytest.raises(KeyError):
        Names().rename(Var("other"), STATE)


def test_names_are_given_once() -> None:
    names = Names()
    first, second = names.variable("x", INTEGER), names.truth()
    assert first.name != second.name and names.types == {first.name: INTEGER, second.name: BOOL}
    assert names.name("x") not in (first, second) and len(names.types) == 2


def test_every_input_is_a_variable_or_what_somebody_says() -> None:
    names = Names()
    expr = names.rename(Binary(Operator.AND, CHOICE, CHOICE), {})
    assert isinstance(expr, Binary) and expr.left != expr.right
    assert names.inputs == variables(expr)
    names.given = 5
    assert names.rename(Choice(Int(8)), {}) == Const(5)
    assert names.rename(CHOICE, {}) != Const(5)  # 5 is no truth value
    assert len(names.inputs) == 3


def test_several_conditions() -> None:
    assert any_of([]) == FALSE and all_of([]) == TRUE and any_of([A]) == all_of([A]) == A
    assert any_of([A, B]) == Binary(Operator.OR, A, B) and all_of([A, B]) == Binary(Operator.AND, A, B)
