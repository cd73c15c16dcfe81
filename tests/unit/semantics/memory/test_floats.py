"""Floating-point numbers: operations, conversions, and how they stand in memory."""

from __future__ import annotations

import math

import pytest

import knaster
from knaster.program.expression import NOWHERE
from knaster.program.floating_point import compute, from_bits, from_number, round_to, to_bits
from knaster.program.memory import Floating
from knaster.program.types import Int
from knaster.semantics.memory.failure import Fault
from knaster.semantics.memory.floats import NotANumber, to_number, to_raw_float

HEAD = "#include <math.h>\n#include <assert.h>\n"


DOUBLE, SINGLE = Floating(64), Floating(32)
INF, NAN = math.inf, math.nan


def same(one: float, other: float) -> bool:
    """Tell whether two numbers are one, with the sign of 0; all that are none are one."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)


@pytest.mark.parametrize(
    ("sign", "one", "other", "result"),
    [
        ("+", 1.5, 2.0, 3.5),
        ("-", 1.5, 2.0, -0.5),
        ("*", 1.5, 2.0, 3.0),
        ("/", 3.0, 2.0, 1.5),
        ("/", 1.0, 0.0, INF),
        ("/", 1.0, -0.0, -INF),
        ("/", -1.0, 0.0, -INF),
        ("/", -1.0, -0.0, INF),
        ("/", INF, 0.0, INF),
        ("/", 0.0, 0.0, NAN),
        ("/", -0.0, 0.0, NAN),
        ("/", NAN, 0.0, NAN),
        ("/", 0.0, 5.0, 0.0),
        ("/", 1.0, NAN, NAN),
    ],
)
def test_operations(sign: str, one: float, other: float, result: float) -> None:
    assert same(compute(sign, one, other, DOUBLE), result) and same(compute(sign, one, other, SINGLE), result)


def test_singles_are_rounded() -> None:
    assert round_to(0.1, SINGLE) == 0.100000001490116119384765625 and round_to(0.1, DOUBLE) == 0.1
    assert same(round_to(1e39, SINGLE), INF) and same(round_to(-1e39, SINGLE), -INF) and round_to(1e39, DOUBLE) == 1e39
    for number in (INF, -INF, NAN, -0.0):
        assert same(round_to(number, SINGLE), number) and same(round_to(number, DOUBLE), number)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("power", [24, 25, 40, 54, 62])
@pytest.mark.parametrize("beside", [-1, 0, 1])
def test_integers_are_rounded_once(power: int, beside: int, sign: int) -> None:
    """Half between two singles, and one integer beside it: to the even one, or to the nearer one."""
    step = 2 ** (power - 23)
    value = 2**power + step // 2 + beside if power > 24 else 2**power + 1 + beside
    low = value // step * step
    even = low if low // step % 2 == 0 else low + step
    rest = 2 * (value - low)
    nearest = even if rest == step else low if rest < step else low + step
    assert from_number(sign * value, SINGLE) == sign * nearest
    assert from_number(sign * value, DOUBLE) == float(sign * value)


def test_integers_that_a_single_has() -> None:
    assert [from_number(value, SINGLE) for value in (0, -1, 2**24 - 1, 2**63, 3 * 2**60)] == [
        0.0,
        -1.0,
        2.0**24 - 1,
        2.0**63,
        3 * 2.0**60,
    ]


def test_numbers_become_integers_that_hold_them() -> None:
    assert to_number(127.9, Int(8), NOWHERE) == 127 and to_number(-128.9, Int(8), NOWHERE) == -128
    for number in (128.0, -129.0, INF, -INF, NAN):
        with pytest.raises(Fault, match="cannot hold it"):
            to_number(number, Int(8), NOWHERE)
    assert to_number(-0.5, Int(8, False), NOWHERE) == 0


def test_numbers_stand_in_memory() -> None:
    assert to_bits(1.0, DOUBLE) == 0x3FF0000000000000 and to_bits(-2.0, SINGLE) == 0xC0000000
    assert from_bits(0x3FF0000000000000, DOUBLE) == 1.0 and from_bits(0xC0000000, SINGLE) == -2.0
    assert to_raw_float(1.0, SINGLE) == 0x3F800000 and isinstance(to_raw_float(NAN, SINGLE), NotANumber)


@pytest.mark.parametrize(
    "body",
    [
        "double z = 0, n = z / z; assert(!signbit(n));",  # the sign of what is no number is open
        "double z = 0, n = z / z; assert(copysign(1, n) == 1);",
        "double z = 0, n = z / z; unsigned long u; memcpy(&u, &n, 8); assert(u >> 63 == 0);",
        "double z = 0, n = z / z; assert(((unsigned char *)&n)[7] < 128);",
        "double z = 0, n = z / z, m = NAN; assert(memcmp(&n, &m, 8));",
        "union { float f; unsigned u; } b; b.f = INFINITY - INFINITY; assert(b.u == 0x7fc00000);",
    ],
)
def test_bits_of_what_is_no_number_are_left_open(body: str) -> None:
    text = f"#include <string.h>\n{HEAD}int main(void) {{ {body} return 0; }}\n"
    for wrong in (text, text.replace("assert(", "assert(!(").replace(");", "));", 1) if "memcpy" not in body else text):
        assert knaster.check(wrong, file="a.c", property="reach").verdict.value == "UNKNOWN"


def test_what_is_no_number_is_copied() -> None:
    body = "double a[2] = {NAN, 1}, b[2], c; memcpy(b, a, 16); char *p = (char *)&c, *q = (char *)a;"
    body += " for (int i = 0; i < 8; i++) p[i] = q[i]; assert(isnan(b[0]) && b[1] == 1 && isnan(c));"
    text = f"#include <string.h>\n{HEAD}int main(void) {{ {body} return 0; }}\n"
    assert knaster.check(text, file="a.c").verdict.value == "TRUE"
