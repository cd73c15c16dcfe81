"""Bit-vectors of few bits: every operator, on every value of every pair of types, is what the interpreter computes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from knaster.checkers.c.bit_vectors import INDEX, MOST_BITS, BitVectors, _wide
from knaster.checkers.c.terms import Sides, Term, Unsuitable
from knaster.program.evaluate import evaluate
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, IntegerOperator
from knaster.program.state import Undefined
from knaster.program.types import BOOL, INTEGER, Array, Int
from support.concrete_door import Bits, ConcreteDoor

DOOR = ConcreteDoor()
NUMBERS = BitVectors(DOOR)
TYPES = [Int(width, signed) for width in (1, 2, 3) for signed in (True, False)]
SHIFTS = (IntegerOperator.LEFT, IntegerOperator.RIGHT)


def values(type: Int) -> range:
    assert type.low is not None and type.high is not None
    return range(type.low, type.high + 1)


def terms(type: Int, value: int) -> Iterator[Term]:
    """Yield a value with the bounds of its type, with those of its sign, and as a constant."""
    assert type.width is not None
    bits = DOOR.bits(value, type.width)
    yield Term(bits, type, type.low, type.high)
    yield Term(bits, type, *((0, type.high) if value >= 0 else (type.low, -1)))
    yield Term(bits, type, value, value)


def number_of(term: Term) -> int:
    assert isinstance(term.type, Int) and isinstance(term.value, Bits) and term.value.width == term.type.width
    found = term.value.signed if term.type.signed else term.value.value
    assert term.low is not None and term.high is not None and term.low <= found <= term.high
    assert term.type.holds(term.low) and term.type.holds(term.high)
    return found


def interpreted(operator: IntegerOperator, x: int, y: int, type: Int) -> int | None:
    try:
        found = evaluate(Arithmetic(operator, Const(x), Const(y), type), {}, iter(()))
    except Undefined:
        return None
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("operator", IntegerOperator, ids=lambda operator: operator.name)
def test_every_operator(operator: IntegerOperator) -> None:
    unknown = 0
    for one, other, result in product(TYPES[1:], TYPES[1:5], (*TYPES[2:4], INTEGER)):
        for x, y in product(values(one), values(other)):
            expected = interpreted(operator, x, y, result)
            for left, right in product(terms(one, x), terms(other, y)):
                sides = Sides()
                try:
                    found = NUMBERS.compute(operator, left, right, result, sides)
                except Unsuitable:
                    assert (operator, result) == (IntegerOperator.LEFT, INTEGER)
                    assert right.constant is None or right.constant < 0
                    unknown += 1
                    continue
                said = (operator, left, right, result)
                assert all(sides.defined) == (expected is not None), said
                assert number_of(found) == (expected or 0), said
                assert result == INTEGER or found.type == result, said
                assert sides.exact and not sides.facts and not sides.ranges
    assert bool(unknown) == (operator is IntegerOperator.LEFT)


@pytest.mark.parametrize("operator", [IntegerOperator.DIVIDE, IntegerOperator.REMAINDER])
def test_a_divisor_that_cannot_be_zero_needs_no_condition(operator: IntegerOperator) -> None:
    left = Term(DOOR.bits(3, 4), Int(4), -8, 7)
    for low, high, asked in ((1, 7, 0), (-8, -1, 0), (0, 7, 1), (-8, 0, 1), (-1, 1, 1), (None, 7, 1), (1, None, 1)):
        sides = Sides()
        NUMBERS.compute(operator, left, Term(DOOR.bits(1, 4), Int(4), low, high), Int(4), sides)
        assert len(sides.defined) == asked, (low, high)


@pytest.mark.parametrize("by", [0, 1, 2, 3, 4, 5, 8, 31, 40])
@pytest.mark.parametrize("signed", [True, False])
def test_shifts_of_mathematical_integers_by_constants(by: int, signed: bool) -> None:
    for operator, x in product(SHIFTS, values(Int(3, signed))):
        for left in terms(Int(3, signed), x):
            found = NUMBERS.compute(operator, left, NUMBERS.number(by), INTEGER, Sides())
            assert number_of(found) == interpreted(operator, x, by, INTEGER), (operator, x, by)


@pytest.mark.parametrize("width", [3, 4, 6, 8])
def test_shifts_of_mathematical_integers_by_wide_numbers(width: int) -> None:
    """The distance has more bits than the number that is shifted."""
    for x, y, signed in product(range(4), range(1 << width - 1), (True, False)):
        left = Term(DOOR.bits(x, 2), Int(2, False), 0, 3)
        right = Term(DOOR.bits(y, width), Int(width, signed), Int(width, signed).low, Int(width, signed).high)
        sides = Sides()
        found = NUMBERS.compute(IntegerOperator.RIGHT, left, right, INTEGER, sides)
        assert number_of(found) == x >> y and all(sides.defined), (x, y)


@pytest.mark.parametrize("comparison", Comparison, ids=lambda comparison: comparison.name)
def test_every_comparison(comparison: Comparison) -> None:
    for one, other in product(TYPES, TYPES):
        for x, y in product(values(one), values(other)):
            expected = evaluate(Compare(comparison, Const(x), Const(y)), {}, iter(()))
            for left, right in product(terms(one, x), terms(other, y)):
                assert NUMBERS.compare(comparison, left, right) is expected, (one, x, comparison, other, y)


def test_every_conversion() -> None:
    for one, other in product(TYPES, (*TYPES, Int(5), Int(5, False))):
        for x in values(one):
            for term in terms(one, x):
                found = NUMBERS.fit(term, other)
                assert number_of(found) == other.wrap(x) and found.type == other
            assert NUMBERS.fit(term, INTEGER) is term
    narrow = NUMBERS.fit(Term(DOOR.bits(2, 4), Int(4), 0, 3), Int(3))
    assert (narrow.low, narrow.high) == (0, 3)
    wrapped = NUMBERS.fit(Term(DOOR.bits(2, 4), Int(4), 0, 4), Int(3))
    assert (wrapped.low, wrapped.high) == (-4, 3)


@pytest.mark.parametrize("type", [*TYPES, INTEGER], ids=str)
@pytest.mark.parametrize("truth", [False, True])
def test_truth_as_a_number(type: Int, truth: bool) -> None:
    found = NUMBERS.from_truth(truth, type)
    assert number_of(found) == type.wrap(int(truth)) and type in (INTEGER, found.type)


def test_constants_are_as_short_as_they_can_be() -> None:
    for value in range(-20, 21):
        found = NUMBERS.number(value)
        assert number_of(found) == value == found.constant and isinstance(found.type, Int) and found.type.signed
        width = found.type.width
        assert width == 1 or (width is not None and not Int(width - 1).holds(value))
    for low, high in product(range(-9, 10), repeat=2):
        width = _wide(low, high).width
        assert width is not None and Int(width).holds(low) and Int(width).holds(high)
        assert width == 1 or not (Int(width - 1).holds(low) and Int(width - 1).holds(high))


def test_sorts_and_indices() -> None:
    assert NUMBERS.sort(BOOL) == "Bool" and NUMBERS.sort(Int(7)) == ("BitVec", 7)
    assert NUMBERS.sort(Array(Int(3), 2)) == ("Array", ("BitVec", INDEX), ("BitVec", 3))
    with pytest.raises(Unsuitable):
        NUMBERS.sort(INTEGER)
    assert NUMBERS.index(NUMBERS.number(5)) == Bits(INDEX, 5)
    assert NUMBERS.index(Term(DOOR.bits(255, 8), Int(8, False), 0, 255)) == Bits(INDEX, 255)
    assert NUMBERS.limit(NUMBERS.number(5)) == []


def test_what_has_too_many_bits_is_refused() -> None:
    one = NUMBERS.number(1)
    most = NUMBERS.compute(IntegerOperator.LEFT, one, NUMBERS.number(MOST_BITS - 2), INTEGER, Sides())
    assert isinstance(most.type, Int) and most.type.width == MOST_BITS
    with pytest.raises(Unsuitable, match="more than"):
        NUMBERS.compute(IntegerOperator.LEFT, one, NUMBERS.number(MOST_BITS - 1), INTEGER, Sides())
    for low, high in ((None, 1), (1, None)):
        with pytest.raises(Unsuitable, match="any integer"):
            NUMBERS.compute(IntegerOperator.ADD, one, Term(DOOR.bits(1, 2), Int(2), low, high), INTEGER, Sides())


def test_bounds_and_conditions_are_narrow() -> None:
    one = Term(DOOR.bits(1, 4), Int(4), 0, 1)
    found = NUMBERS.compute(IntegerOperator.ADD, one, one, Int(4), Sides())
    assert (found.low, found.high) == (0, 2)
    anything = Term(DOOR.bits(1, 4), Int(4), -8, 7)
    wrapped = NUMBERS.compute(IntegerOperator.ADD, anything, one, Int(4), Sides())
    assert (wrapped.low, wrapped.high) == (-8, 7)
    for high, asked in ((3, 0), (4, 1)):  # distances of 0 .. 3 are inside
        sides = Sides()
        NUMBERS.compute(IntegerOperator.RIGHT, anything, Term(DOOR.bits(1, 4), Int(4), 0, high), Int(4), sides)
        assert len(sides.defined) == asked
