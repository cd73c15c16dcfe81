"""Symbols: what is computed with them is what Python computes, and equal lines have one name."""

from __future__ import annotations

from random import Random

import pytest

from knaster.program.expression import Comparison, IntegerOperator
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.symbolic.symbolic_steps import count_bits, first_bit, leading_zeros, reverse_bytes
from knaster.semantics.memory.symbolic.symbols import (
    SymbolicInputs,
    SymbolTable,
    both,
    calculate,
    compare_symbols,
    either,
    exactly,
    join_bytes,
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
