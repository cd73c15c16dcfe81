"""The meaning of expressions as BDDs: every connective against the interpreter."""

from __future__ import annotations

from itertools import product

import pytest

from knaster.base.errors import InternalError
from knaster.bdd.store import Store
from knaster.checkers.boolean_meaning import meaning
from knaster.program.evaluate import evaluate
from knaster.program.expression import CHOICE, Binary, Conditional, Const, Convert, Expr, Not, Operator, Var
from knaster.program.types import INTEGER

X, Y, Z = Var("x"), Var("y"), Var("z")
EXPRESSIONS: list[Expr] = [
    X,
    Not(X),
    Const(True),
    Conditional(X, Y, Z),
    Conditional(Not(X), Binary(Operator.AND, Y, Z), Y),
    *(Binary(operator, X, Y) for operator in Operator),
]


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_every_connective(expr: Expr) -> None:
    store = Store(3, 1 << 8)
    own = {name: store.var(index) for index, name in enumerate("xyz")}
    found = meaning(store, expr, own, {}, ())
    for values in product((False, True), repeat=3):
        here = store.assignment(dict(enumerate(values)))
        expected = evaluate(expr, dict(zip("xyz", values, strict=True)), iter(()))
        assert (here & found == here) is expected


def test_primed_variables_are_those_afterwards() -> None:
    store = Store(2, 1 << 8)
    before, after = {"x": store.var(0)}, {"x": store.var(1)}
    assert meaning(store, Binary(Operator.AND, X, Not(Var("x", True))), before, after, ()) == (
        store.var(0) & ~store.var(1)
    )


def test_choices_are_taken_in_order() -> None:
    store = Store(2, 1 << 8)
    expr = Binary(Operator.IMPLIES, CHOICE, CHOICE)
    assert meaning(store, expr, {}, {}, [store.var(0), store.var(1)]) == ~store.var(0) | store.var(1)


def test_integers_are_not_covered() -> None:
    with pytest.raises(InternalError, match="Convert"):
        meaning(Store(1, 1 << 8), Convert(Const(1), INTEGER), {}, {}, ())
