"""Inputs of a path: choices get names, and those of which a guard says all that matters get values."""

from __future__ import annotations

from knaster.program.expression import CHOICE, Binary, Choice, Compare, Comparison, Const, Expr, Not, Operator, Var
from knaster.program.types import BOOL, INTEGER, Int
from knaster.views.steps.inputs import name_choices, settle_inputs
from knaster.views.steps.paths import Input

ONE, TWO = Var("?1"), Var("?2")
NUMBERS = (Input("?1", INTEGER, 0), Input("?2", INTEGER, 1))


def compare(comparison: Comparison, number: int) -> Expr:
    return Compare(comparison, ONE, Const(number))


def test_choices_get_names_in_order() -> None:
    inputs: list[Input] = []
    found = name_choices(Binary(Operator.AND, CHOICE, Compare(Comparison.LESS, Choice(Int(8)), Var("x"))), inputs, 4)
    assert found == Binary(Operator.AND, ONE, Compare(Comparison.LESS, TWO, Var("x")))
    assert [(one.name, one.type, one.edge) for one in inputs] == [("?1", BOOL, 4), ("?2", Int(8), 4)]


def test_a_guard_that_says_which() -> None:
    guard, values, inputs = settle_inputs((compare(Comparison.EQUAL, 7),), {"x": ONE, "y": TWO}, NUMBERS)
    assert guard == () and values == {"x": Const(7), "y": TWO}
    assert [one.value for one in inputs] == [7, None]


def test_a_guard_that_says_which_it_is_not() -> None:
    different = compare(Comparison.DIFFERENT, 0)
    guard, _, inputs = settle_inputs((different,), {"y": TWO}, NUMBERS)
    assert guard == () and inputs[0].value == 1
    kept = settle_inputs((different,), {"x": ONE}, NUMBERS)  # somebody reads it: any but 0 would do
    assert kept == ((different,), {"x": ONE}, NUMBERS)


def test_truths() -> None:
    truths = (Input("?1", BOOL, 0), Input("?2", BOOL, 0))
    _, values, inputs = settle_inputs((ONE, Not(TWO)), {"x": ONE}, truths)
    assert values == {"x": Const(True)} and [one.value for one in inputs] == [True, False]


def test_a_value_of_another_type_settles_nothing() -> None:
    small = (Input("?1", Int(8), 0),)
    far = compare(Comparison.EQUAL, 1000)
    assert settle_inputs((far,), {}, small) == ((far,), {}, small)
