"""Formulas as lists of nodes, each after its operands; and lists that are no formula."""

from __future__ import annotations

import json

import pytest

from knaster.base.errors import ProofError
from knaster.evidence.proofs.formulas import formula_of_json, formula_to_json
from knaster.program.expression import (
    CHOICE,
    Arithmetic,
    Binary,
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
from knaster.program.types import BOOL, INTEGER, Int

B, X, Y = Var("b"), Var("x"), Var("y")


def test_a_formula_is_written_operands_first() -> None:
    less = Compare(Comparison.LESS, X, Const(7))
    assert formula_to_json(Binary(Operator.AND, Not(B), less)) == [
        ["variable", "b"],
        ["not"],
        ["variable", "x"],
        ["number", "7"],
        ["compare", "<"],
        ["logic", Operator.AND.value],
    ]
    assert formula_to_json(Const(True)) == [["truth", True]]


@pytest.mark.parametrize(
    "formula",
    [
        Conditional(B, X, Y),
        Arithmetic(IntegerOperator.SUBTRACT, X, Y, Int(8, False)),
        Arithmetic(IntegerOperator.SUBTRACT, X, Const(-1), INTEGER),
        Convert(X, BOOL),
        Convert(Convert(B, Int(32)), INTEGER),
        Compare(Comparison.EQUAL, Element(Var("a"), X), Y),
        Binary(Operator.IMPLIES, B, Const(False)),
    ],
)
def test_what_is_read_is_what_was_written(formula: Expr) -> None:
    again = formula_of_json(formula_to_json(formula))
    assert again == formula and type(again) is type(formula)


def test_a_choice_is_not_saved() -> None:
    with pytest.raises(ProofError, match="Choice"):
        formula_to_json(CHOICE)


@pytest.mark.parametrize(
    "rows",
    [
        [],  # nothing
        [["variable", "x"], ["variable", "y"]],  # two formulas
        [["not"]],  # no operand
        [["variable", "b"], ["logic", "&"]],
        [["maybe"]],
        [[]],
        ["truth"],
        [["truth"]],
        [["number", "x"]],
        [["variable", "b"], ["variable", "b"], ["logic", "no operator"]],
        [["variable", "x"], ["convert", 0, True]],
        [["variable", "x"], ["convert", 129, True]],
        [["variable", "x"], ["convert", 8, 1]],
        [["variable", "x"], ["variable", "x"], ["arithmetic", "+", "bool"]],
    ],
)
def test_what_is_no_formula(rows: object) -> None:
    with pytest.raises(ProofError):
        formula_of_json(rows)


def test_arrays_are_saved() -> None:
    changed = Compare(Comparison.EQUAL, Updated(Var("a"), X, Const(3)), Const((0, 3, (1, True))))
    rows = formula_to_json(changed)
    assert rows[-3:] == [["updated"], ["value", (0, 3, (1, True))], ["compare", "=="]]
    assert formula_of_json(json.loads(json.dumps(rows))) == changed
    for wrong in ([["value", 3]], [["value", ["x"]]], [["value", [1.5]]], [["value"]], [["updated"]]):
        with pytest.raises(ProofError):
            formula_of_json(wrong)


@pytest.mark.parametrize("width", [1, 128])
def test_the_narrowest_and_the_widest_type(width: int) -> None:
    rows = [["variable", "x"], ["convert", width, True]]
    assert formula_of_json(rows) == Convert(X, Int(width, True))
