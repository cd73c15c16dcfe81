"""Floating-point inputs as bits: comparisons and tests say what numbers of Python say, and paths use them."""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Callable
from typing import Any

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.program.expression import NOWHERE, Comparison
from knaster.program.floating_point import compute, from_bits, to_bits
from knaster.program.memory import Floating
from knaster.program.types import Bool, Int
from knaster.semantics.memory.failure import Fault, Unclear
from knaster.semantics.memory.floats import to_number
from knaster.semantics.memory.symbolic.float_symbols import (
    FloatSymbol,
    compare_floats,
    compute_float_symbol,
    test_float,
    to_float_type,
    to_integer_type,
)
from knaster.semantics.memory.symbolic.line_values import LineValues
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolicInputs, SymbolTable

test_float.__test__ = False  # type: ignore[attr-defined]
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 5e-324, -5e-324, 1e-45, 3.5, -3.5, 1e30, math.inf, -math.inf, math.nan)
SIGNS: dict[Comparison, Callable[[float, float], bool]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.DIFFERENT: operator.ne,
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.GREATER: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}


def numbers(type: Floating) -> list[float]:
    rest = random.Random(type.width)
    return [from_bits(to_bits(value, type), type) for value in SPECIAL] + [
        from_bits(rest.getrandbits(type.width), type) for _ in range(4)
    ]


class Input:
    """An input of a type whose terms are evaluated."""

    def __init__(self, type: Floating) -> None:
        self.table = SymbolTable()
        self.type = type
        source = SymbolicInputs(self.table)
        self.one: FloatSymbol = source.choose(type, "", None)  # type: ignore[arg-type]
        self.other: FloatSymbol = source.choose(type, "", None)  # type: ignore[arg-type]

    def value(self, found: Any, one: float, other: float = 0.0) -> Any:
        if not isinstance(found, Symbol):
            return found
        given = {self.one.bits.name: one, self.other.bits.name: other}
        value = LineValues(self.table, lambda name: to_bits(given[name], self.type)).value(found.name)
        assert isinstance(found.type, Bool) or found.low <= value <= found.high
        return value


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("sign", SIGNS)
def test_comparisons_are_those_of_numbers(width: int, sign: Comparison) -> None:
    type = Floating(width)
    inputs = Input(type)
    found = compare_floats(sign, inputs.one, inputs.other)
    for one, other in itertools.product(numbers(type), repeat=2):
        assert bool(inputs.value(found, one, other)) is SIGNS[sign](one, other), (one, other)
    for constant in numbers(type):
        right, left = compare_floats(sign, inputs.one, constant), compare_floats(sign, constant, inputs.one)
        for one in numbers(type):
            assert bool(inputs.value(right, one)) is SIGNS[sign](one, constant), (one, constant)
            assert bool(inputs.value(left, one)) is SIGNS[sign](constant, one), (constant, one)


@pytest.mark.parametrize("width", [32, 64])
def test_what_rounds_nothing_is_a_term(width: int) -> None:
    type = Floating(width)
    inputs = Input(type)
    same = compute_float_symbol("/", inputs.one, 1.0, type)
    minus, also = compute_float_symbol("*", inputs.one, -1.0, type), compute_float_symbol("*", -1.0, inputs.one, type)
    for one in numbers(type):
        if math.isnan(one):
            assert math.isnan(from_bits(inputs.value(minus.bits, one), type))
            continue
        assert inputs.value(same.bits, one) == to_bits(compute("/", one, 1.0, type), type)
        assert inputs.value(minus.bits, one) == to_bits(compute("*", one, -1.0, type), type)
        assert inputs.value(also.bits, one) == inputs.value(minus.bits, one)
        assert inputs.value(abs(inputs.one).bits, one) == to_bits(abs(one), type)
        expected = {"isnan": 0, "isinf": int(math.isinf(one)), "isfinite": int(math.isfinite(one))}
        expected["signbit"] = int(math.copysign(1.0, one) < 0)
        for name, said in expected.items():
            assert int(inputs.value(test_float(name, inputs.one), one)) == said, (name, one)
    assert inputs.value(test_float("isnan", inputs.one), math.nan) == 1
    with pytest.raises(Unclear):
        float(inputs.one)
    with pytest.raises(Unclear):
        compute_float_symbol("+", inputs.one, "x", type)


@pytest.mark.parametrize("width", [32, 64])
def test_what_rounds_is_a_term(width: int) -> None:
    type = Floating(width)
    inputs = Input(type)
    for sign in ("+", "-", "*", "/"):
        found = compute_float_symbol(sign, inputs.one, inputs.other, type)
        backwards = compute_float_symbol(sign, 3.0, inputs.one, type)
        for one, other in itertools.islice(itertools.product(numbers(type), repeat=2), 0, None, 5):
            assert inputs.value(found.bits, one, other) == to_bits(compute(sign, one, other, type), type)
            assert inputs.value(backwards.bits, one) == to_bits(compute(sign, 3.0, one, type), type)


@pytest.mark.parametrize("width", [32, 64])
def test_one_as_the_first_operand(width: int) -> None:
    """Only a product is the same with its factors exchanged."""
    type = Floating(width)
    inputs = Input(type)
    assert compute_float_symbol("*", 1.0, inputs.one, type).bits.name == inputs.one.bits.name
    for sign, first in itertools.product(("+", "-", "/"), (1.0, -1.0)):
        found = compute_float_symbol(sign, first, inputs.one, type)
        for one in numbers(type):
            assert inputs.value(found.bits, one) == to_bits(compute(sign, first, one, type), type), (sign, first, one)


@pytest.mark.parametrize("width", [32, 64])
def test_conversions_to_floating_point_numbers(width: int) -> None:
    type, other = Floating(width), Floating(96 - width)
    inputs = Input(type)
    assert to_float_type(inputs.one, type) is inputs.one
    rounded = to_float_type(inputs.one, other)
    truth = to_float_type(compare_floats(Comparison.LESS, inputs.one, 1.0), other)
    sign = to_float_type(test_float("signbit", inputs.one), other)
    assert rounded.type == truth.type == sign.type == other
    for one in (0.5, -2.0, 3.0):
        assert inputs.value(rounded.bits, one) == to_bits(one, other)
        assert inputs.value(truth.bits, one) == to_bits(float(one < 1), other)
        assert inputs.value(sign.bits, one) == to_bits(float(one < 0), other)


def test_a_computed_number_that_is_none_has_no_sign() -> None:
    type = Floating(64)
    for value, nan in ((math.inf, True), (2.0, False)):
        source = Deciding(value)
        product = compute_float_symbol("*", source.choose(type, "", NOWHERE), 0.0, type)
        assert [source.number(test_float(name, product)) for name in ("isnan", "isinf")] == [int(nan), 0]
        if nan:
            with pytest.raises(Unclear):
                test_float("signbit", product)
        else:
            assert source.number(test_float("signbit", product)) == 0


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("target", [Int(8), Int(8, False), Int(32), Int(64), Int(64, False)])
def test_conversions_to_integers_ask_first(width: int, target: Int) -> None:
    """Around the ends of each type: the same as on numbers, undefined where that is."""
    assert target.low is not None and target.high is not None
    type = Floating(width)
    ends = [float(end) for end in (target.low - 1, target.low, target.high, target.high + 1)]
    near = [from_bits(to_bits(end, type) + step, type) for end in ends if end for step in (-1, 0, 1)]
    for number in (*near, *numbers(type)):
        source = Deciding(number)
        symbol: FloatSymbol = source.choose(type, "", NOWHERE)
        try:
            expected: int | None = to_number(number, target, NOWHERE)
        except Fault:
            expected = None
        try:
            found: Any = source.number(to_integer_type(symbol, target, NOWHERE))
        except Fault:
            found = None
        assert found == expected, number


class Deciding(SymbolicInputs):
    """An input that has a value: what is decided is so."""

    def __init__(self, value: float) -> None:
        super().__init__(SymbolTable())
        self.value = value

    def number(self, symbol: Any) -> int:
        line = self.table.lines
        bits = to_bits(self.value, Floating(next(each.type.width for each in line.values())))  # type: ignore[arg-type, union-attr]
        return (
            int(LineValues(self.table, lambda name: bits).value(symbol.name)) if isinstance(symbol, Symbol) else symbol
        )

    def take_way(self, truth: Symbol) -> bool:
        return bool(self.number(truth))

    def take_value(self, number: Symbol) -> int:
        return self.number(number)


HEAD = (
    "#include <math.h>\ndouble in(void); float single(void);\n"
    "int main(void) {{ double x = in(); float f = single(); {} }}\n"
)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("if (x > 1.5 && x < 1.5000000000001 && x != 1.5000000000000002) reach_error();", "FALSE"),
        ("if (x == 0 && signbit(x)) reach_error();", "FALSE"),
        ("if (isnan(f) && f == f) reach_error();", "TRUE"),
        ("if (x < -2.0 && -x <= 2.0) reach_error();", "TRUE"),
        ("if (fabs(x) < 1.0 && !(x > -1.0 && x < 1.0)) reach_error();", "TRUE"),
        ("double y = x, *p = &y; for (int i = 0; i < 50; i++) *p /= 1.0; if (x == x && y != x) reach_error();", "TRUE"),
        ("union { float f; unsigned u; } b; b.f = f; if (f == 1.0f && b.u != 0x3f800000) reach_error();", "TRUE"),
        ("if (f > 3.0f && f < 3.0000002f) reach_error();", "TRUE"),
        ("if (f > 3.0f && f < 3.0000005f) reach_error();", "FALSE"),
        ("if (x) { if (!x) reach_error(); }", "TRUE"),
        ("if (f + 1 >= f + 2 && f < 1e30f) reach_error();", "FALSE"),
        ("if (f >= 0 && f < 100 && (f + 1) * 2 < 2) reach_error();", "TRUE"),
        ("if (f > 2 && f / 5 * 5 != f && f < 3) reach_error();", "FALSE"),
        ("if (f > -1 && f < 256) { unsigned char c = f; if (c > f + 1) reach_error(); }", "TRUE"),
        ("if (sqrtf(f) < 0) reach_error();", "TRUE"),
        ("if (fabs(x) < 100 && ceil(x) - floor(x) > 1) reach_error();", "TRUE"),
        ("if (fmaxf(f, 3) < 3 || fminf(f, 3) > 3) reach_error();", "TRUE"),
        ("if (x == 1e-30 && x + 1 != 1) reach_error();", "TRUE"),
        ("float a[2] = {f, 1}, *p = a; *p = *p + 1; if (a[0] == 3 && f > 2) reach_error();", "TRUE"),
        (
            "double y = x * 0; union { double d; unsigned long u; } b; b.d = y; if (b.u >> 52 == 0x7ff) reach_error();",
            "UNKNOWN",
        ),
        ("double y = 0 * x; if (y != 0 && x - x == 0) reach_error();", "TRUE"),
        ("if (sqrt(x) > 2 || (int) x == 3 || (float) x == 4 || fmin(x, 2) > 3) return 1; reach_error();", "FALSE"),
    ],
)
def test_paths_with_floating_point_inputs(body: str, verdict: str) -> None:
    result = knaster.check(HEAD.format(body + " return 0;"), file="a.c", property="reach")
    assert result.verdict.value == verdict
    if verdict == "FALSE":
        answer = result.answers[0][1]
        assert isinstance(answer, Reachable) and answer.checked


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("float *p = &f; if (*p != *p) reach_error();", "FALSE"),  # NaN was another one when it was replayed
        ("union { float f; unsigned u; } b; b.f = f; if (b.u == 0xffc12345u) reach_error();", "UNKNOWN"),
        ("union { float f; unsigned u; } b; b.f = f; if (b.u == 0x7f800001u) reach_error();", "UNKNOWN"),
        ("union { float f; unsigned u; } b; b.f = f; if (b.u == 0x7f800001u && f == f) reach_error();", "TRUE"),
    ],
)
def test_what_is_no_number(body: str, verdict: str) -> None:
    result = knaster.check(HEAD.format(body + " return 0;"), file="a.c", property="reach")
    assert result.verdict.value == verdict
