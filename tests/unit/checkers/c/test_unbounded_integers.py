"""Integers of a solver: every operator on every value of small types, is what the interpreter computes or allows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from knaster.checkers.c.terms import Sides, Term, Unsuitable
from knaster.checkers.c.unbounded_integers import _MOST_RUNS, UnboundedIntegers
from knaster.program.evaluate import WIDEST, evaluate
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, IntegerOperator
from knaster.program.state import Undefined
from knaster.program.types import BOOL, INTEGER, Array, Int
from support.concrete_door import ConcreteDoor

TYPES = [Int(width, signed) for width in (1, 2, 3) for signed in (True, False)]
SHIFTS = (IntegerOperator.LEFT, IntegerOperator.RIGHT)
BITS = (IntegerOperator.AND, IntegerOperator.OR, IntegerOperator.XOR)


def values(type: Int) -> range:
    assert type.low is not None and type.high is not None
    return range(type.low, type.high + 1)


def terms(type: Int, value: int) -> Iterator[Term]:
    """Yield a value with the bounds of its type, with those of its sign, as a constant, and without bounds."""
    yield Term(value, type, type.low, type.high)
    yield Term(value, type, *((0, type.high) if value >= 0 else (type.low, -1)))
    yield Term(value, type, value, value)
    yield Term(value, type, 0 if value >= 0 else None, None)


def interpreted(operator: IntegerOperator, x: int, y: int, type: Int) -> int | None:
    try:
        found = evaluate(Arithmetic(operator, Const(x), Const(y), type), {}, iter(()))
    except Undefined:
        return None
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("operator", IntegerOperator, ids=lambda operator: operator.name)
def test_every_operator(operator: IntegerOperator) -> None:
    exact = 0
    for one, other, result in product(TYPES[1:], TYPES[1:5], (*TYPES[2:4], INTEGER)):
        for x, y in product(values(one), values(other)):
            expected = interpreted(operator, x, y, result)
            numbers = UnboundedIntegers(ConcreteDoor({"any!1": expected or 0}))
            for left, right in product(terms(one, x), terms(other, y)):
                sides = Sides()
                numbers._invented = 0
                try:
                    found = numbers.compute(operator, left, right, result, sides)
                except Unsuitable:
                    assert operator in (*SHIFTS, *BITS) and result == INTEGER
                    assert right.constant is None
                    continue
                said = (operator, left, right, result)
                assert all(sides.defined) == (expected is not None), said
                assert found.type == result and found.value == (expected or 0), said
                assert found.low is None or found.low <= found.value, said
                assert found.high is None or found.value <= found.high, said
                assert all(sides.facts) or expected is None, said
                assert sides.exact == (numbers._invented == 0) and not sides.ranges
                exact += sides.exact
    assert exact > 1000


@pytest.mark.parametrize("operator", BITS, ids=lambda operator: operator.name)
def test_what_is_known_of_bits_of_two_variables(operator: IntegerOperator) -> None:
    """Any value of the type: of natural numbers, a conjunction is not above them, the others not above their sum."""
    type = Int(3)
    for x, y, found in product(values(type), values(type), values(Int(4))):
        numbers = UnboundedIntegers(ConcreteDoor({"any!1": found}))
        sides = Sides()
        numbers.compute(operator, Term(x, type, -4, 3), Term(y, type, -4, 3), type, sides)
        if operator is IntegerOperator.AND:
            allowed = all(0 <= found <= each for each in (x, y) if each >= 0)
        elif x < 0 or y < 0:
            allowed = True
        else:
            least = max(x, y) if operator is IntegerOperator.OR else 0
            allowed = least <= found <= x + y
        assert all(sides.facts) == (allowed and type.holds(found)), (operator, x, y, found)
        assert not sides.exact


def test_nothing_is_known_of_bits_of_numbers_that_do_not_fit() -> None:
    type = Int(3)
    for left, right in (((0, 8), (0, 3)), ((0, 3), (0, 8))):
        sides = Sides()
        numbers = UnboundedIntegers(ConcreteDoor({"any!1": -4}))
        numbers.compute(IntegerOperator.AND, Term(1, Int(5), *left), Term(1, Int(5), *right), type, sides)
        assert len(sides.facts) == 2 and all(sides.facts)  # the bounds of the type alone


@pytest.mark.parametrize("operator", BITS, ids=lambda operator: operator.name)
def test_masks_with_few_runs_of_ones_are_exact(operator: IntegerOperator) -> None:
    numbers = UnboundedIntegers(ConcreteDoor())
    for mask, x in product((*range(-9, 20), 0b1010101, 1 << 20, -1 << 20, (1 << 40) - 1), (-77, -8, -1, 0, 1, 5, 100)):
        expected = interpreted(operator, x, mask, INTEGER)
        term = Term(x, INTEGER, None, None)
        for left, right in ((term, numbers.number(mask)), (numbers.number(mask), term)):
            sides = Sides()
            found = numbers.compute(operator, left, right, INTEGER, sides)
            assert found.value == expected and sides.exact, (x, mask)
            assert found.low is None or found.low <= found.value
            assert found.high is None or found.value <= found.high


def test_masks_with_many_runs_are_not() -> None:
    numbers = UnboundedIntegers(ConcreteDoor({"any!1": 1}))
    for runs, exact in ((_MOST_RUNS, True), (_MOST_RUNS + 1, False)):
        sides = Sides()
        mask = sum(1 << 2 * number for number in range(runs))
        numbers.compute(IntegerOperator.AND, Term(1, Int(32), -9, 9), numbers.number(mask), Int(32), sides)
        assert sides.exact is exact


@pytest.mark.parametrize("operator", [IntegerOperator.DIVIDE, IntegerOperator.REMAINDER])
def test_a_divisor_that_cannot_be_zero_needs_no_condition(operator: IntegerOperator) -> None:
    numbers = UnboundedIntegers(ConcreteDoor())
    for low, high, asked in ((1, 7, 0), (-8, -1, 0), (0, 7, 1), (-8, 0, 1), (-1, 1, 1), (None, 7, 1), (1, None, 0)):
        sides = Sides()
        numbers.compute(operator, Term(3, Int(4), -8, 7), Term(1, Int(4), low, high), Int(4), sides)
        assert len(sides.defined) == asked, (low, high)


@pytest.mark.parametrize("by", [-1, 0, 1, 2, 3, 4, 31, WIDEST - 1, WIDEST])
def test_shifts_by_constants(by: int) -> None:
    numbers = UnboundedIntegers(ConcreteDoor())
    for operator, x, result in product(SHIFTS, (-9, -1, 0, 1, 6), (Int(4), Int(4, False), INTEGER)):
        sides = Sides()
        expected = interpreted(operator, x, by, result)
        found = numbers.compute(operator, Term(x, INTEGER, -9, 6), numbers.number(by), result, sides)
        assert found.value == (expected or 0) and all(sides.defined) == (expected is not None), (operator, x, result)
        far = result.width or WIDEST
        assert bool(sides.defined) == (not 0 <= by < far)


@pytest.mark.parametrize("comparison", Comparison, ids=lambda comparison: comparison.name)
def test_every_comparison(comparison: Comparison) -> None:
    numbers = UnboundedIntegers(ConcreteDoor())
    for x, y in product(range(-2, 3), repeat=2):
        expected = evaluate(Compare(comparison, Const(x), Const(y)), {}, iter(()))
        assert numbers.compare(comparison, Term(x, INTEGER), Term(y, INTEGER)) is expected


def test_every_conversion() -> None:
    """As it is, once around, or by a remainder, as the bounds say."""
    numbers = UnboundedIntegers(ConcreteDoor())
    for type, x in product(TYPES, range(-20, 21)):
        bounds = [(x - a, x + b) for a, b in product((0, 1, 5, 30), repeat=2)]
        for low, high in (*bounds, (None, x), (x, None), (None, None)):
            found = numbers.fit(Term(x, INTEGER, low, high), type)
            assert found.value == type.wrap(x) and found.type == type, (x, low, high, type)
            assert found.low is not None and found.low <= found.value, (x, low, high, type)
            assert found.high is not None and found.value <= found.high, (x, low, high, type)
    same = numbers.fit(Term(3, INTEGER, 1, 3), Int(3))
    assert (same.low, same.high) == (1, 3)
    assert numbers.fit(Term(3, Int(3), 1, 3), INTEGER) == Term(3, INTEGER, 1, 3)


@pytest.mark.parametrize("type", [*TYPES, INTEGER], ids=str)
@pytest.mark.parametrize("truth", [False, True])
def test_truth_as_a_number(type: Int, truth: bool) -> None:
    found = UnboundedIntegers(ConcreteDoor()).from_truth(truth, type)
    assert found.value == type.wrap(int(truth)) and found.type == type


def test_sorts_indices_and_limits() -> None:
    numbers = UnboundedIntegers(ConcreteDoor())
    assert numbers.sort(BOOL) == "Bool" and numbers.sort(Int(7)) == numbers.sort(INTEGER) == "Int"
    assert numbers.sort(Array(Int(3), 2)) == ("Array", "Int", "Int")
    assert numbers.index(numbers.number(5)) == 5 and numbers.number(5).constant == 5
    assert numbers.limit(Term(True, BOOL)) == [] and numbers.limit(Term(3, INTEGER)) == []
    for type, x in product(TYPES, range(-9, 10)):
        assert all(numbers.limit(Term(x, type))) == type.holds(x)


def test_a_mask_bounds_what_it_leaves() -> None:
    numbers = UnboundedIntegers(ConcreteDoor())
    for mask in (0, 5, 6):
        found = numbers.compute(IntegerOperator.AND, Term(3, Int(8), -128, 127), numbers.number(mask), Int(8), Sides())
        assert (found.low, found.high) == (0, mask)
