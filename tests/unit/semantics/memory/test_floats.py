"""Functions of math.h that have one result: as C has them, also for what is no number."""

from __future__ import annotations

import math

import pytest

import knaster
from knaster.program.expression import NOWHERE
from knaster.program.memory import Floating
from knaster.program.types import Int
from knaster.semantics.memory.failure import Fault
from knaster.semantics.memory.floats import MATHEMATICS, compute, from_bits, from_number, round_to, to_bits, to_number

HEAD = "#include <math.h>\n#include <assert.h>\n"


@pytest.mark.parametrize(
    ("name", "given", "result"),
    [
        ("floor", -2.5, -3.0),
        ("ceil", -2.5, -2.0),
        ("trunc", -2.5, -2.0),
        ("round", -2.5, -3.0),
        ("round", 0.49999999999999994, 0.0),
        ("rint", 2.5, 2.0),
        ("sqrt", 6.25, 2.5),
        ("sqrtf", 2.0, 1.41421353816986083984375),
        ("floor", math.inf, math.inf),
        ("isnan", math.nan, 1),
        ("signbit", -0.0, 1),
    ],
)
def test_results(name: str, given: float, result: float) -> None:
    assert MATHEMATICS[name](None, None, (given,), None) == result


def test_what_is_no_number() -> None:
    assert math.isnan(MATHEMATICS["sqrt"](None, None, (-1.0,), None))
    assert math.isnan(MATHEMATICS["fmod"](None, None, (1.0, 0.0), None))
    assert MATHEMATICS["fmax"](None, None, (math.nan, 1.0), None) == 1.0
    assert math.copysign(1.0, MATHEMATICS["ceil"](None, None, (-0.5,), None)) == -1.0


def test_programs_call_them() -> None:
    body = "double x = -2.5; assert(fabs(x) == 2.5 && floor(x) == -3 && isnan(NAN) && INFINITY > x);"
    assert knaster.check(f"{HEAD}int main(void) {{ {body} return 0; }}\n", file="a.c").verdict.value == "TRUE"


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


@pytest.mark.parametrize(
    ("name", "given", "result"),
    [
        ("round", (2.5,), 3.0),
        ("round", (2.25,), 2.0),
        ("round", (-2.25,), -2.0),
        ("round", (0.5,), 1.0),
        ("round", (-0.25,), -0.0),
        ("ceil", (2.25,), 3.0),
        ("trunc", (-INF,), -INF),
        ("floor", (NAN,), NAN),
        ("sqrt", (0.0,), 0.0),
        ("sqrt", (-0.0,), -0.0),
        ("sqrt", (NAN,), NAN),
        ("sqrt", (INF,), INF),
        ("fmod", (5.5, 2.0), 1.5),
        ("fmod", (-5.5, 2.0), -1.5),
        ("fmod", (5.5, INF), 5.5),
        ("fmod", (INF, 2.0), NAN),
        ("fmod", (NAN, 2.0), NAN),
        ("fmod", (2.0, NAN), NAN),
        ("fmax", (1.0, NAN), 1.0),
        ("fmax", (1.0, 2.0), 2.0),
        ("fmin", (1.0, 2.0), 1.0),
        ("fmin", (NAN, NAN), NAN),
        ("copysign", (3.0, -0.0), -3.0),
        ("signbit", (0.0,), 0),
        ("signbit", (3.0,), 0),
        ("isnan", (INF,), 0),
        ("isinf", (-INF,), 1),
        ("isfinite", (NAN,), 0),
        ("fmaxf", (0.1, 0.0), 0.100000001490116119384765625),
        ("inf", (), INF),
        ("nanf", (), NAN),
    ],
)
def test_edges(name: str, given: tuple[float, ...], result: float) -> None:
    assert same(MATHEMATICS[name](None, None, given, None), result)
