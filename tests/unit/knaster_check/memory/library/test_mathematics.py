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
    "fmin": [(1.0, 2.0, 1.0), (2.0, 1.0, 1.0), (NAN, 1.0, 1.0), (1.0, NAN, 1.0), (-INF, INF, -INF), (0.0, -0.0, 0.0)],
    "fmax": [(1.0, 2.0, 2.0), (2.0, 1.0, 2.0), (NAN, 1.0, 1.0), (1.0, NAN, 1.0), (-INF, INF, INF), (-0.0, 0.0, -0.0)],
    "copysign": [(1.0, -0.0, -1.0), (-2.0, 1.0, 2.0)],
    "isnan": [(NAN, 1), (1.0, 0), (INF, 0)],
    "isinf": [(INF, 1), (-INF, 1), (1.0, 0), (NAN, 0)],
    "isfinite": [(1.0, 1), (INF, 0), (NAN, 0)],
    "signbit": [(-1.0, 1), (-0.0, 1), (0.0, 0), (2.0, 0)],
    "inf": [(INF,)],
    "nanf": [(NAN,)],
}
CASES["fmod"].append((1.0, NAN, NAN))


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
