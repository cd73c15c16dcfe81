"""Floating-point numbers as bits of the reduced program: what is computed, what compares, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.limits import Budget
from knaster.engines.contract import Task
from knaster.engines.integers.horn import HornOptions
from knaster.engines.integers.horn.engine import horn
from knaster.engines.integers.portfolio import portfolio
from knaster.engines.integers.unrolled import UnrolledOptions
from knaster.engines.integers.unrolled.engine import unrolled
from knaster.engines.integers.yasm import YasmOptions
from knaster.engines.integers.yasm.engine import yasm
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.questions.question import Termination
from knaster.program.expression import Const, Var
from knaster.program.floating_point import has_floats, to_bits
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import Array, Int
from knaster.program.validate import validate
from knaster.transform.regions.floating_numbers import DOUBLE, arithmetic
from knaster.transform.regions.refusal import Refused
from support.regions import compare_runs, compare_with_memory, reduce_text

HEAD = "#include <math.h>\n#include <assert.h>\nextern double any(void);\nextern float some(void);\nint main(void) {\n"


def verdict(body: str, name: str = "reach") -> bool | None:
    """Tell whether the assertion of a program may fail; None where nobody says."""
    reduced = reduce_text(f"{HEAD}{body}\nreturn 0; }}", name)
    assert not validate(reduced.program)
    found = unrolled(Task(reduced.program, reduced.question, Budget(), UnrolledOptions(8, 100)))
    return None if found.unknown is not None and not found.reached else bool(found.reached)


@pytest.mark.parametrize(
    ("body", "fails"),
    [
        ("double x = any(); if (x < 1) return 0; if (x >= 1) return 0; assert(x != x);", False),
        ("double x = any(); if (x < 1) return 0; assert(x >= 1);", True),  # what is no number is neither
        ("double x = any(); assert(x == x);", True),
        ("double x = any(); assert(isnan(x) || isinf(x) || isfinite(x));", False),
        ("double x = any(); if (isfinite(x)) assert(fabs(x) < INFINITY && x - x == 0);", False),
        ("double x = any(); if (isnan(x)) assert(!(x < 0) && !(x > 0) && !(x == 0) && x);", False),
        ("float f = some(); if (f > 0 && f < 1e-30f) assert(f * f > 0);", True),  # too small
        ("float f = some(); double d = f; assert((float)d == f || isnan(f));", False),
        ("double d = any(); float f = d; assert(f == d || isnan(d));", True),
        ("double x = any(), y = any(); if (x > y) assert(x - y > 0 || isinf(x) || isinf(y));", False),
        ("double x = any(); double y = -x; assert(x == 0 || y != x);", False),
        ("double x = any(); double z = x == 0 ? x : 0.0; assert(1 / z > 0);", True),  # -0
        ("double x = any(); int n = x > 0 && x < 100 ? (int)x : 5; assert(n >= 0 && n < 100);", False),
        ("double x = any(); if (x) x = 1; assert(x == 0 || x == 1);", False),
        ("double x = any(); _Bool b = x; assert(b == (x != 0));", False),
        ("int n = (int)some(); assert(n != 7);", True),
        ("double x = floor(any()); assert(isnan(x) || x == rint(x));", False),
        (
            "float r[2] = {0.5f, 0.25f}; int n = some() > 0; r[n] = some(); assert(r[0] == 0.5f || r[1] == 0.25f);",
            False,
        ),
        ("double r[200]; r[3] = 0.5; int n = any() > 0; r[n] = any(); assert(r[3] == 0.5);", False),
    ],
)
def test_assertions(body: str, fails: bool) -> None:
    assert verdict(body) is fails


def test_a_loop_without_a_bound_is_open() -> None:
    assert verdict("float x = some(); while (x > 1) x -= 1; assert(!(x > 1));") is None


def test_a_conversion_that_does_not_fit_is_a_target() -> None:
    assert verdict("double x = any(); int n = (int)x; return n;", "safety") is True
    assert (
        verdict("double x = any(); if (!(x > -2147483649.0 && x < 2147483648.0)) return 0; return (int)x;", "safety")
        is False
    )
    assert verdict("float x = some(); if (!(x >= 0 && x <= 255)) return 0; return (unsigned char)x;", "safety") is False
    assert verdict("float x = some(); if (!(x >= 0 && x <= 256)) return 0; return (unsigned char)x;", "safety") is True


def test_variables_are_bits() -> None:
    reduced = reduce_text(f"{HEAD}static double g = 1.5; float r[3]; r[g > 1] = g; assert(r[1] > 1); return 0; }}")
    types: dict[str, Any] = {**dict(reduced.program.types), **dict(reduced.program.procedures[0].types)}
    assert Int(64, False) in types.values() and Array(Int(32, False), 3) in types.values()
    assert has_floats(reduced.program)
    assert not has_floats(reduce_text("int main(void) { int x = 0; return x; }").program)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("double x = fmod(any(), 2); return x > 0;", "library"),
        ("double x = any(); return signbit(x) != 0;", "library"),
        ("union { double d; long n; } u; u.d = any(); return u.n == 0;", "in several ways"),
        ("double x = any(); return *(long *)&x == 0;", "in several ways"),
    ],
)
def test_what_is_refused(body: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        verdict(body)


def test_errno_may_be_set() -> None:
    with pytest.raises(Refused, match="'sqrt' may set errno"):
        reduce_text(f"#include <errno.h>\n{HEAD}errno = 0; double x = sqrt(any()); return x > 0 && errno; }}")


def test_runs_without_inputs_end_the_same() -> None:
    body = "double s = 0; float f = 0.1f; for (int i = 0; i < 5; i++) { s += f; f = f * s - 1; if (s > 1) f = -f; }\n"
    agreed, _ = compare_with_memory(f"{HEAD}{body}assert(s > f); assert(fabs(s) < 1); return (int)s; }}", "safety")
    assert agreed


def test_inputs_come_back() -> None:
    body = "double t, x = any(); float f = some(); if (x > 3 && f < x && f > 3.5f) assert(t > 1 || isnan(f));"
    assert compare_runs(f"{HEAD}{body} return 0; }}", "reach") is not False  # the run that is found is replayed


def test_those_who_know_integers_alone_give_up() -> None:
    body = "double x = any(); for (int i = 0; i < 2; i++) x = x / 2; assert(x < 1e308 || isinf(x));"
    reduced = reduce_text(f"{HEAD}{body} return 0; }}")
    for method, options in ((horn, HornOptions(1_000_000)), (yasm, YasmOptions(units=1_000_000))):
        found = method(Task(reduced.program, reduced.question, Budget(), options))
        assert found.unknown is not None and "floating-point" in found.unknown.reason
    found = portfolio(Task(reduced.program, reduced.question, Budget(), HornOptions()), 1_000_000)
    assert found.unknown is None and found.statistics["method"] == "unrolled"
    found = portfolio(Task(reduced.program, Termination(), Budget(), HornOptions()), 1_000_000)
    assert isinstance(found.ends, Terminates)


def test_only_times_one_and_over_one_change_nothing() -> None:
    """`0.0 + 1` is no `0.0`, and `1 / x` is no `x`: what is left out is exactly what IEEE 754 leaves as it is."""
    x, one = Var("x"), Const(to_bits(1.0, DOUBLE))
    computed = {
        (sign, left == one): arithmetic(sign, left, right, DOUBLE)
        for sign in "+-*/"
        for left, right in ((x, one), (one, x))
    }
    assert {key for key, found in computed.items() if found == x} == {("*", False), ("*", True), ("/", False)}
    assert computed["+", False] == FloatTerm("+", (x, one), DOUBLE, DOUBLE)
    single = Floating(32)
    assert arithmetic("*", x, Const(to_bits(1.0, single)), single) == x
    assert arithmetic("*", x, one, single) == FloatTerm("*", (x, one), single, single)
