"""Conjunctions and disjunctions: constants are folded, the rest stands from left to right as it was given."""

from __future__ import annotations

import pytest

from knaster.program.algebra import conjunction, conjuncts, disjunction
from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Expr, Operator, Var

A, B, C = Var("a"), Var("b"), Var("c")


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([], TRUE),
        ([A], A),
        ([TRUE, A, TRUE], A),
        ([A, FALSE, B], FALSE),
        ([A, B, C], Binary(Operator.AND, Binary(Operator.AND, A, B), C)),
        ([CHOICE, CHOICE], Binary(Operator.AND, CHOICE, CHOICE)),  # two choices, two inputs
    ],
)
def test_conjunction(parts: list[Expr], whole: Expr) -> None:
    assert conjunction(parts) == whole == conjunction(iter(parts))


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([], FALSE),
        ([FALSE, A, FALSE], A),
        ([A, TRUE, B], TRUE),
        ([A, B, A], Binary(Operator.OR, Binary(Operator.OR, A, B), A)),
    ],
)
def test_disjunction(parts: list[Expr], whole: Expr) -> None:
    assert disjunction(parts) == whole


def test_conjuncts_are_the_parts_in_order_however_they_are_nested() -> None:
    nested = Binary(Operator.AND, A, Binary(Operator.AND, TRUE, Binary(Operator.AND, B, C)))
    assert conjuncts(nested) == [A, B, C] == conjuncts(conjunction([A, B, C])) and conjuncts(TRUE) == []


def test_ten_thousand_parts_are_no_problem() -> None:
    assert len(conjuncts(conjunction(Var(f"v{number}") for number in range(10_000)))) == 10_000
