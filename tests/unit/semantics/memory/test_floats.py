"""Functions of math.h that have one result: as C has them, also for what is no number."""

from __future__ import annotations

import math

import pytest

import knaster
from knaster.semantics.memory.floats import MATHEMATICS

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
