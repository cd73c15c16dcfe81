"""Atoms over the globals of C: read by its front end, total, and refused where they are not."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.evidence.questions.c_conditions import global_condition
from knaster.evidence.questions.static_conditions import Unreadable
from knaster.frontends.languages import load
from knaster.program.evaluate import evaluate

TEXT = """#define LIMIT 7
enum mode { IDLE, BUSY } mode; unsigned char small; int x, a[3]; int f(void) { return x; }
int main(void) { int k = 1; x = k; return f(); } // end"""


@pytest.mark.parametrize(
    ("text", "state", "value"),
    [
        ("x == 2", {"x": 2}, True),
        ("x", {"x": -1}, True),
        ("!x", {"x": 0}, True),
        ("!(x || small)", {"x": 0, "small": 1}, False),
        ("!x || mode == BUSY", {"x": 1, "mode": 1}, True),
        ("x < LIMIT && (x & 1)", {"x": 5}, True),
        ("small - 1 < 0", {"small": 0}, True),
    ],
)
def test_values(text: str, state: dict[str, int], value: bool) -> None:
    program = load(TEXT, file="p.c")
    assert bool(evaluate(global_condition(program, text), state, iter(()))) == value


@pytest.mark.parametrize(
    "text",
    [
        *("k == 1", "y", "x / 2", "x << 1", "a[0] == 1", "f()", "x = 1", "x++", "", "x +", "*x", "&x", "1"),
        *("1) return 1; if (x", "x; x", "x /* */", "x // 1", "(x", "x)", "({ 1; })"),
    ],
)
def test_what_is_no_condition_over_globals_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        global_condition(load(TEXT, file="p.c"), text)


def test_where_and_what_to_do() -> None:
    for asked, column, hint in (("G {x > yx}", 8, "did you mean 'x'?"), ("G {k}", 3, "a local of 'main'")):
        with pytest.raises(SourceError) as caught:
            knaster.check(TEXT + "\n", file="p.c", property=asked)
        (problem,) = caught.value.problems
        assert problem.span.column == column and hint in problem.hint


def test_macros_of_the_command_line_are_known() -> None:
    text = TEXT.replace("#define LIMIT 7", "").replace("[3]", "[LIMIT]") + "\n"
    assert knaster.check(text, file="p.c", define=("LIMIT=3",), property="G {x < LIMIT}").verdict.value == "TRUE"


def test_a_formula_about_memory_is_open() -> None:
    text = "int *p, x; int main(void) { p = &x; *p = 3; return 0; }\n"
    result = knaster.check(text, file="p.c", property="G {x < 2}")
    assert result.verdict.value == "UNKNOWN" and "memory" in result.reason
