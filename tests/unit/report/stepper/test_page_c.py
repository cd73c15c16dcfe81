"""Pages about C: the run with its inputs, how it goes on for ever, what was proved, and the remarks."""

from __future__ import annotations

import pytest

import knaster
from knaster.report.stepper.page import stepped_page

ENDLESS = "int main(void) { int x = __VERIFIER_nondet_int(); while (x == 3) { x = 3; } return 0; }\n"
DEEPER = "void f(int x) { f(x); }\nint main(void) { f(1); return 0; }\n"
WRONG = "int main(void) { int x = sensor(); assert(x != 42); return 0; }\n"
PROVED = "int main(void) { int i = 0; while (i < 10) i++; assert(i == 10); return 0; }\n"


@pytest.mark.parametrize(
    ("text", "property", "engine", "parts"),
    [
        (
            ENDLESS,
            "termination",
            "search",
            ["and so on for ever: line 1", "__VERIFIER_nondet_int() = 3</code> (line 1)"],
        ),
        (DEEPER, "termination", "search", ["one frame deeper", "(a real machine runs out of stack there)"]),
        (WRONG, "reach", "search", ["sensor() = 42", "Note: test.c:1: &#x27;sensor&#x27; is not defined"]),
        (PROVED, "reach", "horn", ["line 1, main: always"]),
        (PROVED, "termination", "ranking", ["decreases", " - i"]),
    ],
)
def test_what_a_page_says(text: str, property: str, engine: str, parts: list[str]) -> None:
    page = stepped_page(knaster.check(text, file="test.c", property=property, engine=engine))
    for part in parts:
        assert part in page
    assert ">Inputs<" in page or "__VERIFIER" not in text
