"""Bounds of terms against all values of small numbers, and widths, numbers and names at their edges."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from knaster_check.c import bits
from knaster_check.c.bits import Bits, _width
from knaster_check.c.integers import Integers
from knaster_check.c.nodes import FALSE, FAR, TRUE, Names, _belongs, constant, limits
from knaster_check.c.terms import Term, Unsuitable, bounds, fits, fits_bounds, lower, upper
from knaster_check.evaluate import UNDEFINED, arithmetic
from knaster_check.program import BOOL
from knaster_check.refused import Refused

OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
NUMBERS = ("int", None, True)
RANGES = [(low, high) for low in range(-4, 5) for high in range(low, 5)]


def between(low: int | None, high: int | None) -> Term:
    return Term("x", "Int", (), low, high)


@pytest.mark.parametrize("operator", OPERATORS)
def test_bounds_hold_all_results(operator: str) -> None:
    for (a, b), (c, d) in product(RANGES[::2], RANGES):
        low, high = bounds(operator, between(a, b), between(c, d))
        found = {arithmetic(operator, x, y, NUMBERS) for x in range(a, b + 1) for y in range(c, d + 1)}
        found = {0 if value is UNDEFINED else value for value in found}  # terms are 0 there
        assert low is None or low <= min(found), (operator, a, b, c, d)
        assert high is None or max(found) <= high, (operator, a, b, c, d)


@pytest.mark.parametrize("operator", OPERATORS)
def test_without_bounds_there_are_none(operator: str) -> None:
    known = between(1, 3)
    for left, right in product((known, between(None, 3), between(1, None), between(None, None)), repeat=2):
        low, high = bounds(operator, left, right)
        if operator in "+-":
            other = right.low if operator == "+" else right.high
            assert (low is None) is (left.low is None or other is None)
            other = right.high if operator == "+" else right.low
            assert (high is None) is (left.high is None or other is None)
        elif None in (left.low, left.high) or (None in (right.low, right.high) and operator not in ("/", "%", ">>")):
            assert low is high is None
        else:
            assert low is not None and high is not None


def test_bounds_are_not_wider_than_needed() -> None:
    assert bounds("+", between(1, 2), between(3, 5)) == (4, 7) and bounds("-", between(1, 2), between(3, 5)) == (-4, -1)
    assert bounds("*", between(-2, 3), between(-5, 4)) == (-15, 12)
    assert bounds("/", between(0, 9), between(0, 3)) == (0, 9) and bounds("/", between(0, 9), between(-1, 3)) == (-9, 9)
    assert bounds("%", between(0, 9), between(1, 4)) == (0, 3) and bounds("%", between(-9, 0), between(1, 4)) == (-3, 0)
    assert bounds("%", between(0, 2), between(1, None)) == (0, 2)
    assert bounds("<<", between(-1, 3), between(1, 2)) == (-4, 12)
    assert bounds("<<", between(1, 1), between(0, FAR)) == bounds("<<", between(1, 1), between(-1, 1)) == (None, None)
    assert bounds("<<", between(1, 1), between(0, FAR - 1))[1] == 1 << FAR - 1
    assert bounds(">>", between(-4, -2), between(0, 1)) == (-4, 0) and bounds(">>", between(2, 4), between(0, 1)) == (
        0,
        4,
    )
    assert bounds("&", between(0, 3), between(0, 4)) == (0, 7) and bounds("|", between(-1, 3), between(0, 4)) == (-8, 7)


def test_types() -> None:
    assert limits(3, True) == (-4, 3) and limits(3, False) == (0, 7) and limits(1, True) == (-1, 0)
    assert limits(None, True) == (None, None)
    for low, high in RANGES:
        assert fits_bounds(low, high, ("int", 2, True)) is (low >= -2 and high <= 1)
        assert fits(between(low, high), ("int", 2, False)) is (low >= 0 and high <= 3)
    assert not fits(between(None, 1), ("int", 2, True)) and not fits(between(0, None), ("int", 2, True))
    assert fits(between(None, None), NUMBERS)
    assert lower(1, 2) == 1 and upper(1, 2) == 2 and lower(None, 1) is lower(1, None) is upper(None, 1) is None
    assert upper(1, None) is None


def test_values_of_types() -> None:
    pair = ("array", ("int", 2, True), 2)
    for value, type, expected in (
        (True, BOOL, True),
        (1, BOOL, False),
        (True, ("int", 8, True), False),
        (-4, ("int", 3, True), True),
        (-5, ("int", 3, True), False),
        (3, ("int", 3, True), True),
        (4, ("int", 3, True), False),
        (10**9, NUMBERS, True),
        ((1, -2), pair, True),
        ((1, 2), pair, False),
        ((1,), pair, False),
        ([1, 1], pair, False),
        (1, pair, False),
        ((1, 1), ("int", 8, True), False),
        (1, ("ref",), False),
    ):
        assert _belongs(value, type) is expected, (value, type)


def test_constants() -> None:
    assert constant(True) is TRUE and constant(False) is FALSE
    assert constant(7).head == ("number", 7) and constant((1, 2)).head == ("value", (1, 2))
    with pytest.raises(Refused):
        constant(None)


def test_names_are_fresh_and_can_be_written() -> None:
    names = Names()
    found = [names.fresh(word, BOOL).head[1] for word in ("x", "x", "a|b\\c", "t\tb", "ü")]
    assert len(set(found)) == 5
    assert all(name.isprintable() and not set(name) & set("|\\") for name in found)
    assert "x" in found[0] and "a_b_c" in found[2] and "t_b" in found[3] and "ü" in found[4]


@pytest.mark.parametrize(
    ("low", "high", "width"),
    [(0, 0, 1), (0, 1, 2), (-1, 0, 1), (-1, 1, 2), (-2, 1, 2), (-3, 1, 3), (-2, 2, 3), (-5, 0, 4), (0, 255, 9)],
)
def test_widths(low: int, high: int, width: int) -> None:
    assert _width(low, high) == width


def test_widths_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Bits()
    x = own.load(Term("x", "(_ BitVec 8)", free=True), ("int", 8, True))
    monkeypatch.setattr(bits, "_MOST", 15)  # -128 * -128 needs 16 bits with its sign
    with pytest.raises(Unsuitable, match="too wide"):
        own.compute("*", x, x, NUMBERS)
    monkeypatch.setattr(bits, "_MOST", 16)
    assert own.compute("*", x, x, NUMBERS).sort == "(_ BitVec 16)"
    with pytest.raises(Unsuitable, match="any integer"):
        own.compute("*", between(None, 3), x, NUMBERS)
    with pytest.raises(Unsuitable, match="any integer"):
        own._enough(x, x, 1, None)


@pytest.mark.parametrize(("by", "fine"), [(0, True), (1, True), (FAR - 2, True), (FAR, False), (-1, False)])
def test_numbers_without_a_width_are_shifted_by_what_is_known(by: int, fine: bool) -> None:
    own = Bits()
    one = own.number(1)
    if fine:
        found = own._shift("<<", one, own.number(by), NUMBERS)
        assert (found.low, found.high) == (0, 1 << by)
    else:
        with pytest.raises(Unsuitable, match="any distance"):
            own._shift("<<", one, own.number(by), NUMBERS)
    two = own.load(Term("x", "(_ BitVec 2)", free=True), ("int", 2, False))
    with pytest.raises(Unsuitable, match="any distance"):
        own._shift("<<", one, two, NUMBERS)


def test_masks_are_remainders() -> None:
    own = Integers()
    x = own.load(Term("x", "Int", free=True), ("int", 8, True))
    for mask, fine in ((0, True), (1, True), (3, True), (7, True), (2, False), (5, False), (-1, False), (4, False)):
        for left, right in ((x, own.number(mask)), (own.number(mask), x)):
            if fine:
                found = own.compute("&", left, right, NUMBERS)
                assert (found.head, found.low, found.high) == ("mod", 0, mask)
            else:
                with pytest.raises(Unsuitable, match="no bits"):
                    own.compute("&", left, right, NUMBERS)


@pytest.mark.parametrize(
    ("low", "high", "heads"),
    [
        (-128, 127, "x"),
        (-129, 127, "ite -"),
        (-128, 128, "ite +"),
        (-384, 383, "ite both"),
        (-385, 0, "mod"),
        (0, 384, "mod"),
        (None, 0, "mod"),
        (0, None, "mod"),
    ],
)
def test_integers_go_around_once_or_by_a_remainder(low: Any, high: Any, heads: str) -> None:
    found = Integers().wrap(between(low, high), ("int", 8, True))
    text = _heads(found)
    assert ("mod" in text) is (heads == "mod")
    assert text.count("ite") == {"x": 0, "ite -": 1, "ite +": 1, "ite both": 2, "mod": 0}[heads]
    assert (found.low, found.high) == (-128, 127)
    assert Integers().wrap(between(low, high), NUMBERS).head == "x"


def _heads(term: Term) -> list[str]:
    """Return the operators of a term, the shared ones once."""
    found, todo, seen = [], [term], set()
    while todo:
        here = todo.pop()
        if id(here) not in seen:
            seen.add(id(here))
            found.append(here.head)
            todo += here.parts
    return found
