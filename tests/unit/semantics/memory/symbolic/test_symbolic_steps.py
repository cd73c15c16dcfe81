"""Steps on inputs as terms: where a result overflows and where a shift is undefined, at the edges of their types."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import Span
from knaster.program.expression import NOWHERE, IntegerOperator
from knaster.program.types import Int
from knaster.semantics.memory.symbolic.symbolic_steps import operate
from knaster.semantics.memory.symbolic.symbols import Symbol
from support.memory_desk import symbolic_desk

MOST, LEAST = 2147483647, -2147483648
WORD = Int(32)


def verdict(where: str, step: str, property: str = "safety") -> str:
    """Return what is said of a step that is made where a condition on two inputs holds."""
    body = f"int x = in(), s = in(); int *p = &x; if ({where}) {{ int y = {step}; *p = y; }} return 0;"
    text = f"int in(void);\nint main(void) {{ {body} }}\n"
    return knaster.check(text, file="a.c", property=property, engine="paths").verdict.value


@pytest.mark.parametrize(
    ("where", "step", "holds"),
    [
        (f"x < {MOST}", "x + 1", True),
        (f"x <= {MOST}", "x + 1", False),
        (f"x > {LEAST}", "x - 1", True),
        (f"x >= {LEAST}", "x - 1", False),
        ("x >= 0 && x < 715827883", "x * 3", True),
        ("x >= 0 && x <= 715827883", "x * 3", False),
        (f"x > {LEAST} && s == -1", "x / s", True),
        ("s == -1", "x / s", False),
        ("s == -2", "x / s", True),
    ],
)
def test_sums_and_quotients(where: str, step: str, holds: bool) -> None:
    assert verdict(where.replace(f"{LEAST}", f"({LEAST + 1} - 1)"), step, "overflow") == ("TRUE" if holds else "FALSE")


@pytest.mark.parametrize(
    ("where", "step", "holds"),
    [
        ("x >= 0 && x < 1073741824", "x << 1", True),
        ("x >= 0 && x <= 1073741824", "x << 1", False),
        ("x >= -1 && x < 9", "x << 1", False),
        ("s >= 0 && s < 31", "1 << s", True),
        ("s >= 0 && s < 32", "1 << s", False),
        ("s >= 0 && s < 32", "x >> s", True),
        ("s >= 0 && s < 32 && x < 0", "x >> s", True),
    ],
)
def test_shifts_that_overflow(where: str, step: str, holds: bool) -> None:
    assert verdict(where, step, "overflow") == ("TRUE" if holds else "FALSE")


@pytest.mark.parametrize(
    ("where", "step", "holds"),
    [
        ("s >= 0 && s < 32", "x >> s", True),
        ("s >= 0 && s <= 32", "x >> s", False),
        ("s >= -1 && s < 32", "x >> s", False),
        ("s >= 0 && s < 31 && x == 1", "x << s", True),
        ("s == 0 || s == 31", "(int)(1u << s)", True),
    ],
)
def test_shifts_that_go_too_far(where: str, step: str, holds: bool) -> None:
    assert verdict(where, step) == ("TRUE" if holds else "FALSE")


@pytest.mark.parametrize(("low", "line"), [(0, []), (-1, [7])])
def test_results_that_may_wrap_are_noted(low: int, line: list[int]) -> None:
    """Where nobody asks whether a sum overflows, the line is kept; bounds that exclude it are enough."""
    desk, inputs = symbolic_desk(3)
    x = Symbol(inputs, inputs.choose(WORD, "", NOWHERE).name, WORD, low - (MOST if low else 0), 3)
    operate(desk.machine, IntegerOperator.SUBTRACT, x, 1, WORD, Span(7, 1))
    assert list(inputs.wraps) == line
    operate(desk.machine, IntegerOperator.AND, x, 1, WORD, Span(8, 1))
    operate(desk.machine, IntegerOperator.SUBTRACT, x.converted(Int(32, False)), 1, Int(32, False), Span(9, 1))
    assert list(inputs.wraps) == line
