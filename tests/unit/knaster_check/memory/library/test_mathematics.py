"""Functions of math.h: whole numbers, roots, remainders and tests, with infinities, zeros and what is no number."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest

from support.kernel_desk import Desk

INF, NAN = math.inf, math.nan
CASES: dict[str, list[tuple[Any, ...]]] = {  # arguments, and the result
    "fabs": [(-1.5, 1.5), (1.5, 1.5), (-0.0, 0.0), (-INF, INF)],
    "floor": [(1.5, 1.0), (-1.5, -2.0), (2.0, 2.0), (-0.0, -0.0), (0.5, 0.0), (INF, INF), (-INF, -INF), (NAN, NAN)],
    "ceil": [(1.5, 2.0), (-1.5, -1.0), (-0.5, -0.0), (0.0, 0.0), (NAN, NAN)],
    "trunc": [(1.5, 1.0), (-1.5, -1.0), (-0.5, -0.0), (1e300, 1e300)],
    "round": [(0.5, 1.0), (1.5, 2.0), (-0.5, -1.0), (-1.5, -2.0), (0.49999999999999994, 0.0), (2.4, 2.0), (-2.6, -3.0)],
    "rint": [(0.5, 0.0), (1.5, 2.0), (-0.5, -0.0), (-1.5, -2.0), (2.6, 3.0)],
    "nearbyint": [(2.5, 2.0), (3.5, 4.0)],
    "sqrt": [(4.0, 2.0), (2.0, math.sqrt(2.0)), (-0.0, -0.0), (0.0, 0.0), (-1.0, NAN), (INF, INF)],
    "fmod": [(7.5, 2.0, 1.5), (-7.5, 2.0, -1.5), (1.0, 0.0, NAN), (INF, 1.0, NAN), (1.0, INF, 1.0), (NAN, 1.0, NAN)],
    "fmin": [(1.0, 2.0, 1.0), (2.0, 1.0, 1.0), (NAN, 1.0, 1.0), (1.0, NAN, 1.0), (-INF, INF, -INF)],
    "fmax": [(1.0, 2.0, 2.0), (2.0, 1.0, 2.0), (NAN, 1.0, 1.0), (1.0, NAN, 1.0), (-INF, INF, INF)],
    "copysign": [(1.0, -0.0, -1.0), (-2.0, 1.0, 2.0)],
    "isnan": [(NAN, 1), (1.0, 0), (INF, 0)],
    "isinf": [(INF, 1), (-INF, 1), (1.0, 0), (NAN, 0)],
    "isfinite": [(1.0, 1), (INF, 0), (NAN, 0)],
    "signbit": [(-1.0, 1), (-0.0, 1), (0.0, 0), (2.0, 0)],
    "inf": [(INF,)],
    "nanf": [(NAN,)],
}
CASES |= {
    "remainder": [(7.5, 2.0, -0.5), (5.0, 2.0, 1.0), (1.0, 0.0, NAN), (INF, 1.0, NAN)],
    "fdim": [(3.0, 1.0, 2.0), (1.0, 3.0, 0.0), (INF, INF, 0.0), (NAN, 1.0, NAN), (1.0, NAN, NAN)],
    "ldexp": [
        (1.5, 3, 12.0),
        (-1.0, 2000, -INF),
        (-1.0, -3000, -0.0),
        (INF, 1, INF),
        (0.0, 5, 0.0),
        (1.0, -1074, 5e-324),
    ],
    "ldexpf": [(1.0, 128, INF), (1.0, -149, 2.0**-149), (1.0, -150, 0.0)],
    "logb": [(8.0, 3.0), (0.75, -1.0), (0.0, -INF), (-INF, INF), (5e-324, -1074.0)],
    "ilogb": [(8.0, 3), (-0.75, -1)],
    "fma": [(2.0, 3.0, 1.0, 7.0), (INF, 0.0, 1.0, NAN), (1.0, 1.0, -INF, -INF), (1e308, 10.0, -INF, -INF)],
    "nextafter": [
        (1.0, 2.0, 1.0000000000000002),
        (0.0, -1.0, -5e-324),
        (-1.0, 0.0, -0.9999999999999999),
        (1.0, 1.0, 1.0),
    ],
    "lround": [(2.5, 3), (-2.5, -3)],
    "llrint": [(2.5, 2), (-3.5, -4)],
    "fpclassify": [
        (*range(5), NAN, 0),
        (*range(5), -INF, 1),
        (*range(5), 1.0, 2),
        (*range(5), 1e-310, 3),
        (*range(5), 0.0, 4),
    ],
    "isnormal": [(1.0, 1), (5e-324, 0), (0.0, 0), (INF, 0)],
    "isnormalf": [(1e-40, 0), (1.0, 1)],
}
CASES["fma"] += [(0.1, 10.0, -1.0, 2.0**-54), (1.0, -1.0, 1.0, 0.0), (0.0, -1.0, -0.0, -0.0)]
CASES["fma"] += [(INF, 1.0, -INF, NAN), (INF, 1.0, INF, INF)]
CASES["fmod"].append((1.0, NAN, NAN))
CASES["lround"] += [(1e9, 10**9), (-(2.0**63), -(2**63))]
CASES["fpclassify"] += [(*range(5), 2.0**-1022, 2), (*range(5), -(2.0**-1022), 2)]


def same(left: float, right: float) -> bool:
    return struct.pack("<d", left) == struct.pack("<d", right) or (math.isnan(left) and math.isnan(right))


@pytest.mark.parametrize("name", CASES)
def test_results(name: str) -> None:
    for *values, result in CASES[name]:
        assert same(float(Desk().call(name, *values)), float(result)), values


def test_single_numbers_are_rounded() -> None:
    single = struct.unpack("<f", struct.pack("<f", math.sqrt(2.0)))[0]
    assert Desk().call("sqrtf", 2.0) == single != math.sqrt(2.0)
    assert Desk().call("floorf", -1.5) == -2.0


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("signbit", (NAN,)),
        ("copysign", (1.0, NAN)),
        ("fmin", (0.0, -0.0)),
        ("fmax", (-0.0, 0.0)),
        ("lrint", (1e30,)),
        ("llround", (NAN,)),
        ("ilogb", (0.0,)),
        ("lrint", (2.0**63,)),
    ],
)
def test_what_c_leaves_open_is_not_known(name: str, values: tuple[float, ...]) -> None:
    assert "left" in (said := Desk().fault(name, *values)) or "does not hold" in said


def test_long_has_the_bits_of_a_pointer() -> None:
    assert Desk(pointer=4).call("lrint", -(2.0**31)) == -(2**31) and Desk(pointer=4).call("llrint", 2.0**31) == 2**31
    assert "does not hold" in Desk(pointer=4).fault("lrint", 2.0**31)


def test_two_results() -> None:
    desk = Desk([9])
    place = desk.block(*[None] * 8)
    assert desk.call("frexp", 12.0, place) == 0.75 and desk.read(place, 4) == [4, 0, 0, 0]
    assert desk.call("frexp", INF, place) == INF
    assert desk.call("modf", -2.5, place) == -0.5 and desk.machine.load(place, ("floating", 64), (0, 0)) == -2.0
    assert same(desk.call("modf", -INF, place), -0.0) and desk.machine.load(place, ("floating", 64), (0, 0)) == -INF
    assert desk.call("modff", 2.5, place) == 0.5 and desk.machine.load(place, ("floating", 32), (0, 0)) == 2.0


def test_a_program_that_looks_at_errno() -> None:
    desk = Desk()
    desk.machine.globals["errno"] = desk.block(0, 0, 0, 0)
    assert "errno" in desk.fault("sqrt", -1.0) and desk.call("sqrt", 4.0) == 2.0
    assert "errno" in desk.fault("ldexp", 1.0, 2000) and desk.call("floor", -INF) == -INF
