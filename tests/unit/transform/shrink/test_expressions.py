"""Simpler expressions and actions, and what is left of them without a variable."""

from __future__ import annotations

from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Conditional, Expr, Not, Operator, Var, postorder
from knaster.program.flat import build_tree, flat
from knaster.program.model import Assign, Assume, Call, Return
from knaster.transform.shrink.expressions import (
    drop,
    forget,
    simpler_actions,
    simpler_expressions,
    swap,
    weight,
    without_variable,
)

X, Y = Var("x"), Var("y")
AND = Binary(Operator.AND, X, Not(Y))


def negated(times: int) -> Expr:
    expr: Expr = X
    for _ in range(times):
        expr = Not(expr)
    return expr


def test_a_list_of_nodes_is_the_expression() -> None:
    expr = Conditional(AND, CHOICE, Binary(Operator.XOR, X, TRUE))
    assert build_tree(flat(expr)) == expr
    assert sum(1 for _ in postorder(build_tree(flat(negated(20_000))))) == 20_001


def test_simpler_expressions_have_one_node_less_to_explain() -> None:
    found = list(simpler_expressions(AND))
    assert found[:5] == [TRUE, FALSE, CHOICE, X, Not(Y)]
    assert Binary(Operator.AND, X, Y) in found and Binary(Operator.AND, TRUE, Not(Y)) in found
    assert all(weight(expr) <= weight(AND) for expr in found)
    assert list(simpler_expressions(X)) == [TRUE, FALSE, CHOICE]


def test_a_variable_that_goes_is_false() -> None:
    assert without_variable(AND, "y") == Binary(Operator.AND, X, Not(FALSE))
    assert forget(Assign(("x", "y"), (Y, X)), "y") == Assign(("x",), (FALSE,))
    assert forget(Assign(("y",), (X,)), "y") == Assume(TRUE)
    assert forget(Call("f", (Y,), ("y", "x")), "y") == Call("f", (FALSE,), (None, "x"))


def test_simpler_actions() -> None:
    both = list(simpler_actions(Assign(("x", "y"), (X, Y))))
    assert Assign(("x",), (X,)) in both and Assign(("y",), (Y,)) in both and Assign(("x", "y"), (X, TRUE)) in both
    assert Assign((), ()) not in list(simpler_actions(Assign(("x",), (X,))))
    assert list(simpler_actions(Return((X,)))) == [Return((simple,)) for simple in (TRUE, FALSE, CHOICE)]
    assert next(simpler_actions(Call("f", (), ("x", None)))) == Call("f", (), (None, None))


def test_weights_prefer_constants_to_choices_to_variables() -> None:
    assert [weight(expr) for expr in (TRUE, CHOICE, X, Not(X))] == [1, 2, 3, 6]


def test_one_item_goes_or_changes() -> None:
    assert drop((1, 2, 3), 1) == (1, 3) and swap((1, 2, 3), 1, 9) == (1, 9, 3)
