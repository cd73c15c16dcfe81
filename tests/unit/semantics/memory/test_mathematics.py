"""Functions of math.h that have one result: as C has them, also for what is no number; `tests/differential` has gcc."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.mathematics import MATHEMATICS, WITH_POINTERS

HEAD = "#include <math.h>\n#include <assert.h>\n#include <errno.h>\n"
INF, NAN = math.inf, math.nan


class Machine:
    """A machine that only has the names of globals, and what is stored."""

    def __init__(self, *names: str) -> None:
        self.globals = dict.fromkeys(names)
        self.layout = SimpleNamespace(pointer=8)
        self.stored: list[Any] = []

    def store(self, place: Any, type: Any, value: Any, span: Any) -> None:
        self.stored.append(value)

    def choose(self, type: Any, origin: str, span: Any) -> Any:
        return 77


def call(name: str, *given: Any, machine: Machine | None = None) -> Any:
    return (MATHEMATICS | WITH_POINTERS)[name](machine or Machine(), None, given, None)


def same(one: float, other: float) -> bool:
    """Tell whether two numbers are one, with the sign of 0; all that are none are one."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)


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
    assert call(name, given) == result


def test_what_is_no_number() -> None:
    assert math.isnan(call("sqrt", -1.0))
    assert math.isnan(call("fmod", 1.0, 0.0))
    assert call("fmax", math.nan, 1.0) == 1.0
    assert math.copysign(1.0, call("ceil", -0.5)) == -1.0


def test_programs_call_them() -> None:
    body = "double x = -2.5; assert(fabs(x) == 2.5 && floor(x) == -3 && isnan(NAN) && INFINITY > x);"
    assert knaster.check(f"{HEAD}int main(void) {{ {body} return 0; }}\n", file="a.c").verdict.value == "TRUE"


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
        ("remainder", (7.5, 2.0), -0.5),
        ("remainder", (INF, 2.0), NAN),
        ("fdim", (3.0, 1.0), 2.0),
        ("fdim", (1.0, 3.0), 0.0),
        ("fdim", (NAN, 3.0), NAN),
        ("ldexp", (1.5, 3), 12.0),
        ("ldexp", (-1.0, 2000), -INF),
        ("ldexp", (-1.0, -3000), -0.0),
        ("ldexpf", (1.0, 128), INF),
        ("scalbn", (INF, 1), INF),
        ("logb", (0.75,), -1.0),
        ("logb", (0.0,), -INF),
        ("logb", (-INF,), INF),
        ("logb", (NAN,), NAN),
        ("ilogb", (8.0,), 3),
        ("fma", (0.1, 10.0, -1.0), 2.0**-54),
        ("fma", (1.0, -1.0, 1.0), 0.0),
        ("fma", (0.0, -1.0, -0.0), -0.0),
        ("fma", (1e308, 10.0, -INF), -INF),
        ("fma", (INF, 0.0, 1.0), NAN),
        ("fmaf", (1.0, 1.0, 2.0**-30), 1.0),
        ("nextafter", (1.0, 2.0), 1.0000000000000002),
        ("nextafter", (0.0, -1.0), -5e-324),
        ("nextafter", (-1.0, 0.0), -0.9999999999999999),
        ("nextafter", (1.0, 1.0), 1.0),
        ("nextafter", (NAN, 1.0), NAN),
        ("lround", (-2.5,), -3),
        ("llrint", (2.5,), 2),
        ("fpclassify", (0, 1, 2, 3, 4, 1e-310), 3),
        ("fpclassify", (0, 1, 2, 3, 4, 1.0), 2),
        ("fpclassify", (0, 1, 2, 3, 4, 0.0), 4),
        ("fpclassifyf", (0, 1, 2, 3, 4, 1e-40), 3),
        ("fpclassify", (0, 1, 2, 3, 4, INF), 1),
        ("fpclassify", (0, 1, 2, 3, 4, NAN), 0),
        ("isnormal", (1e-310,), 0),
        ("isnormal", (1.0,), 1),
        ("isnormal", (2.0**-1022,), 1),
        ("fmax", (0.0, 0.0), 0.0),
        ("fmin", (0.0, 1.0), 0.0),
        ("fmax", (1.0, -1.0), 1.0),
        ("fdim", (INF, INF), 0.0),
        ("ldexp", (0.0, 5), 0.0),
        ("ldexp", (-0.0, 5), -0.0),
        ("ldexp", (NAN, 5), NAN),
        ("nextafter", (1.0, NAN), NAN),
        ("lround", (1e9,), 10**9),
    ],
)
def test_edges(name: str, given: tuple[float, ...], result: float) -> None:
    assert same(call(name, *given), result)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("signbit", (NAN,)),
        ("copysign", (1.0, NAN)),
        ("fmin", (0.0, -0.0)),
        ("fmax", (-0.0, 0.0)),
        ("lrint", (1e30,)),
        ("llround", (NAN,)),
        ("ilogb", (0.0,)),
    ],
)
def test_what_c_leaves_open(name: str, given: tuple[float, ...]) -> None:
    with pytest.raises(Unclear):
        call(name, *given)


def test_a_program_that_looks_at_errno() -> None:
    machine = Machine("errno")
    for name, *given in (
        ("sqrt", -1.0),
        ("ldexp", 1.0, 2000),
        ("ldexp", 1.0, -3000),
        ("logb", 0.0),
        ("fmod", 1.0, 0.0),
    ):
        with pytest.raises(Unclear, match="errno"):
            call(str(name), *given, machine=machine)
    assert call("sqrt", 0.0, machine=machine) == 0.0 and call("floor", INF, machine=machine) == INF
    assert call("ldexp", 1.0, -126, machine=machine) == 2.0**-126
    assert call("fmod", 4.0, 2.0, machine=machine) == 0.0 and call("sqrt", INF, machine=machine) == INF


def test_long_has_the_bits_of_a_pointer() -> None:
    machine = Machine()
    machine.layout.pointer = 4
    assert call("lrint", -(2.0**31), machine=machine) == -(2**31)
    assert call("llrint", 2.0**40, machine=machine) == 2**40
    with pytest.raises(Unclear):
        call("lrint", 2.0**31, machine=machine)


def test_two_results() -> None:
    machine = Machine()
    assert call("frexp", 12.0, None, machine=machine) == 0.75 and call("frexp", INF, None, machine=machine) == INF
    assert call("modf", -2.5, None, machine=machine) == -0.5
    assert same(call("modf", -INF, None, machine=machine), -0.0)
    assert call("modf", 2.75, None, machine=machine) == 0.75
    assert machine.stored == [4, 77, -2.0, -INF, 2.0]


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("int e; double m = frexp(-48.0, &e); assert(m == -0.75 && e == 6);", "TRUE"),
        ("double w, r = modf(3.25, &w); assert(r == 0.25 && w == 3);", "TRUE"),
        ("frexp(1.0, 0);", "FALSE"),
        (
            "assert(fpclassify(1e-40f) == FP_SUBNORMAL && fpclassify((double)1e-40f) == FP_NORMAL && isnormal(1.0));",
            "TRUE",
        ),
        (
            "assert(isgreaterequal(2.0, 2) && islessequal(1.0, 2) && !islessgreater(NAN, 1) && isunordered(NAN, 1.0));",
            "TRUE",
        ),
        ("assert(lrint(2.5) == 2 && lround(2.5) == 3 && fma(2, 3, 4) == 10 && hypot(3, 4) > 0);", "REFUSED"),
        ("assert(pow(2, 3) == 8);", "REFUSED"),
        ("errno = 0; double r = sqrt(-1.0); assert(errno == 0);", "UNKNOWN"),
        ("assert(isnormal(1.0) == 1);", "FALSE"),
    ],
)
def test_programs(body: str, verdict: str) -> None:
    try:
        result = knaster.check(f"{HEAD}int main(void) {{ {body} return 0; }}\n", file="a.c")
    except KnasterError as refused:
        assert verdict == "REFUSED" and "is a function of the C library that is not read" in str(refused)
        return
    assert result.verdict.value == verdict
