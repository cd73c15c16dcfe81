"""Numbers that follow an input: up to the value that is noted every answer is the same, and the next one is another."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from knaster_check.memory.following import compare_following, compare_with, follow_into, follow_sum
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.values import Following, range_of
from knaster_check.program import Type
from support.kernel_desk import PLACE, Desk

SMALL: Type = ("int", 4, True)
LARGE: Type = ("int", 4, False)
SIGNS = ("==", "!=", "<", "<=", ">", ">=")


def reach(make: Any, first: int, last: int = 15) -> tuple[Any, int]:
    """Return an answer about an input that has a first value, and up to which one it is the same."""
    inputs = Inputs([first])
    given = inputs.between(0, last)
    answer = make(inputs, given)
    return answer, inputs.reach[0]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("falls", [False, True])
def test_comparisons(sign: str, falls: bool) -> None:
    def ask(inputs: Inputs, given: Following, border: int, turned: bool) -> bool:
        value = Following(10 - given.value, given.number, -1) if falls else given
        return (
            compare_following(inputs, sign, border, value) if turned else compare_following(inputs, sign, value, border)
        )

    for first, border, turned in product(range(16), range(-7, 17), (False, True)):

        def about(inputs: Inputs, given: Following, border: int = border, turned: bool = turned) -> bool:
            return ask(inputs, given, border, turned)

        answer, end = reach(about, first)
        same = [reach(about, value)[0] for value in range(first, 16)]
        assert first <= end <= 15 and all(one is answer for one in same[: end - first + 1])
        changes = next((first + at for at, one in enumerate(same) if one is not answer), 16)
        assert end + 1 == changes or sign in ("==", "!=")  # not shorter than it must be
        assert end + 1 >= min(changes, first + 1)


def test_numbers_that_are_equal_need_no_more_than_that() -> None:
    assert reach(lambda inputs, given: compare_with(inputs, "==", given, 9), 3) == (False, 8)
    assert reach(lambda inputs, given: compare_with(inputs, "==", given, 9), 9) == (True, 9)
    assert reach(lambda inputs, given: compare_with(inputs, "!=", given, 9), 10) == (True, 15)


@pytest.mark.parametrize("type", [SMALL, LARGE, ("int", None, True)])
def test_conversions(type: Type) -> None:
    bounds = range_of(type)
    for first, sign, shift in product(range(16), (1, -1), (-20, 0, 5, 30)):

        def convert(inputs: Inputs, given: Following, sign: int = sign, shift: int = shift) -> Following:
            return follow_into(inputs, Following(sign * given.value + shift, given.number, sign), type)

        found, end = reach(convert, first)
        exact = sign * first + shift
        assert bounds is None or (bounds[0] <= found.value <= bounds[1] and (found.value - exact) % 16 == 0)
        if bounds is None:
            assert found.value == exact and end == 15
        for value in range(first, 16):
            other = reach(convert, value)[0]
            follows = other.value - found.value == sign * (value - first)
            assert follows if value <= end else not follows or value > end + 1
        assert found.sign == sign and found.number == 0


@pytest.mark.parametrize("type", [SMALL, LARGE])
@pytest.mark.parametrize("sign", ["+", "-"])
def test_sums(type: Type, sign: str) -> None:
    bounds = range_of(type)
    assert bounds is not None
    for first, other, turned in product(range(8), (-3, 0, 2, 7), (False, True)):
        desk = Desk([first])
        given = desk.machine.inputs.between(0, 7)
        left, right = (other, given) if turned else (given, other)
        found = follow_sum(desk.machine, sign, left, right, type, PLACE)
        one, two = (other, first) if turned else (first, other)
        exact = one + two if sign == "+" else one - two
        assert bounds[0] <= found.value <= bounds[1] and (found.value - exact) % 16 == 0
        assert bool(desk.lapses) is (type[2] and found.value != exact)
        assert found.sign == (-1 if turned and sign == "-" else 1)


def test_two_inputs() -> None:
    for (first, second), sign in product(product(range(4), repeat=2), SIGNS):
        inputs = Inputs([first, second])
        one, other = inputs.between(0, 3), inputs.between(0, 1)
        answer = compare_following(inputs, sign, one, other)
        for a, b in product(range(first, inputs.reach[0] + 1), range(second, inputs.reach[1] + 1)):
            assert _plain(sign, a, b) is answer

    desk = Desk([2, 1])
    one, other = desk.machine.inputs.between(0, 3), desk.machine.inputs.between(0, 9)
    found = follow_sum(desk.machine, "+", one, other, ("int", 8, True), PLACE)
    assert (
        found.value == 3 and found.number == 1 and desk.machine.inputs.reach == [2, 9]
    )  # the one with less room is pinned
    found = follow_sum(desk.machine, "-", other, one, ("int", 8, True), PLACE)
    assert found.value == -1 and found.number == 1
    again = compare_following(desk.machine.inputs, "<", other, other)
    assert again is False and desk.machine.inputs.reach == [2, 9]


def _plain(sign: str, one: int, other: int) -> bool:
    return {
        "==": one == other,
        "!=": one != other,
        "<": one < other,
        "<=": one <= other,
        ">": one > other,
        ">=": one >= other,
    }[sign]
