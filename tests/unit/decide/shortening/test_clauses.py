"""Formulas said in fewer words: they mean the same in every state that types allow, and nothing is said twice."""

from __future__ import annotations

import itertools
import random

import pytest

from knaster.decide.shortening.clauses import clauses_of, short_form
from knaster.frontends.c.spelling import expression_to_text
from knaster.program.algebra import conjunction
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
)
from knaster.program.types import INTEGER, Int, Type

SMALL, NATURAL = Int(4, True), Int(3, False)
TYPES: dict[str, Type] = {"x": SMALL, "y": SMALL, "u": NATURAL}
STATES = [{"x": x, "y": y, "u": u} for x, y, u in itertools.product(range(-8, 8), range(-8, 8), (0, 1, 2, 5, 7))]


def _term(random: random.Random, depth: int) -> Expr:
    if depth == 0 or random.random() < 0.3:
        name = random.choice(("x", "y", "u"))
        return Const(random.randint(-9, 9)) if random.random() < 0.3 else Convert(Var(name), INTEGER)
    operator = random.choice((IntegerOperator.ADD, IntegerOperator.SUBTRACT))
    if random.random() < 0.2:
        return Arithmetic(IntegerOperator.MULTIPLY, Const(random.randint(-3, 3)), _term(random, depth - 1), INTEGER)
    if random.random() < 0.15:
        return _natural(_term(random, depth - 1), random.randint(1, 4))
    if random.random() < 0.15:
        return Conditional(_formula(random, 0), _term(random, depth - 1), _term(random, depth - 1))
    return Arithmetic(operator, _term(random, depth - 1), _term(random, depth - 1), INTEGER)


def _natural(dividend: Expr, by: int, quotient: bool = False) -> Expr:
    """Return the remainder from 0 on, or the quotient that is rounded down, as `smt.read_back` writes it."""
    rest = Arithmetic(IntegerOperator.REMAINDER, dividend, Const(by), INTEGER)
    more = Arithmetic(IntegerOperator.ADD, rest, Const(by), INTEGER)
    natural = Arithmetic(IntegerOperator.REMAINDER, more, Const(by), INTEGER)
    if not quotient:
        return natural
    return Arithmetic(
        IntegerOperator.DIVIDE, Arithmetic(IntegerOperator.SUBTRACT, dividend, natural, INTEGER), Const(by), INTEGER
    )


def _machine(random: random.Random) -> Expr:
    """Return an equation of machine integers that may wrap."""
    inner: Expr = Var("x")
    for _ in range(random.randint(1, 3)):
        if random.random() < 0.4:
            inner = Convert(Convert(inner, Int(4, False)), SMALL)
        operator = random.choice((IntegerOperator.ADD, IntegerOperator.SUBTRACT))
        inner = Arithmetic(operator, inner, Const(random.randint(0, 7)), SMALL)
    return Compare(random.choice((Comparison.EQUAL, Comparison.DIFFERENT)), inner, Const(random.randint(-8, 9)))


def _formula(random: random.Random, depth: int) -> Expr:
    if depth == 0 or random.random() < 0.2:
        if random.random() < 0.2:
            return _machine(random)
        if random.random() < 0.1:
            double = Arithmetic(IntegerOperator.MULTIPLY, Const(4), _natural(_term(random, 1), 2, True), INTEGER)
            return Compare(random.choice(list(Comparison)), double, _term(random, 1))
        return Compare(random.choice(list(Comparison)), _term(random, 2), _term(random, 1))
    if random.random() < 0.15:
        return Not(_formula(random, depth - 1))
    if random.random() < 0.1:
        return Conditional(*(_formula(random, depth - 1) for _ in range(3)))
    if random.random() < 0.1:
        return Compare(Comparison.EQUAL, Convert(_formula(random, depth - 1), SMALL), Const(random.randint(0, 2)))
    operator = random.choice((Operator.AND, Operator.AND, Operator.OR, Operator.OR, *Operator))
    return Binary(operator, _formula(random, depth - 1), _formula(random, depth - 1))


@pytest.mark.parametrize("seed", range(4))
def test_the_short_form_means_the_same(seed: int) -> None:
    chosen = random.Random(seed)
    for _ in range(15):
        formula = _formula(chosen, 3)
        short = short_form(formula, TYPES)
        for state in chosen.sample(STATES, 25):
            assert evaluate(formula, state, iter(())) == evaluate(short, state, iter(())), expression_to_text(formula)


def _at(operator: Comparison, left: str, right: Expr | int) -> Expr:
    other = Const(right) if isinstance(right, int) else right
    return Compare(operator, Convert(Var(left), INTEGER), other)


def said(*parts: Expr) -> str:
    return expression_to_text(short_form(conjunction(parts), TYPES))


def test_what_is_said_twice_is_said_once() -> None:
    least, most, same = Comparison.AT_LEAST, Comparison.AT_MOST, Comparison.EQUAL
    y = Convert(Var("y"), INTEGER)
    assert said(_at(least, "x", y), _at(most, "x", y)) == "x == y"
    assert said(_at(least, "x", 0), _at(least, "x", 3)) == "x >= 3"
    assert said(_at(least, "x", -8)) == expression_to_text(TRUE)  # its type says so
    assert said(_at(least, "x", 3), _at(most, "x", 2)) == expression_to_text(FALSE)
    either = Binary(Operator.OR, _at(most, "x", 0), _at(least, "y", 3))
    assert said(either, Binary(Operator.OR, _at(most, "x", 0), _at(most, "y", 3))) == "x <= 0 || y == 3"
    assert said(either, _at(least, "x", 1)) == "y >= 3 && x >= 1"
    assert said(either, _at(most, "x", -1)) == "x < 0" or said(either, _at(most, "x", -1)) == "x <= -1"
    assert said(_at(same, "x", 5), _at(same, "y", Convert(Var("x"), INTEGER))) == "x == 5 && y == 5"


def test_remainders() -> None:
    rest = _natural(Convert(Var("x"), INTEGER), 2)
    assert said(Compare(Comparison.AT_MOST, rest, Const(0))) == "x % 2 == 0"
    assert said(Compare(Comparison.AT_LEAST, rest, Const(1))) == "(x + 1) % 2 == 0"
    whole = Arithmetic(IntegerOperator.MULTIPLY, Const(2), _natural(Convert(Var("x"), INTEGER), 2, True), INTEGER)
    assert said(Compare(Comparison.AT_LEAST, whole, Convert(Var("x"), INTEGER))) == "x % 2 == 0"


def test_equations_of_machine_integers_are_solved() -> None:
    less = Arithmetic(IntegerOperator.SUBTRACT, Convert(Var("x"), Int(4, False)), Const(1), Int(4, False))
    assert said(Compare(Comparison.EQUAL, Convert(less, SMALL), Const(4))) == "x == 5"
    assert said(Compare(Comparison.DIFFERENT, less, Const(15))) == "x != 0"


def test_what_would_become_too_many_clauses_stays() -> None:
    wide: Expr = FALSE
    for number in range(12):
        pair = Binary(Operator.AND, _at(Comparison.EQUAL, "x", number - 6), _at(Comparison.DIFFERENT, "y", number))
        wide = Binary(Operator.OR, wide, pair)
    assert clauses_of(wide, TYPES) == [(wide,)]
