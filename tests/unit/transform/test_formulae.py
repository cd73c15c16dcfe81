"""Formulae that reductions write: conjunctions, numbers as bits, new names, variables renamed."""

from __future__ import annotations

from itertools import product

import pytest

from knaster.base.errors import InternalError
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    CHOICE,
    FALSE,
    TRUE,
    Binary,
    Conditional,
    Const,
    Convert,
    Expr,
    Not,
    Operator,
    Var,
    variables,
)
from knaster.program.types import INTEGER
from knaster.transform.formulae import (
    Fresh,
    Number,
    all_of,
    any_of,
    choices,
    implies,
    prime_variables,
    rename_variables,
    same,
)
from support.building import SKIP, procedure, program

X, Y, Z = Var("x"), Var("y"), Var("z")


def table(expr: Expr) -> list[object]:
    """Return the values of a formula for all values of x, y and z."""
    return [
        evaluate(expr, dict(zip("xyz", values, strict=True)), iter(())) for values in product((False, True), repeat=3)
    ]


def test_connectives() -> None:
    rows = list(product((False, True), repeat=3))
    assert table(all_of([X, TRUE, Y, Z])) == [all(row) for row in rows]
    assert table(any_of([X, FALSE, Y, Z])) == [any(row) for row in rows]
    assert table(same(X, Y)) == [x == y for x, y, _ in rows]
    assert table(implies(X, Y)) == [not x or y for x, y, _ in rows]


def test_nothing_and_one_thing() -> None:
    assert all_of([]) == all_of([TRUE]) == TRUE and any_of([]) == any_of([FALSE]) == FALSE
    assert all_of([TRUE, X]) == X == any_of([X, FALSE])


def test_many_parts_are_not_deep() -> None:
    def depth(expr: Expr) -> int:
        return 1 + max(depth(expr.left), depth(expr.right)) if isinstance(expr, Binary) else 0

    assert depth(all_of([X] * 1000)) == 10


def test_numbers_are_bits_the_most_significant_first() -> None:
    number = Number(("x", "y", "z"))
    assert number.constants(6) == (TRUE, TRUE, FALSE)
    assert number.value({"x": True, "y": True, "z": False}) == 6
    for value in range(8):
        assert table(number.equals(value)) == [place == value for place in range(8)]
    assert table(Number(("x",)).same_as(Number(("y",)))) == table(same(X, Y))
    assert number.equals(7, primed=True) == all_of(Var(name, True) for name in "xyz")
    assert Number(()).value({}) == 0 and Number(()).equals(0) == TRUE


def test_new_names_are_new() -> None:
    fresh = Fresh(program("g", procedure("main", [SKIP], parameters="p", local="x")))
    assert [fresh.name(name) for name in ("g", "main", "p", "x", "y", "y", "g")] == [
        "g_",
        "main_",
        "p_",
        "x_",
        "y",
        "y_",
        "g__",
    ]


@pytest.mark.parametrize(("values", "bits"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_number_has_as_many_bits_as_its_values_need(values: int, bits: int) -> None:
    number = Fresh(program("", procedure("main", [SKIP]))).number("n", values)
    assert number.bits == {0: (), 1: ("n",), 2: ("n_1", "n_0"), 3: ("n_2", "n_1", "n_0")}[bits]


def test_variables_get_other_names() -> None:
    expr = Conditional(X, Binary(Operator.IMPLIES, Y, Not(Var("x", True))), CHOICE)
    renamed = rename_variables(expr, lambda name: name + "1")
    assert renamed == Conditional(Var("x1"), Binary(Operator.IMPLIES, Var("y1"), Not(Var("x1", True))), CHOICE)
    assert prime_variables(Binary(Operator.AND, X, Y), {"y"}) == Binary(Operator.AND, X, Var("y", True))
    assert variables(renamed) == {"x1", "y1"}


def test_integers_have_no_place_there() -> None:
    with pytest.raises(InternalError, match="Convert"):
        rename_variables(Convert(Const(1), INTEGER), str)


def test_an_arbitrary_value_for_each() -> None:
    assert choices(("a", "b")) == (CHOICE, CHOICE)
