"""Inputs that are chosen late: their parts cover all values, and no value is in two parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knaster.program.expression import Comparison
from knaster.program.types import Int
from knaster.semantics.memory.unknown import LateInputs, Unknown, compare, to_type

BYTE = Int(8)


class Ways(LateInputs):
    """All ways, one after the other."""

    def __init__(self, digits: list[tuple[int, int]]) -> None:
        super().__init__()
        self.digits, self.position = digits, 0

    def pick(self, count: int) -> int:
        if self.position == len(self.digits):
            self.digits.append((0, count))
        self.position += 1
        return self.digits[self.position - 1][0]

    def candidates(self, low: int, high: int) -> list[int]:
        return []


def all_ways(work: Callable[[Unknown], Any]) -> list[tuple[tuple[int, int], Any]]:
    """Return what a computation gives for each part of all values of a byte."""
    found, digits = [], list[tuple[int, int]]()
    while True:
        inputs = Ways(digits)
        given = inputs.choose(BYTE, "x", None)  # type: ignore[arg-type]
        result = work(given)
        found.append((inputs.ranges[0], result))
        while digits and digits[-1][0] + 1 == digits[-1][1]:
            digits.pop()
        if not digits:
            return found
        number, count = digits.pop()
        digits.append((number + 1, count))


WORKS: list[tuple[Callable[[Any], Any], Callable[[int], Any]]] = [
    (lambda x: compare(Comparison.LESS, x, 5), lambda x: x < 5),
    (lambda x: compare(Comparison.AT_LEAST, 5, x), lambda x: x <= 5),
    (lambda x: compare(Comparison.EQUAL, x, 5), lambda x: x == 5),
    (lambda x: compare(Comparison.DIFFERENT, x.moved(-1, 3), 5), lambda x: 3 - x != 5),
    (lambda x: compare(Comparison.GREATER, x.moved(1, 100), 120), lambda x: x + 100 > 120),
    (lambda x: (bool(x), x.force()), lambda x: (x != 0, x)),
    (lambda x: compare(Comparison.LESS, to_type(x.moved(1, 1), BYTE), 0), lambda x: BYTE.wrap(x + 1) < 0),
    (lambda x: compare(Comparison.LESS, to_type(x, Int(8, False)), 200), lambda x: x % 256 < 200),
    (lambda x: compare(Comparison.LESS, x, x.moved(1, 2)), lambda x: x < x + 2),
]


@pytest.mark.parametrize("number", range(len(WORKS)))
def test_parts_are_all_values_and_agree_with_numbers(number: int) -> None:
    late, plain = WORKS[number]
    ways = all_ways(late)
    values = [value for (low, high), _ in ways for value in range(low, high + 1)]
    assert sorted(values) == list(range(-128, 128))
    for (low, high), result in ways:
        assert all(plain(value) == result for value in (low, high))


def test_what_is_nearest_to_zero_comes_first() -> None:
    ways = all_ways(lambda x: compare(Comparison.GREATER, x, 10))
    assert [low for (low, _), _ in ways] == [-128, 11]
