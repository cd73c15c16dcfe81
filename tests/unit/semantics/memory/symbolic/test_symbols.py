"""Symbols: what is computed with them is what Python computes, and equal lines have one name."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from knaster.program.expression import NOWHERE, Comparison, IntegerOperator
from knaster.program.memory import NULL, WILD, Addresses, Chunk, Floating, Snapshot
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.symbolic.symbolic_steps import count_bits, first_bit, leading_zeros, reverse_bytes
from knaster.semantics.memory.symbolic.symbols import (
    Symbol,
    SymbolicInputs,
    SymbolTable,
    _bounds,
    _known,
    _spread,
    _type_of,
    both,
    calculate,
    compare_symbols,
    either,
    exactly,
    is_inside,
    join_bytes,
    one_of,
    outside,
    quotient,
    raw_of,
    shift_exactly,
)
from support.symbol_values import Table

BYTE, WORD = Int(8, False), Int(32)


def test_arithmetic_is_that_of_numbers() -> None:
    random = Random(1)
    for _ in range(200):
        a, b = random.choice([random.randint(-9, 9), random.randint(-(2**31), 2**31 - 1)]), random.randint(-40, 40)
        inputs = Table(a, b)
        x, y = inputs.choose(WORD, "", None), inputs.choose(WORD, "", None)  # type: ignore[arg-type]
        assert inputs.number(exactly(IntegerOperator.ADD, x, y)) == a + b
        assert inputs.number(x * y) == a * b and inputs.number(7 - x) == 7 - a
        assert inputs.number(calculate(IntegerOperator.MULTIPLY, x, y, WORD)) == WORD.wrap(a * b)
        assert inputs.number(x.converted(BYTE)) == a & 255 and inputs.number((x.converted(BYTE)) & 15) == a & 15
        assert (x < y) is (a < b) and (x == a) is True and bool(x) is (a != 0) and inputs.number(abs(y)) == abs(b)


def test_bytes_and_bits_are_those_of_numbers() -> None:
    for value in (0, 1, 0x80000000, 0x12345678, 0xFFFFFFFF, 48):
        inputs = Table(value)
        x = inputs.choose(Int(32, False), "", None)  # type: ignore[arg-type]
        parts = [(x >> 8 * at & 255).converted(BYTE) for at in range(4)]
        assert [inputs.number(part) for part in parts] == list(value.to_bytes(4, "little"))
        assert (
            inputs.number(join_bytes(parts)) == value
            and inputs.number(join_bytes([parts[1], 2])) == (value >> 8 & 255) + 512
        )
        assert inputs.number(reverse_bytes(x, 32)) == int.from_bytes(value.to_bytes(4, "little"), "big")
        assert inputs.number(count_bits(x, 32)) == value.bit_count()
        assert inputs.number(first_bit(x, 32)) == (value & -value).bit_length()
        assert inputs.number(leading_zeros(x, 32)) == 32 - value.bit_length()


def test_nothing_is_decided_that_bounds_say() -> None:
    table = SymbolicInputs(SymbolTable())  # it decides nothing
    x = table.choose(BYTE, "", None)  # type: ignore[arg-type]
    assert compare_symbols(Comparison.LESS, x, 256) is True and compare_symbols(Comparison.LESS, x, 0) is False
    for sign, open_at in (("<", (1, 255)), ("<=", (0, 254)), (">", (0, 254)), (">=", (1, 255)), ("==", (0, 255))):
        said = [compare_symbols(Comparison(sign), x, number) for number in (open_at[0] - 1, *open_at, open_at[1] + 1)]
        assert [isinstance(each, bool) for each in said] == [True, False, False, True]
    assert compare_symbols(Comparison.EQUAL, x, x) is True and compare_symbols(Comparison.DIFFERENT, x, 300) is True
    assert both(True, False) is False and either(True, 1, 2) == 1
    with pytest.raises(NotImplementedError):
        bool(x)


def test_equal_lines_have_one_name() -> None:
    inputs = Table(3)
    x = inputs.choose(WORD, "", None)  # type: ignore[arg-type]
    assert (x + 1).name == (x + 1).name != (x + 2).name
    truth = x.is_true()
    assert truth.type == BOOL and truth.negation().negation().name != truth.name


def test_numbers_made_from_pointers_are_unclear() -> None:
    x = Table(3).choose(WORD, "", None)  # type: ignore[arg-type]
    with pytest.raises(Unclear):
        exactly(IntegerOperator.ADD, x, object())


def choose(inputs: Table, type: Int) -> Any:
    """Return the next input."""
    return inputs.choose(type, "", NOWHERE)


def value_of(inputs: Table, found: Any) -> int:
    """Return what a symbol stands for, which is between its bounds."""
    number = int(inputs.number(found))
    low, high = _bounds(found)
    assert low <= number <= high
    return number


SMALL = range(-3, 4)
INTERVALS = [(low, high) for low in SMALL for high in SMALL if low <= high]
EXACT: dict[IntegerOperator, Callable[[int, int], int]] = {
    IntegerOperator.ADD: int.__add__,
    IntegerOperator.SUBTRACT: int.__sub__,
    IntegerOperator.MULTIPLY: int.__mul__,
    IntegerOperator.AND: int.__and__,
    IntegerOperator.REMAINDER: int.__mod__,
    IntegerOperator.DIVIDE: int.__floordiv__,
    IntegerOperator.RIGHT: int.__rshift__,
}


def between(low: int, high: int) -> Symbol:
    """Return a symbol with these bounds."""
    return Symbol(Table(), "x", WORD, low, high)


@pytest.mark.parametrize("sign", EXACT)
def test_bounds_of_results_are_those_of_all_numbers(sign: IntegerOperator) -> None:
    least = {IntegerOperator.REMAINDER: 1, IntegerOperator.DIVIDE: 1, IntegerOperator.AND: 0}.get(sign, -3)
    for (a, b), (c, d) in itertools.product(INTERVALS, INTERVALS):
        found = _spread(sign, between(a, b), between(c, d))
        if sign in (IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY):
            results = [EXACT[sign](one, other) for one in (a, b) for other in (c, d)]
            assert found == (min(results), max(results))
        elif a < 0 or c < least:
            assert found is None
        else:
            shifts = range(max(c, 0), d + 1)
            results = [EXACT[sign](one, other) for one in range(a, b + 1) for other in shifts]
            assert found is not None and found[0] == 0 and all(found[0] <= result <= found[1] for result in results)
            assert found[1] <= b
    assert _spread(IntegerOperator.XOR, 1, 2) is None and _spread(IntegerOperator.RIGHT, 8, 1) == (0, 8)


@pytest.mark.parametrize("sign", Comparison)
def test_bounds_say_what_all_numbers_say(sign: Comparison) -> None:
    equal = sign in (Comparison.EQUAL, Comparison.DIFFERENT)
    for one, other in itertools.product(INTERVALS, INTERVALS):
        if equal and one == other and one[0] == one[1]:
            continue  # nobody asks: of numbers the answer is not asked of their bounds
        pairs = itertools.product(range(one[0], one[1] + 1), range(other[0], other[1] + 1))
        said = {bool(ORDERS[sign](*pair)) for pair in pairs}
        assert _known(sign, one, other) is (said.pop() if len(said) == 1 else None)


ORDERS: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.DIFFERENT: operator.ne,
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.GREATER: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}


def test_types_of_exact_results() -> None:
    edge = 2**31
    for low, high, width in [(0, 0, 32), (-edge, edge - 1, 32), (-edge - 1, 0, 64), (0, edge, 64), (5, 2**70, 96)]:
        assert _type_of(low, high) == Int(width)
    assert _type_of(-(2**511), 2**511 - 1) == Int(512)
    for low, high in [(0, 2**511), (-(2**511) - 1, 0)]:
        with pytest.raises(Unclear, match="more than 512 bits"):
            _type_of(low, high)


@pytest.mark.parametrize("value", [-128, -127, -8, -7, -1, 0, 1, 5, 6, 127])
def test_a_small_number_and_constants(value: int) -> None:
    inputs = Table(value)
    x = choose(inputs, Int(8))
    for number in (1, 2, 7, 128, 300):
        divided = quotient(x, number)
        assert value_of(inputs, divided) == math.trunc(value / number)
        assert divided.bounds == (-(128 // number), 127 // number)
        assert value_of(inputs, 5 + x) == value + 5 and value_of(inputs, x - 3) == value - 3
        assert value_of(inputs, number * x) == number * value
    for count in (0, 1, 3, 7):
        assert value_of(inputs, x >> count) == value >> count
        assert (x >> count).bounds == (-128 >> count, 127 >> count)
    for mask in (0, 1, 15, 255, 256, 1023):
        assert value_of(inputs, x & mask) == value & mask and (x & mask).bounds == (0, mask)
    assert x & -2 == value & -2
    if value >= 0:
        assert value_of(inputs, x % 7) == value % 7 and (x % 7).bounds == (0, 6)
        assert value_of(inputs, x % 300) == value
    for test in (x < 5, x <= 5, x > 5, x >= 5, x == 5):
        assert isinstance(test, bool)
    assert (x < 5, x <= 5, x > 5, x >= 5) == (value < 5, value <= 5, value > 5, value >= 5)
    assert value_of(inputs, abs(x)) == abs(value) and range(value, 200)[0] == operator.index(x)


def test_remainders_of_large_numbers() -> None:
    inputs = Table(2**31 + 5)
    x = choose(inputs, Int(32, False))
    assert value_of(inputs, x % 10) == (2**31 + 5) % 10 and value_of(inputs, x % 2**40) == 2**31 + 5


@pytest.mark.parametrize("value", [0, 1])
def test_truth_values_are_numbers(value: int) -> None:
    inputs = Table(value)
    x = inputs.choose(BOOL, "", NOWHERE)
    assert value_of(inputs, x.converted(WORD)) == value and x.converted(BOOL) is x and x.bounds == (0, 1)
    assert (
        value_of(inputs, x + 1) == value + 1 and value_of(inputs, x & 1) == value and value_of(inputs, x >> 0) == value
    )
    assert bool(x) is bool(value) and bool(x.negation()) is not bool(value)
    assert value_of(inputs, raw_of(x, 8)) == value and raw_of(x, 8).type == BYTE


def test_conversions_keep_bounds_that_fit() -> None:
    x = choose(Table(3), Int(8))
    assert x.converted(Int(8)) is x and x.converted(WORD).bounds == (-128, 127)
    assert x.converted(BYTE).bounds == (0, 255) and x.converted(Int(7)).bounds == (-64, 63)
    assert choose(Table(3), BYTE).converted(Int(8)).bounds == (-128, 127)
    for type in (Int(None), Int(None, False)):
        with pytest.raises(Unclear, match="without bounds"):
            x.converted(type)
    with pytest.raises(Unclear, match="without bounds"):
        calculate(IntegerOperator.ADD, x, 1, Int(None))
    assert between(5, 9).is_true() is True and between(5, 9).negation() is False


def test_results_that_do_not_wrap_keep_their_bounds() -> None:
    x = choose(Table(3), Int(8))
    assert calculate(IntegerOperator.ADD, x, 1, Int(9)).bounds == (-127, 128)
    assert calculate(IntegerOperator.ADD, x, 1, Int(8)).bounds == (-128, 127)
    assert calculate(IntegerOperator.SUBTRACT, x, 1, Int(8)).bounds == (-128, 127)
    assert calculate(IntegerOperator.ADD, x & 127, 0, Int(8)).bounds == (0, 127)
    assert calculate(IntegerOperator.XOR, x, 1, Int(9)).bounds == (-256, 255)
    assert calculate(IntegerOperator.ADD, between(-128, 5), 0, Int(8)).bounds == (-128, 5)
    assert calculate(IntegerOperator.ADD, between(5, 127), 0, Int(8)).bounds == (5, 127)
    assert between(0, 100).converted(BYTE).bounds == (0, 100) and between(5, 255).converted(BYTE).bounds == (5, 255)
    assert (
        shift_exactly(between(-(2**31), 0), 1, 32).type == shift_exactly(between(0, 2**31 - 1), 1, 32).type == Int(64)
    )


@pytest.mark.parametrize("value", [-5, 0, 3, 7])
def test_exact_shifts(value: int) -> None:
    inputs = Table(value, 5)
    x, count = choose(inputs, Int(4)), choose(inputs, BYTE)
    assert value_of(inputs, shift_exactly(x, count, 8)) == value << 5
    assert value_of(inputs, shift_exactly(x, 3, 4)) == value << 3
    assert value_of(inputs, shift_exactly(value, count, 8)) == value << 5
    wide = Table(value)
    assert value_of(wide, shift_exactly(choose(wide, WORD), 31, 32)) == value << 31


def test_what_is_inside_a_type() -> None:
    inputs = Table(-128)
    x = choose(inputs, Int(8))
    assert is_inside(x, Int(8)) and is_inside(x + 0, WORD) and not is_inside(x, BYTE) and not is_inside(x + 1, Int(8))
    assert (
        not is_inside(x - 1, Int(8))
        and is_inside(x, Int(None))
        and is_inside(127, Int(8))
        and not is_inside(128, Int(8))
    )
    assert not outside(x, Int(8)) and outside(x, BYTE) and outside(x - 1, Int(8)) and not outside(x, Int(None))
    assert outside(128, Int(8)) and outside(-129, Int(8)) and not outside(127, Int(8)) and not outside(-128, Int(8))


@pytest.mark.parametrize("value", [0, 1, 4])
def test_one_of_two(value: int) -> None:
    inputs = Table(value, 9)
    x, y = choose(inputs, BYTE), choose(inputs, BYTE)
    test = compare_symbols(Comparison.LESS, x, 3)
    assert either(test, 7, 7) == 7 and either(False, 1, 2) == 2
    assert value_of(inputs, either(test, 5, 6)) == (5 if value < 3 else 6) and either(test, 5, 6).bounds == (5, 6)
    assert value_of(inputs, either(test, x, y)) == (value if value < 3 else 9)
    assert value_of(inputs, either(test, 9, y)) == 9 and value_of(inputs, either(test, y, -1)) == (
        9 if value < 3 else -1
    )
    other = compare_symbols(Comparison.GREATER, x, 0)
    assert bool(both(test, other)) is (0 < value < 3) and both(test, True) is test and both(True, test) is test
    assert both(test, False) is False and both(False, test) is False


@pytest.mark.parametrize("value", [0, 1, 255])
def test_bytes_of_all_sorts_are_joined(value: int) -> None:
    inputs = Table(value, 1)
    x, truth = choose(inputs, BYTE), inputs.choose(BOOL, "", NOWHERE)
    assert join_bytes([1, 2]) == 513 and join_bytes([]) == 0
    for found, exact in [
        ([x, x], 257 * value),
        ([0, x], 256 * value),
        ([5, x, 7], 5 + 256 * value + 7 * 65536),
        ([x, 0, 9], value + 9 * 65536),
        ([truth, x], 1 + 256 * value),
        ([True, x], 1 + 256 * value),
    ]:
        joined = join_bytes(found)
        assert value_of(inputs, joined) == exact and joined.type == Int(8 * len(found), False)


def test_one_of_two_is_not_decided() -> None:
    """A number and an input that may be that number: nobody has to know whether it is."""
    inputs = SymbolicInputs(SymbolTable())  # it decides nothing
    x, test = inputs.choose(BYTE, "", NOWHERE), inputs.choose(BOOL, "", NOWHERE)
    assert either(test, 5, x).bounds == either(test, x, 5).bounds == (0, 255)


def test_inputs_by_their_numbers() -> None:
    inputs = Table(0, 1, 7, 0)
    pointer = Addresses(8)
    assert inputs.choose(pointer, "", NOWHERE) == WILD and inputs.choose(pointer, "", NOWHERE) == NULL
    assert inputs.order == [("value", WILD), ("value", NULL)]
    x = choose(inputs, BYTE)
    assert x.name == "in2:u8" and inputs.order[2] == ("symbol", "in2:u8")
    perhaps = inputs.choose_if(compare_symbols(Comparison.LESS, x, 3), WORD)
    assert inputs.order[3] == ("perhaps", (perhaps.name, compare_symbols(Comparison.LESS, x, 3).name))
    assert inputs.choose(Chunk(3), "", NOWHERE) == Snapshot(3, ()) and len(inputs.order) == 5
    inputs.choose(Floating(64), "", NOWHERE)
    assert inputs.order[5] == ("float", ("in5:u64", Floating(64)))
    with pytest.raises(Unclear):
        inputs.choose(Int(None), "", NOWHERE)


def test_invented_numbers_are_no_inputs() -> None:
    inputs = Table()
    one, other, truth = inputs.invent(Int(8)), inputs.invent(Int(8)), inputs.invent(BOOL)
    assert one.name != other.name and not inputs.order and inputs.invented == 3
    assert one.bounds == (-128, 127) and truth.bounds == (0, 1) and inputs.invent(BYTE).bounds == (0, 255)


def test_the_same_symbol_is_compared_with_itself() -> None:
    x = SymbolicInputs(SymbolTable()).choose(BYTE, "", NOWHERE)
    said = {sign: compare_symbols(sign, x, x) for sign in Comparison}
    assert said == {sign: ORDERS[sign](0, 0) for sign in Comparison}


def test_one_of_several() -> None:
    for a, b, c in itertools.product((0, 1), repeat=3):
        inputs = Table(a, b, c)
        truths = [inputs.choose(BOOL, "", None) for _ in range(3)]  # type: ignore[arg-type]
        assert inputs.number(one_of(truths)) == (a or b or c)
        assert one_of([truths[0], False, True, truths[1]]) is True
        assert inputs.number(one_of([False, truths[0], False])) == a
    assert one_of([]) is False and one_of([False, False]) is False
