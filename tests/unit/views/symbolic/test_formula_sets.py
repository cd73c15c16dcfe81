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
