"""A label stands behind a step whose operands clash, and a note tells the reader of the others."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Answer, Reachable
from support.c_text import main_of, read

READINGS = ("auto", "always")


def _is_reachable(answer: Answer) -> bool:
    return isinstance(answer, Reachable)


@pytest.mark.parametrize("objects", READINGS)
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int i = 1; i = i++ + 1;", ["order:3"]),
        ("int i = 1; if (read()) i = i++ + 1;", ["order:3"]),
        ("int i = 1; if (i == 2) i = i++ + 1;", []),
        ("int i = 1; int k = i > 5 && i++ == i;", []),
        ("int i = 1; int k = i > 5 ? i++ + i : 0;", []),
        ("int i = 1; for (; i < 0; i = i++) ;", []),
        ("int i = 1, n = 0; for (; n < 1; n++) i = i++;", ["order:3"]),
        ("int i = 1; i = i++ + 1; i = i++ + 2;", ["order:3", "order:3:42"]),
        ("int i = 1; exit(1); i = i++ + 1;", []),
        ("int i = 1; i++; i = i + i;", []),
    ],
)
def test_an_undefined_order_is_a_target_of_safety(body: str, found: list[str], objects: str) -> None:
    result = knaster.check(main_of(body), property="safety", file="test.c", objects=objects)
    assert sorted(target.name for target, answer in result.answers if _is_reachable(answer)) == found


@pytest.mark.parametrize("objects", READINGS)
def test_reach_goes_on_from_left_to_right_and_says_so(objects: str) -> None:
    text = "#include <assert.h>\n" + main_of("int i = 1; i = i++ + 1; assert(i == 2);")
    result = knaster.check(text, property="reach", file="test.c", objects=objects)
    assert result.verdict is knaster.Verdict.TRUE
    assert any("no fixed order, which C leaves undefined" in note for note in result.notes)


def test_notes_are_one_for_a_place_and_none_about_functions_that_are_never_called() -> None:
    before = "int g; int s(void) { return ++g; } int unused(void) { return s() + s(); }"
    _, notes = read(main_of("int k = s() + s();\nk = s() + s();", before))
    said = "the order of evaluation may matter for 'g', and C leaves it open; here from left to right"
    assert notes == [f"{said} (likewise at line 4)"]


@pytest.mark.parametrize("objects", READINGS)
def test_a_place_that_is_said_to_be_unreachable_is_a_target(objects: str) -> None:
    body = "int x = read(); if (x > 3 && x < 3) __builtin_unreachable();\nif (x == 7) __builtin_unreachable();"
    result = knaster.check(main_of(body), property="safety", file="test.c", objects=objects)
    found = {
        target.name: _is_reachable(answer) for target, answer in result.answers if target.kind == "unreachable-code"
    }
    assert found == {"unreachable-code:3": False, "unreachable-code:4": True}
