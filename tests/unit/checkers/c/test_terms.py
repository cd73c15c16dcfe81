"""Bounds of results: never narrower than what an operator can return, and as narrow as they are said to be."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from knaster.checkers.c.terms import Term, bounds_of, fits, is_within, join_bounds
from knaster.program.evaluate import evaluate
from knaster.program.expression import Arithmetic, Const, IntegerOperator
from knaster.program.state import Undefined
from knaster.program.types import INTEGER, Int

RANGES = [(low, high) for low in range(-3, 4) for high in range(low, 4)]
NOTHING: Any = None  # a term that nobody looks at


def term(low: int | None, high: int | None) -> Term:
    return Term(NOTHING, INTEGER, low, high)


@pytest.mark.parametrize("operator", IntegerOperator, ids=lambda operator: operator.name)
def test_no_result_is_outside(operator: IntegerOperator) -> None:
    results: dict[tuple[int, int], int] = {}
    for x, y in product(range(-3, 4), repeat=2):
        try:
            value = evaluate(Arithmetic(operator, Const(x), Const(y), INTEGER), {}, iter(()))
            assert isinstance(value, int)
            results[x, y] = value
        except Undefined:
            results[x, y] = 0
    for (a, b), (c, d) in product(RANGES, repeat=2):
        low, high = bounds_of(operator, term(a, b), term(c, d))
        for x, y in product(range(a, b + 1), range(c, d + 1)):
            assert (low is None or low <= results[x, y]) and (high is None or results[x, y] <= high)


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        (IntegerOperator.ADD, (1, 2), (10, 20), (11, 22)),
        (IntegerOperator.SUBTRACT, (1, 2), (10, 20), (-19, -8)),
        (IntegerOperator.SUBTRACT, (1, None), (10, 20), (-19, None)),
        (IntegerOperator.MULTIPLY, (-2, 3), (4, 5), (-10, 15)),
        (IntegerOperator.MULTIPLY, (-2, None), (4, 5), (None, None)),
        (IntegerOperator.DIVIDE, (0, 9), (0, None), (0, 9)),
        (IntegerOperator.REMAINDER, (0, 100), (7, 7), (0, 6)),
        (IntegerOperator.REMAINDER, (None, None), (7, 7), (-6, 6)),
        (IntegerOperator.LEFT, (1, 3), (2, 2), (0, 12)),
        (IntegerOperator.RIGHT, (4, 9), (1, 3), (0, 9)),
    ],
)
def test_bounds_are_narrow(
    operator: IntegerOperator,
    left: tuple[int | None, int | None],
    right: tuple[int | None, int | None],
    expected: tuple[int | None, int | None],
) -> None:
    assert bounds_of(operator, term(*left), term(*right)) == expected


def test_one_of_two() -> None:
    assert join_bounds(term(1, 2), term(-5, 0)) == (-5, 2)
    assert join_bounds(term(None, 2), term(-5, None)) == (None, None)


def test_what_bounds_say() -> None:
    assert term(3, 3).constant == 3 and term(3, 4).constant is None and term(None, None).constant is None
    assert fits(term(-128, 127), Int(8)) and not fits(term(-128, 128), Int(8)) and not fits(term(0, None), Int(8))
    assert fits(term(None, None), INTEGER)
    assert is_within(0, 3, 0, 3) and not is_within(0, 4, 0, 3) and not is_within(None, 3, 0, 3)


OPEN = (((None, 5), (0, 6)), ((0, None), (0, 6)), ((0, 5), (None, 6)), ((0, 5), (0, None)))  # one bound is not known


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        (IntegerOperator.DIVIDE, (0, None), (0, None), (0, None)),
        (IntegerOperator.DIVIDE, (None, 5), (1, 5), (None, None)),
        (IntegerOperator.DIVIDE, (0, None), (None, None), (None, None)),
        (IntegerOperator.DIVIDE, (0, None), (-1, 5), (None, None)),
        (IntegerOperator.DIVIDE, (-1, None), (0, 5), (None, None)),
        (IntegerOperator.DIVIDE, (-9, 4), (None, None), (-9, 9)),
        (IntegerOperator.REMAINDER, (0, 100), (None, None), (0, 100)),
        (IntegerOperator.REMAINDER, (None, 5), (7, 7), (-6, 6)),
        (IntegerOperator.REMAINDER, (-5, 0), (7, 7), (-5, 0)),
        (IntegerOperator.REMAINDER, (0, None), (None, 3), (0, None)),
        (IntegerOperator.REMAINDER, (None, 0), (3, None), (None, 0)),
        (IntegerOperator.REMAINDER, (-9, 9), (-3, 2), (-2, 2)),
        (IntegerOperator.LEFT, (1, 3), (0, 0), (0, 3)),
        (IntegerOperator.LEFT, (1, 1), (4096, 4096), (0, 1 << 4096)),
        (IntegerOperator.LEFT, (1, 1), (4097, 4097), (None, None)),
        (IntegerOperator.LEFT, (1, 1), (-1, -1), (None, None)),
        (IntegerOperator.LEFT, (1, 1), (0, 1), (None, None)),
        (IntegerOperator.LEFT, (None, 1), (1, 1), (None, None)),
        (IntegerOperator.RIGHT, (None, 5), (1, 1), (None, None)),
        (IntegerOperator.RIGHT, (5, None), (1, 1), (None, None)),
        (IntegerOperator.RIGHT, (-5, -2), (1, 1), (-5, 0)),
        (IntegerOperator.AND, (0, 5), (0, 6), (0, 7)),
        (IntegerOperator.OR, (0, 5), (1, 8), (0, 15)),
        (IntegerOperator.XOR, (-1, 5), (0, 6), (-8, 7)),
        *((IntegerOperator.AND, *pair, (None, None)) for pair in OPEN),
        *((IntegerOperator.MULTIPLY, *pair, (None, None)) for pair in OPEN),
        (IntegerOperator.ADD, (None, 2), (1, 3), (None, 5)),
        (IntegerOperator.ADD, (2, None), (None, 3), (None, None)),
    ],
)
def test_bounds_that_are_not_known(
    operator: IntegerOperator,
    left: tuple[int | None, int | None],
    right: tuple[int | None, int | None],
    expected: tuple[int | None, int | None],
) -> None:
    assert bounds_of(operator, term(*left), term(*right)) == expected
