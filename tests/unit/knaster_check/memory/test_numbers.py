"""Arithmetic, comparisons and conversions of the kernel: every value of small types, and numbers made of pointers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knaster_check.memory.faults import Undefined
from knaster_check.memory.numbers import cast, compare, compute, is_true, is_within, to_address, wrap
from knaster_check.memory.values import NULL, Address, Following, Image, Piece
from knaster_check.program import Type
from knaster_check.refused import Unsupported
from support.kernel_desk import PLACE, Desk

TYPES: list[Type] = [("int", 3, True), ("int", 3, False), ("int", 1, False)]
EXACT: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
HERE, THERE = Address(1, 8), Address(2, 0)


def values(type: Type) -> range:
    _, width, signed = type
    return range(-(1 << width - 1), 1 << width - 1) if signed else range(1 << width)


def congruent(exact: int, type: Type) -> int:
    return next(value for value in values(type) if (value - exact) % (1 << type[1]) == 0)


def result(sign: str, one: Any, other: Any, type: Type) -> Any:
    """Return a result, and whether an overflow was noted."""
    desk = Desk()
    try:
        found = compute(desk.machine, sign, one, other, type, PLACE)
    except Undefined as undefined:
        return undefined.kind
    assert desk.lapses in ([], ["overflow"])
    return found, bool(desk.lapses)


@pytest.mark.parametrize("type", TYPES)
def test_sums_wrap_and_are_noted(type: Type) -> None:
    for sign, exact in EXACT.items():
        for a in values(type):
            for b in values(type):
                found = congruent(exact(a, b), type)
                assert result(sign, a, b, type) == (found, type[2] and found != exact(a, b))


@pytest.mark.parametrize("type", TYPES)
def test_division_goes_towards_zero(type: Type) -> None:
    for a in values(type):
        assert result("/", a, 0, type) == result("%", a, 0, type) == "division"
        for b in values(type):
            if b:
                quotient = abs(a) // abs(b) * (-1 if a * b < 0 else 1)
                fits = quotient in values(type)
                assert result("/", a, b, type) == (congruent(quotient, type), not fits)
                assert result("%", a, b, type) == (a - quotient * b if fits else 0, not fits)


@pytest.mark.parametrize("type", TYPES)
def test_shifts(type: Type) -> None:
    for a in values(type):
        for b in (-1, type[1], type[1] + 1):
            assert result("<<", a, b, type) == result(">>", a, b, type) == "shift"
        for b in range(type[1]):
            left = congruent(a << b, type)
            assert result(">>", a, b, type) == (a >> b, False)
            assert result("<<", a, b, type) == (left, type[2] and (a < 0 or left != a << b))


def test_numbers_without_a_width() -> None:
    whole: Type = ("int", None, True)
    assert result("+", 1 << 70, 1, whole) == ((1 << 70) + 1, False)
    assert result("<<", 1, (1 << 16) - 1, whole) == (1 << 65535, False) and result("<<", 1, 1 << 16, whole) == "shift"


def test_numbers_made_of_pointers() -> None:
    long: Type = ("int", 64, False)
    assert result("+", HERE, 3, long) == (Address(1, 11), False) == result("+", 3, HERE, long)
    assert result("-", HERE, 3, long) == (Address(1, 5), False)
    assert result("-", HERE, Address(1, 2), long) == (6, False)
    assert result("&", Address(1, 13), 7, long) == (5, False) and result("&", HERE, 0, long) == (0, False)
    for sign, one, other in (
        *[("-", HERE, THERE), ("-", 3, HERE), ("&", HERE, 8), ("&", HERE, -1), ("*", HERE, 2), ("&", 7, HERE)],
        *[("+", HERE, THERE), ("+", Piece(HERE, 0, 8), 1), ("+", 1, Piece(HERE, 0, 8))],
    ):
        with pytest.raises(Unsupported, match="computed"):
            result(sign, one, other, long)


@pytest.mark.parametrize(
    ("sign", "one", "other", "holds"),
    [
        *[("==", HERE, HERE, True), ("!=", HERE, HERE, False), ("==", HERE, THERE, False), ("!=", HERE, THERE, True)],
        *[("<", HERE, Address(1, 9), True), (">=", HERE, Address(1, 9), False), ("<=", HERE, HERE, True)],
        *[("==", HERE, 0, False), ("!=", HERE, 0, True), ("==", 0, HERE, False), ("!=", 0, HERE, True)],
        *[("==", NULL, 0, True), ("==", 5, Address(0, 5), True), ("!=", Address(0, 5), 6, True)],
        *[("<", 1.5, 2, True), (">", 1, 1.5, False), ("<", 2, 3, True), ("==", True, 1, True)],
    ],
)
def test_comparisons(sign: str, one: Any, other: Any, holds: bool) -> None:
    desk = Desk()
    assert compare(desk.machine, sign, one, other) is holds and not desk.lapses


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
def test_pointers_of_two_objects_have_no_order(sign: str) -> None:
    for chosen in (0, 1):
        desk = Desk([chosen])
        assert compare(desk.machine, sign, HERE, THERE) is bool(chosen) and desk.lapses == ["pointer"]


@pytest.mark.parametrize(
    ("sign", "one", "other"),
    [
        ("==", HERE, 5),
        ("<", HERE, 0),
        ("<", 5, Address(0, 5)),
        ("==", Piece(HERE, 0, 8), 0),
        ("!=", 1, Piece(HERE, 0, 8)),
    ],
)
def test_comparisons_that_are_not_known(sign: str, one: Any, other: Any) -> None:
    with pytest.raises(Unsupported, match="compared"):
        compare(Desk().machine, sign, one, other)


def test_truth() -> None:
    machine = Desk().machine
    assert is_true(machine, True) and not is_true(machine, False) and is_true(machine, 2) and not is_true(machine, 0)
    assert is_true(machine, HERE) and not is_true(machine, NULL) and is_true(machine, Address(0, 1))
    assert is_true(machine, 0.5) and not is_true(machine, 0.0)
    assert [is_within(machine, value, 3) for value in (-1, 0, 3, 4)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("value", "type", "found"),
    [
        *[
            (300, ("int", 8, False), 44),
            (200, ("int", 8, True), -56),
            (True, ("int", 8, True), 1),
            (2, ("bool",), True),
        ],
        *[(HERE, ("int", 64, False), HERE), (NULL, ("int", 32, True), 0), (Address(0, 300), ("int", 8, False), 44)],
        *[(HERE, ("int", 8, False), Piece(HERE, 0, 8)), (Piece(HERE, 3, 8), ("int", 8, True), Piece(HERE, 3, 8))],
        *[
            (5, ("address", 8), Address(0, 5)),
            (-1, ("address", 8), Address(0, (1 << 64) - 1)),
            (HERE, ("address", 8), HERE),
        ],
        *[
            (3, ("floating", 64), 3.0),
            (2.75, ("int", 32, True), 2),
            (-2.75, ("int", 32, True), -2),
            (HERE, ("bool",), True),
        ],
        *[(Image(2, {}), ("bytes", 2), Image(2, {}))],
    ],
)
def test_conversions(value: Any, type: Type, found: Any) -> None:
    given = cast(Desk().machine, value, type, PLACE)
    assert given == found and given.__class__ is found.__class__


@pytest.mark.parametrize(
    ("value", "type"),
    [(HERE, ("int", 32, True)), (Piece(HERE, 0, 8), ("int", 64, False)), (Piece(HERE, 0, 8), ("address", 8))],
)
def test_conversions_that_are_not_known(value: Any, type: Type) -> None:
    with pytest.raises(Unsupported, match="part of a pointer"):
        cast(Desk().machine, value, type, PLACE)


def test_small_pointers() -> None:
    desk = Desk(pointer=4)
    assert cast(desk.machine, HERE, ("int", 32, False), PLACE) == HERE
    assert to_address(desk.machine, -1) == Address(0, (1 << 32) - 1)


def test_an_input_is_computed_with() -> None:
    for turned in (False, True):
        desk = Desk([200])
        value = desk.machine.inputs.choose(("int", 8, False))
        one, other = (5, value) if turned else (value, 5)
        found = compute(desk.machine, "+", one, other, ("int", 32, True), PLACE)
        assert isinstance(found, Following) and found.value == 205
        assert compare(desk.machine, "<" if turned else ">", one, other) and desk.machine.inputs.reach == [255]
        assert compute(desk.machine, "*", one, other, ("int", 32, True), PLACE) == 1000
        assert desk.machine.inputs.reach == [200]
        desk = Desk([200])
        value = desk.machine.inputs.choose(("int", 8, False))
        one, other = (1.5, value) if turned else (value, 1.5)
        assert compare(desk.machine, "!=", one, other) and desk.machine.inputs.reach == [200]  # it is pinned


def test_an_input_is_converted() -> None:
    desk = Desk([200])
    value = desk.machine.inputs.choose(("int", 8, False))
    found = cast(desk.machine, value, ("int", 8, True), PLACE)
    assert isinstance(found, Following) and found.value == -56
    assert wrap(-56, ("int", 8, False)) == 200 and wrap(5, ("int", None, True)) == 5
