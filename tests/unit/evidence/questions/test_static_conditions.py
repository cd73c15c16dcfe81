"""Atoms over the statics of a model: read by its front end, total, and refused where they are not."""

from __future__ import annotations

import pytest

from knaster.evidence.questions.static_conditions import Unreadable, static_condition
from knaster.frontends.zing import parse
from knaster.program.evaluate import evaluate

TEXT = """class C { C f; };
class Main { static int n; static bool b; static C c; activate static void main() { int k; k = 1; } }; // end"""


@pytest.mark.parametrize(
    ("text", "state", "value"),
    [
        ("Main.n == 2", {"Main.n": 2}, True),
        ("Main.b && Main.n < 0", {"Main.n": 1, "Main.b": True}, False),
        ("Main.c != null", {"Main.c": None}, False),
        ("Main.n + 1 > Main.n", {"Main.n": 2**31 - 1}, True),
        ("true", {}, True),
    ],
)
def test_values(text: str, state: dict[str, int | None], value: bool) -> None:
    program = parse(TEXT, "t.zing")
    assert evaluate(static_condition(program, text), state, iter(())) == value


@pytest.mark.parametrize(
    "text",
    [
        *("n == 1", "Main.c.f == null", "Main.n / 2 == 1", "Main.n", "k == 1", "choose(bool)", "main()", ""),
        *("true); b = (true", "true /* */", "Main.n = 1", "sizeof(Main.c) == 1", "true\n"),
    ],
)
def test_what_is_no_condition_over_statics_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        static_condition(parse(TEXT, "t.zing"), text)
