"""The normal form of a comparison means what the comparison means, and equal ones have the same."""

from __future__ import annotations

import random
from itertools import product

import pytest

pytest.importorskip("z3")

from knaster.frontends.languages import predicate_of
from knaster.program.algebra import atoms, negation, substitute
from knaster.program.evaluate import evaluate
from knaster.program.expression import TRUE, Arithmetic, Compare, Comparison, Const, Expr, IntegerOperator, Var
from knaster.program.types import INTEGER
from knaster.views.abstraction.normal_form import normal_form
from support.exact_abstraction import read

TEXT = "int main(void) { int x; int y; return x + y; }\n"
VALUES = range(-4, 5)


def comparison(text: str, integers: str = "mathematical") -> Expr:
    return predicate_of(read(TEXT, integers), f"main: {text}").condition


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x < 0", "x <= -1", True),
        ("x < 0", "x >= 0", False),
        ("x - 1 < y", "x > y", False),
        ("x > y", "y < x", True),
        ("2 * x > 1", "x > 0", True),
        ("-1 * x > 0", "x < 0", True),
        ("x == y", "y - x != 0", False),
        ("2 * x == 3", "x != x", True),
        ("x + 1 > x", "y == y", True),
    ],
)
def test_equal_comparisons_have_one_form(one: str, other: str, same: bool) -> None:
    first, second = normal_form(comparison(one)), normal_form(comparison(other))
    assert first[0] == second[0]
    assert (first[1] == second[1]) is same


def test_machine_integers_are_left_alone_where_they_may_wrap() -> None:
    assert normal_form(comparison("x + 1 > x", "machine"))[0] != TRUE
    assert normal_form(comparison("x - 1 < y", "machine"))[0] != normal_form(comparison("x <= y", "machine"))[0]
    assert normal_form(comparison("x < 0", "machine"))[0] == normal_form(comparison("x >= 0", "machine"))[0]


def linear(choose: random.Random, depth: int) -> Expr:
    if depth == 0 or choose.random() < 0.3:
        leaves: list[Expr] = [Var("x"), Var("y"), Const(choose.randint(-3, 3))]
        return choose.choice(leaves)
    operator = choose.choice([IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY])
    return Arithmetic(operator, linear(choose, depth - 1), linear(choose, depth - 1), INTEGER)


def test_a_normal_form_means_the_same() -> None:
    choose = random.Random(7)
    for _ in range(400):
        expr = Compare(choose.choice(list(Comparison)), linear(choose, 2), linear(choose, 2))
        form, same = normal_form(expr)
        again, positive = normal_form(form)
        assert (again, positive) == (form, True)
        for x, y in product(VALUES, VALUES):
            state = {"x": x, "y": y}
            value = bool(evaluate(expr, state, iter(())))
            assert value == (bool(evaluate(form, state, iter(()))) == same), expr
            assert value != bool(evaluate(negation(expr), state, iter(())))


def test_substitution_is_simultaneous() -> None:
    expr = Compare(Comparison.LESS, Var("x"), Var("y"))
    assert substitute(expr, {"x": Var("y"), "y": Var("x")}) == Compare(Comparison.LESS, Var("y"), Var("x"))


def test_atoms_are_comparisons() -> None:
    from knaster.program.expression import Binary, Conditional, Not, Operator

    small, equal = Compare(Comparison.LESS, Var("x"), Const(0)), Compare(Comparison.EQUAL, Var("y"), Const(1))
    assert atoms(Binary(Operator.OR, Not(small), Conditional(equal, small, equal))) == [small, equal]
    chosen = Compare(Comparison.LESS, Conditional(equal, Var("x"), Var("y")), Const(0))
    assert atoms(chosen) == [equal, small, Compare(Comparison.LESS, Var("y"), Const(0))]
