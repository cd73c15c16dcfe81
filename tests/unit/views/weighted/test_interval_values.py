"""Intervals of expressions hold every value, and conditions leave every state in which they can be true."""

from __future__ import annotations

from itertools import product
from random import Random

from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
)
from knaster.program.types import Int
from knaster.views.weighted.interval_values import Interval, hull, interval_of, meet, refine

BYTE, WIDE = Int(3), Int(6)
TYPES = {"x": BYTE, "y": BYTE}


def number(rng: Random, depth: int) -> Expr:
    if not depth or rng.random() < 0.3:
        leaf = Var(rng.choice("xy")) if rng.random() < 0.7 else Const(rng.randint(-4, 3))
        return Convert(leaf, WIDE)
    operators = [IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY, IntegerOperator.AND]
    made = Arithmetic(rng.choice(operators), number(rng, depth - 1), number(rng, depth - 1), WIDE)
    return made if rng.random() < 0.6 else Arithmetic(IntegerOperator.REMAINDER, made, Const(rng.randint(1, 5)), WIDE)


def condition(rng: Random, depth: int) -> Expr:
    if not depth or rng.random() < 0.4:
        return Compare(rng.choice(list(Comparison)), number(rng, 1), number(rng, 1))
    if rng.random() < 0.3:
        return Not(condition(rng, depth - 1))
    return Binary(rng.choice([Operator.AND, Operator.OR]), condition(rng, depth - 1), condition(rng, depth - 1))


def inside(value: int, interval: Interval) -> bool:
    return (interval[0] is None or value >= interval[0]) and (interval[1] is None or value <= interval[1])


def test_every_value_is_inside() -> None:
    for seed in range(150):
        rng = Random(f"intervals {seed}")
        bounds = {name: tuple(sorted((rng.randint(-4, 3), rng.randint(-4, 3)))) for name in "xy"}
        states = [{"x": x, "y": y} for x, y in product(*(range(low, high + 1) for low, high in bounds.values()))]
        expr, asked = number(rng, 2), condition(rng, 2)
        value = interval_of(expr, bounds, TYPES)  # type: ignore[arg-type]
        assert all(inside(int(evaluate(expr, state, iter(()))), value) for state in states), seed  # type: ignore[arg-type]
        left = refine(asked, True, dict(bounds), TYPES)  # type: ignore[arg-type]
        for state in states:
            if evaluate(asked, state, iter(())):
                assert left is not None, seed
                assert all(inside(state[name], left[name]) for name in left), seed


def test_hull_and_meet() -> None:
    assert hull((0, 2), (5, None)) == (0, None)
    assert meet((0, 5), (3, None)) == (3, 5)
    assert meet((0, 2), (3, 4)) is None
