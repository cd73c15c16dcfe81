"""Expressions as BDDs agree with the interpreter in every state, choices included."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from knaster.bdd.store import Bdd, Store
from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Conditional, Expr, Not, Operator, Var
from knaster.semantics.sequential import values as concrete
from knaster.views.symbolic.formula_sets import equation, values

NAMES = ("a", "b", "c")

expressions: st.SearchStrategy[Expr] = st.recursive(
    st.sampled_from([TRUE, FALSE, CHOICE, *map(Var, NAMES)]),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(Binary, st.sampled_from(Operator), inner, inner),
        st.builds(Conditional, inner, inner, inner),
    ),
    max_leaves=12,
)


@given(expressions)
def test_values_are_those_of_the_interpreter(expr: Expr) -> None:
    store = Store(len(NAMES) + 1, 1 << 12)

    def read(node: Var) -> Bdd:
        return store.var(NAMES.index(node.name))

    false, true = values(store, expr, read)
    equal = equation(store, store.var(3), expr, read)
    for bits in product((False, True), repeat=len(NAMES)):
        state = store.assignment(dict(enumerate(bits)))
        can_be_false, can_be_true = concrete(expr, dict(zip(NAMES, bits, strict=True)))
        assert (false & state != store.false) == can_be_false
        assert (true & state != store.false) == can_be_true
        assert (equal & state & store.var(3) != store.false) == can_be_true
        assert (equal & state & ~store.var(3) != store.false) == can_be_false


def test_an_expression_of_ten_thousand_levels() -> None:
    store = Store(1, 1 << 12)
    expr: Expr = Var("a")
    for _ in range(10_001):
        expr = Not(expr)
    assert values(store, expr, lambda _: store.var(0)).true == ~store.var(0)


def test_long_chains_are_the_same_however_they_are_nested() -> None:
    names = [f"x{number}" for number in range(37)]
    store = Store(len(names), 1 << 14)
    left: Expr = Var(names[0])
    right: Expr = Var(names[-1])
    for first, last in zip(names[1:], reversed(names[:-1]), strict=True):
        left = Binary(Operator.AND, left, Var(first))
        right = Binary(Operator.AND, Var(last), right)

    def read(node: Var) -> Bdd:
        return store.var(names.index(node.name))

    whole = store.assignment({number: True for number in range(len(names))})
    both = Binary(Operator.OR, left, Not(Binary(Operator.AND, right, CHOICE)))
    assert values(store, left, read) == values(store, right, read) == (~whole, whole)
    assert values(store, both, read) == (store.false, store.true)
