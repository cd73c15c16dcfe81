"""Inputs that are chosen late: their parts cover all values, and no value is in two parts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from knaster.program.expression import NOWHERE, Comparison
from knaster.program.memory import NULL, WILD, Addresses, Chunk, Floating, Snapshot
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.unknown import ENUMERATED, LateInputs, Unknown, compare, is_wide, to_type
from support.late_inputs import Ways

BYTE = Int(8)


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


def between(low: int, high: int, sign: int = 1, offset: int = 0, inputs: LateInputs | None = None) -> Unknown:
    """Return `sign` times an input of an interval plus `offset`; the first way is always taken."""
    inputs = inputs or Ways([])
    inputs.ranges.append((low, high))
    return Unknown(inputs, len(inputs.ranges) - 1, sign, offset)


ORDERS: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.DIFFERENT: operator.ne,
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.GREATER: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}


@pytest.mark.parametrize("sign", Comparison)
@pytest.mark.parametrize("turn", [1, -1])
def test_comparisons_at_every_number(sign: Comparison, turn: int) -> None:
    """An input of -2 to 2, twice its offset: with every number, from both sides."""
    for number in range(-6, 7):
        for mirrored in (False, True):
            late = _mirrored if mirrored else _plainly
            order = ORDERS[sign]
            seen: dict[int, Any] = {}
            for (low, high), result in _ways_of(partial(late, sign, number), turn, 1):
                for value in range(low, high + 1):
                    assert value not in seen
                    seen[value] = result
            assert sorted(seen) == list(range(-2, 3))
            for value, result in seen.items():
                moved = turn * value + 1
                assert result is (order(number, moved) if mirrored else order(moved, number))


def _plainly(sign: Comparison, number: int, x: Unknown) -> bool:
    return compare(sign, x, number)


def _mirrored(sign: Comparison, number: int, x: Unknown) -> bool:
    return compare(sign, number, x)


def _ways_of(late: Callable[[Unknown], Any], sign: int, offset: int) -> list[tuple[tuple[int, int], Any]]:
    found, digits = [], list[tuple[int, int]]()
    while True:
        inputs = Ways(digits)
        result = late(between(-2, 2, sign, offset, inputs))
        found.append((inputs.ranges[0], result))
        while digits and digits[-1][0] + 1 == digits[-1][1]:
            digits.pop()
        if not digits:
            return found
        number, count = digits.pop()
        digits.append((number + 1, count))


def test_bounds_and_sizes() -> None:
    one, other = between(2, 5, 1, 10), between(2, 5, -1, 10)
    assert (one.bounds, other.bounds, one.size) == ((12, 15), (5, 8), 4)
    assert other.moved(-1, 1).bounds == (-7, -4) and one.moved(-1, 1).bounds == (-14, -11)
    assert between(3, 3, -1, 10).settled() == 7 and one.settled() is one
    assert between(3, 3, -1, 10).force() == 7
    assert between(6, 6) >> 1 == 3 and between(6, 6) & 3 == 2


def test_parts_that_are_empty_are_left_out() -> None:
    x = between(0, 9, -1, 9)
    assert x.decide([(20, 30), (0, 3), (4, 9)]) == 2 and x.inputs.ranges == [(0, 5)]
    assert between(0, 9).decide([(20, 30), (9, 50)]) == 1
    assert between(0, 9).decide([(-5, 0)]) == 0


def test_two_inputs() -> None:
    """The one with fewer values is chosen; of one input only the offsets count, and vague ones are not chosen."""
    inputs = Ways([])
    one, other = between(0, 9, inputs=inputs), between(5, 7, inputs=inputs)
    assert compare(Comparison.LESS, one, other) is True and inputs.ranges == [(0, 4), (5, 5)]
    inputs = Ways([])
    one, other = between(0, 2, inputs=inputs), between(0, 2, inputs=inputs)
    assert compare(Comparison.LESS, one, other) is False and inputs.ranges == [(0, 0), (0, 0)]
    same = between(0, 9)
    assert compare(Comparison.LESS, same, same.moved(1, 1)) is True and compare(Comparison.EQUAL, same, same) is True
    assert same.inputs.ranges == [(0, 9)]
    assert compare(Comparison.EQUAL, same, same.moved(-1, 1)) is False and same.inputs.ranges == [(0, 0)]


@pytest.mark.parametrize("sign", Comparison)
def test_one_input_and_itself(sign: Comparison) -> None:
    x = between(0, 9)
    for one, other in ((0, 1), (1, 0), (1, 1)):
        assert compare(sign, x.moved(1, one), x.moved(1, other)) is ORDERS[sign](one, other)
        assert compare(sign, one, other) is ORDERS[sign](one, other)
    assert x.inputs.ranges == [(0, 9)]


def test_inputs_have_numbers() -> None:
    inputs = Ways([])
    chosen = [inputs.choose(BYTE, "", NOWHERE) for _ in range(3)] + [inputs.any_value(0, 1) for _ in range(3)]
    assert [each.index for each in chosen] == list(range(6))
    assert inputs.order == [("range", number) for number in range(6)]


def test_vague_inputs_are_compared_without_choosing() -> None:
    for size, chosen in ((ENUMERATED, True), (ENUMERATED + 1, False)):
        inputs = Ways([])
        inputs.vague = True
        one, other = between(1, size, inputs=inputs), between(1, 1000, inputs=inputs)
        assert is_wide(one, 1) is is_wide(1, one) is (not chosen)
        compare(Comparison.EQUAL, one, other)
        assert (inputs.ranges != [(1, size), (1, 1000)]) is chosen
    assert not is_wide(10**9, 1)


def test_wrapping() -> None:
    byte = Int(8)
    for low, high in [(-128, 127), (-100, 5), (127, 127)]:
        x = between(low, high)
        assert to_type(x, byte) is x
    assert to_type(between(128, 128), byte) == -128 and to_type(between(-129, -129), byte) == 127
    assert to_type(between(1000, 1001), Int(None)).bounds == (1000, 1001)
    moved = to_type(between(130, 140), byte)
    assert moved.bounds == (-126, -116) and moved.force() == -126
    late = between(-384, 639)  # four turns: parts are decided; a fifth: a number is chosen
    assert to_type(late, byte).bounds == (-128, 127) and late.inputs.ranges == [(-128, 127)]
    late = between(-385, 639, inputs=Some([]))
    assert to_type(late, byte) == 127 and late.force() == 639


class Some(Ways):
    """Candidates that are worth trying."""

    def candidates(self, low: int, high: int) -> list[int]:
        return [high, low]


def test_numbers_are_chosen_one_by_one_where_they_are_few() -> None:
    for high, count, complete in ((ENUMERATED - 1, ENUMERATED, True), (ENUMERATED, 2, False)):
        digits: list[tuple[int, int]] = []
        inputs = Some(digits)
        x = between(0, high, inputs=inputs)
        assert x.force() == high and digits == [(0, count)] and inputs.complete is complete
        assert inputs.ranges == [(high, high)]
    inputs = Some([(2, 3)])
    assert between(4, 6, inputs=inputs).force() == 5


def test_nothing_is_chosen_where_inputs_are_frozen() -> None:
    inputs = Ways([])
    x, known = between(0, 9, inputs=inputs), between(3, 3, inputs=inputs)
    inputs.frozen = True
    assert known.force() == 3 and (x < 20) is True
    for step in (x.force, lambda: x < 5, lambda: inputs.choose(BYTE, "x", NOWHERE)):
        with pytest.raises(Unclear, match="not chosen yet"):
            step()


def test_inputs_by_type() -> None:
    for digit, truth, pointer in ((0, False, NULL), (1, True, WILD)):
        inputs = Ways([(digit, 2), (digit, 2)])
        assert inputs.choose(BOOL, "", NOWHERE) is truth and inputs.choose(Addresses(8), "", NOWHERE) == pointer
        assert inputs.values == (truth, pointer)
    inputs = Ways([(3, 4)])
    assert inputs.choose(Floating(64), "", NOWHERE) == 0.5 and not inputs.complete
    number = inputs.choose(BYTE, "", NOWHERE)
    assert number.bounds == (-128, 127) and inputs.any_value(3, 9).bounds == (3, 9)
    assert inputs.choose(Chunk(3), "", NOWHERE) == Snapshot(3, ())
    assert inputs.values == (0.5, 0, 3, Snapshot(3, ()))
    for type in (Int(None), "text"):
        with pytest.raises(TypeError):
            inputs.choose(type, "", NOWHERE)


def test_values_are_as_near_to_zero_as_they_can_be() -> None:
    inputs = Ways([])
    for low, high in ((-9, -4), (-9, 4), (4, 9), (0, 3), (-3, 0)):
        inputs.any_value(low, high)
    assert inputs.values == (-4, 0, 4, 0, 0)
    assert inputs.narrow(0, [(-9, -8), (-7, -6), (-5, -4)]) == 2 and inputs.ranges[0] == (-5, -4)
    assert inputs.narrow(1, [(-9, -1), (1, 4)]) == 0
