"""Which branches exclude each other by their form: never two that can both be taken."""

from __future__ import annotations

from itertools import product

import pytest

pytest.importorskip("z3")

from knaster.program.evaluate import evaluate
from knaster.program.expression import TRUE, Compare, Comparison, Const, Expr, Not, Var
from knaster.program.model import Assign, Assume, Edge
from knaster.views.steps.joins import _are_exclusive

X, Y, B = Var("x"), Var("y"), Var("b")


def exclusive(*conditions: Expr) -> bool:
    return _are_exclusive([Edge(0, Assume(condition), number) for number, condition in enumerate(conditions, start=1)])


@pytest.mark.parametrize(("one", "other"), list(product(Comparison, repeat=2)))
def test_comparisons(one: Comparison, other: Comparison) -> None:
    first = Compare(one, X, Y)
    for second in (
        Compare(other, X, Y),
        Compare(other, Y, X),
        Compare(other, X, Const(1)),
        Compare(other, Const(1), Y),
    ):
        states = [{"x": x, "y": y} for x, y in product(range(3), repeat=2)]
        both = any(evaluate(first, s, iter(())) and evaluate(second, s, iter(())) for s in states)
        either = all(evaluate(first, s, iter(())) or evaluate(second, s, iter(())) for s in states)
        opposite = second == Compare(other, X, Y) and not both and either
        assert exclusive(first, second) is opposite, (first, second)


def test_other_conditions() -> None:
    assert exclusive(B, Not(B)) and exclusive(Not(B), B) and exclusive(B) and exclusive()
    assert not exclusive(B, B) and not exclusive(TRUE, B) and not exclusive(Not(B), Not(B))
    assert not exclusive(B, Not(B), B)
    edges = [Edge(0, Assign(("b",), (B,)), 1), Edge(0, Assume(Not(B)), 2)]
    assert not _are_exclusive(edges) and not _are_exclusive(edges[::-1])
