"""Sets of minterms as conditions: short, and true of the same states."""

from __future__ import annotations

import os
from itertools import product
from random import Random

import pytest

from knaster.engines.integers.yasm.conditions import MOST_MINTERMS, condition
from knaster.frontends.c.spelling import SPELLING
from knaster.program.evaluate import evaluate
from knaster.program.expression import FALSE, TRUE, Arithmetic, Compare, Comparison, Const, Expr, IntegerOperator, Var
from knaster.program.types import Int

VALUES = range(-4, 5)
EXAMPLES = 60 * int(os.environ.get("KNASTER_EXAMPLES", "1"))


def more(name: str, bound: int) -> Expr:
    return Compare(Comparison.GREATER, Var(name), Const(bound))


def minterm(literals: list[Expr], x: int, y: int) -> tuple[bool, ...]:
    return tuple(bool(evaluate(literal, {"x": x, "y": y}, iter(()))) for literal in literals)


def shown(literals: list[Expr], text: str) -> str:
    """Return the condition for the states of which a condition in Python holds."""
    states = list(product(VALUES, VALUES))
    yes = frozenset(minterm(literals, x, y) for x, y in states if eval(text, {"x": x, "y": y}))
    found = condition(yes, frozenset(minterm(literals, x, y) for x, y in states), literals)
    assert found is not None
    return SPELLING.expression(found)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("x > 0", "x > 0"),
        ("x > 2", "x > 2"),
        ("x <= 0", "x <= 0"),
        ("x == 3", "x == 3"),
        ("x != 3", "x != 3"),
        ("x > 0 and y > 1", "x > 0 && y > 1"),
        ("x > 0 or y > 1", "x > 0 || y > 1"),
        ("not (x > 0 and y > 1)", "x <= 0 || y <= 1"),
        ("x > 3 or (x <= 0 and y > 1)", "x > 3 || x <= 0 && y > 1"),
        ("x == 3 and y > 1", "x == 3 && y > 1"),
    ],
)
def test_a_condition_is_as_short_as_a_person_would_write_it(asked: str, text: str) -> None:
    assert shown([more("x", 0), more("x", 2), more("x", 3), more("y", 1)], asked) == text


def test_constants_are_added_once() -> None:
    plus = Arithmetic(IntegerOperator.ADD, Var("x"), Const(2), Int(32))
    minus = Arithmetic(IntegerOperator.SUBTRACT, plus, Const(5), Int(32))
    assert shown([Compare(Comparison.LESS, minus, Var("y"))], "x - 3 < y") == "x - 3 < y"
    none = Arithmetic(IntegerOperator.ADD, minus, Const(3), Int(32))
    assert shown([Compare(Comparison.LESS, none, Var("y"))], "x < y") == "x < y"


def test_random_conditions_hold_where_they_should() -> None:
    for seed in range(EXAMPLES):
        choose = Random(seed)
        literals = [more(choose.choice("xy"), choose.choice(VALUES)) for _ in range(choose.randint(1, 5))]
        literals.append(Compare(choose.choice([Comparison.EQUAL, Comparison.LESS]), Var("x"), Var("y")))
        states = list(product(VALUES, VALUES))
        possible = frozenset(minterm(literals, x, y) for x, y in states)
        yes = frozenset(one for one in sorted(possible) if choose.random() < 0.5)
        found = condition(yes, possible, literals)
        assert found is not None
        for x, y in states:
            assert evaluate(found, {"x": x, "y": y}, iter(())) == (minterm(literals, x, y) in yes), f"seed {seed}"


def test_what_is_trivial_and_what_is_too_long() -> None:
    literals = [more("x", bound) for bound in range(12)]
    whole = frozenset(product((False, True), repeat=12))
    assert len(whole) > MOST_MINTERMS and condition(frozenset(sorted(whole)[:7]), whole, literals) is None
    assert condition(frozenset(), whole, literals) == FALSE and condition(whole, whole, literals) == TRUE
