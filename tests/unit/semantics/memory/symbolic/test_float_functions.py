"""Functions of math.h on inputs: those that a solver knows, and those that bits decide."""

from __future__ import annotations

import pytest

import knaster
from knaster.program.memory import Floating
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.symbolic.float_functions import call_function
from knaster.semantics.memory.symbolic.symbols import SymbolicInputs, SymbolTable


def test_what_is_no_term() -> None:
    symbol = SymbolicInputs(SymbolTable()).choose(Floating(64), "", None)  # type: ignore[arg-type]
    for name in ("fmod", "remainder", "ldexp", "copysign"):
        with pytest.raises(Unclear, match=name):
            call_function(name, (symbol, 2.0), Floating(64), False)
    with pytest.raises(Unclear, match="fma"):
        call_function("fma", (symbol, 2.0, 1.0), Floating(64), True)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("if (fabsf(f) < 0) reach_error();", "TRUE"),
        ("if (f > 1 && f < 2 && floorf(f) != 1) reach_error();", "TRUE"),
        ("if (f > 1 && f < 2 && (rintf(f) != nearbyintf(f) || roundf(f) < truncf(f))) reach_error();", "TRUE"),
        ("if (f > 1 && f < 2 && rintf(f) != roundf(f)) reach_error();", "TRUE"),
        ("if (f > 2 && f < 3 && rintf(f) != roundf(f)) reach_error();", "FALSE"),
        ("if (fmaf(f, 1, 0) != f && f == f) reach_error();", "TRUE"),
        ("if (fminf(f, 0.0f) > 0) reach_error();", "UNKNOWN"),  # of two zeros
        ("if (f != 0 && fminf(f, 0.0f) > 0) reach_error();", "TRUE"),
    ],
)
def test_paths(body: str, verdict: str) -> None:
    head = "#include <math.h>\nfloat single(void);\nint main(void) { float f = single(); "
    assert knaster.check(f"{head}{body} return 0; }}\n", file="a.c", property="reach").verdict.value == verdict
