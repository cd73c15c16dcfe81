"""Justifications: few variables that force a value, whatever the others are."""

from __future__ import annotations

from itertools import product

import pytest

from knaster.evidence.traces.justification import is_definite, justify
from knaster.program.evaluate import evaluate
from knaster.program.expression import CHOICE, Binary, Compare, Comparison, Conditional, Const, Expr, Not, Operator, Var

X, Y, Z = Var("x"), Var("y"), Var("z")
EXPRESSIONS: list[Expr] = [
    X,
    Not(Y),
    Conditional(X, Y, Z),
    Binary(Operator.AND, X, Binary(Operator.OR, Y, Not(Z))),
    Binary(Operator.IMPLIES, Binary(Operator.XOR, X, Y), Z),
    Binary(Operator.XOR, X, Binary(Operator.AND, Y, Z)),
    Binary(Operator.EQUAL, Binary(Operator.OR, X, Y), Z),
    *(Binary(operator, X, Y) for operator in Operator),
]


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_what_justifies_forces_the_value(expr: Expr) -> None:
    for values in product((False, True), repeat=3):
        state = dict(zip("xyz", values, strict=True))
        value = evaluate(expr, state, iter(()))
        needs = justify(expr, value, state, None, ())
        assert not needs.new and is_definite(expr, state, needs.old)
        for others in product((False, True), repeat=3):
            other = {name: state[name] if name in needs.old else new for name, new in zip("xyz", others, strict=True)}
            assert evaluate(expr, other, iter(())) is value


def test_one_operand_is_enough_and_what_is_free_is_preferred() -> None:
    both = Binary(Operator.AND, X, Y)
    state = {"x": False, "y": False}
    assert len(justify(both, False, state, None, ()).old) == 1
    assert justify(both, False, state, None, {"y"}).old == {"y"}
    assert justify(both, True, {"x": True, "y": True}, None, ()).old == {"x", "y"}


def test_a_choice_costs_nothing() -> None:
    assert justify(Binary(Operator.OR, X, CHOICE), True, {"x": True}, None, ()).old == set()
    assert not is_definite(Binary(Operator.OR, X, CHOICE), {"x": False}, {"x"})
    assert is_definite(Binary(Operator.OR, X, CHOICE), {"x": True}, {"x"})


def test_new_values_are_named_apart() -> None:
    same = Binary(Operator.EQUAL, X, Var("x", True))
    needs = justify(same, True, {"x": True}, {"x": True}, ())
    assert needs.old == {"x"} == needs.new


def test_numbers_need_all_that_is_read() -> None:
    less = Compare(Comparison.LESS, X, Y)
    assert justify(less, True, {"x": 1, "y": 2}, None, ()).old == {"x", "y"}
    assert justify(Const(True), True, {}, None, ()).old == set()
