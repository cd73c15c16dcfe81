"""Connectives: the value is the same, and `=` and `=>` are gone."""

from __future__ import annotations

from itertools import product

import pytest

from knaster.program.evaluate import evaluate
from knaster.program.expression import Binary, Conditional, Expr, Not, Operator, Var, postorder
from knaster.transform.reference_models.connectives import plain

A, B, C = Var("a"), Var("b"), Var("c")


@pytest.mark.parametrize("operator", Operator)
def test_the_value_is_the_same(operator: Operator) -> None:
    for expr in (Binary(operator, A, B), Not(Binary(operator, Binary(operator, A, B), Conditional(C, A, B)))):
        found: Expr = plain(expr)
        assert not any(isinstance(n, Binary) and n.operator in ("=", "=>") for n in postorder(found))
        for a, b, c in product((False, True), repeat=3):
            state = {"a": a, "b": b, "c": c}
            assert evaluate(found, state, iter(())) == evaluate(expr, state, iter(()))
