"""Compiled formulas mean what the walk over their nodes means, for every operator and in every state."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from knaster.frontends.languages import load
from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Conditional, Expr, Not, Operator, Var
from knaster.program.model import Assign
from knaster.semantics import formulas as formulas_of_python
from knaster.semantics import sequential
from knaster.semantics.formulas import DEEPEST, compile_bits, compile_formula, compile_formulas, compile_writing
from knaster.semantics.sequential import OFTEN, allows, only_values, valuations, values
from support.generators.boolean_programs import LARGE, Expressions

NAMES = ("a", "b", "c", "it's")
PRIMED = ("a", "b")
EXAMPLES = 300


def outcomes(expr: Expr, state: dict[str, bool], after: dict[str, bool]) -> tuple[bool, bool]:
    return sequential._walk(expr, state, after)


def test_compiled_formulas_have_the_value_of_the_walk() -> None:
    rng = Random(1)
    states = list(valuations(NAMES))
    for _ in range(EXAMPLES):
        expr = Expressions(rng, replace(LARGE, choice=0.0), NAMES).expression(4, PRIMED)
        formula = compile_formula(expr)
        assert formula is not None
        for state in states:
            after = rng.choice(states)
            assert bool(formula(state, after)) is outcomes(expr, state, after)[1], (expr, state, after)


def test_several_formulas_are_one_tuple_of_truth_values() -> None:
    rng = Random(2)
    for _ in range(EXAMPLES // 3):
        together = tuple(Expressions(rng, replace(LARGE, choice=0.0), NAMES).expression(3) for _ in range(3))
        formulas = compile_formulas(together)
        assert formulas is not None
        for state in valuations(NAMES):
            assert formulas(state) == tuple(outcomes(expr, state, state)[1] for expr in together)
            assert all(type(value) is bool for value in formulas(state))


def test_what_is_asked_often_is_compiled_and_says_the_same() -> None:
    rng = Random(3)
    for _ in range(EXAMPLES):
        expr = Expressions(rng, LARGE, NAMES).expression(3)  # with choices
        for _ in range(OFTEN + 2):
            state = {name: rng.random() < 0.5 for name in NAMES}
            assert values(expr, state) == outcomes(expr, state, state)


def test_values_together_are_told_only_where_there_is_one_each() -> None:
    chosen = (Var("a"), CHOICE)
    fixed = (Var("a"), Not(Var("b")))
    state = {"a": True, "b": True}
    assert [only_values(chosen, state) for _ in range(OFTEN + 1)] == [None] * (OFTEN + 1)
    assert [only_values(fixed, state) for _ in range(OFTEN + 1)][-1] == (True, False)


def test_too_deep_or_chosen_is_not_compiled() -> None:
    deep: Expr = Var("a")
    for _ in range(DEEPEST + 1):
        deep = Binary(Operator.XOR, deep, Var("b"))
    assert compile_formula(deep) is None
    assert compile_formula(Not(CHOICE)) is None
    assert compile_formulas((FALSE, CHOICE)) is None
    assert compile_formula(Conditional(Var("a"), FALSE, CHOICE)) is None


def test_long_chains_of_one_connective_need_no_brackets() -> None:
    chain: Expr = Var("a")
    for _ in range(300):
        chain = Binary(Operator.OR, Var("b"), chain)
    formula = compile_formula(chain)
    assert formula is not None and not formula({"a": False, "b": False}, {})


def test_numbers_that_are_copied_often_stay_numbers() -> None:
    """An assignment of a number was compiled as a truth value: a right step was refused, and 1 taken for any other."""
    program = load("int main(void) { int i = 0, k; k = i; return k; }\n", file="a.c")
    procedure = program.procedure("main")
    copies = [e for e in procedure.edges if isinstance(e.action, Assign) and e.action.values == (Var("i"),)]
    before = dict.fromkeys(program.scope(procedure), 0) | {"i": 5}
    for _ in range(2 * OFTEN):
        assert allows(procedure, copies[0], before, before | {"k": 5})
        assert not allows(procedure, copies[0], before, before | {"k": 1})


BITS = {"a": 2, "b": 8, "c": 1, "it's": 64}


def test_formulas_on_bits_have_the_value_of_the_walk() -> None:
    rng = Random(4)
    for _ in range(EXAMPLES):
        exprs = [Expressions(rng, replace(LARGE, choice=0.0), NAMES).expression(3) for _ in range(2)]
        exprs[0] = Binary(rng.choice(list(Operator)), Binary(Operator.AND, TRUE, exprs[0]), exprs[1])
        formula, write = compile_bits(exprs[0], BITS), compile_writing(exprs, (4, 8), BITS, 3)
        assert formula is not None and write is not None
        for state in valuations(NAMES):
            bits = sum(BITS[name] for name in NAMES if state[name])
            held = [outcomes(expr, state, state)[1] for expr in exprs]
            assert bool(formula(bits)) is held[0], exprs[0]
            assert write(bits) == bits & 3 | (4 if held[0] else 0) | (8 if held[1] else 0)


def test_what_is_not_compiled_on_bits() -> None:
    for expr in (CHOICE, Var("a", True), Not(Var("a", True))):
        assert compile_bits(expr, BITS) is None and compile_writing((Var("b"), expr), (1, 2), BITS, 0) is None
    assert compile_formula(Var("a", True)) is not None


def test_truth_values_are_made_of_numbers() -> None:
    formulas = compile_formulas((Var("a"), Not(Var("b"))))
    assert formulas is not None and formulas({"a": 1, "b": 1}) == (True, False)
    assert [type(value) for value in formulas({"a": 1, "b": 1})] == [bool, bool]


@pytest.mark.parametrize("wrap", ["not", "if", "or", "xor"])
def test_how_deep_a_formula_may_be(wrap: str) -> None:
    """Exactly so deep: one level more is not compiled."""
    expr: Expr = Var("a") if wrap != "or" else Binary(Operator.AND, Var("a"), Var("b"))
    for depth in range(1, DEEPEST + 2):
        match wrap:
            case "not":
                expr = Not(expr)
            case "if":
                expr = Conditional(Var("a"), expr, Var("b"))
            case "or":
                expr = Binary(Operator.OR if depth % 2 else Operator.AND, expr, Var("b"))
            case _:
                expr = Binary(Operator.XOR, expr, Var("b"))
        deepest = DEEPEST // 2 if wrap == "xor" else DEEPEST
        assert (compile_formula(expr) is not None) is (depth <= deepest), depth


def test_how_long_a_formula_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    for compile, length in (
        (lambda: compile_formula(Var("a")), len("s['a']")),
        (lambda: compile_formulas((Var("a"), Var("b"))), 2 * len("not not (s['a']), ")),
        (lambda: compile_writing((Var("a"),), (4,), BITS, 3), len("s & 3 | (4 if (s & 2) else 0)")),
        (lambda: compile_bits(Var("a"), BITS), len("(s & 2)")),
    ):
        for least, compiles in ((length, True), (length - 1, False)):
            monkeypatch.setattr(formulas_of_python, "LONGEST", least)
            assert (compile() is not None) is compiles
