"""Switches of C: an edge for each case, and one for all other values."""

from __future__ import annotations

import pytest

from support.c_text import main_of, messages, steps


def test_cases_fall_through_and_break_leaves() -> None:
    assert steps("switch (g) { case 1: g = 2; break; case 2: g = 3; default: g = 4; }", "int g;") == [
        *("0-1 assume(g == 1)", "0-3 assume(g == 2)", "0-4 assume(g != 1 && g != 2)"),
        *("1-2 g = 2", "2-5 return 0", "3-4 g = 3", "4-2 g = 4"),
    ]


def test_without_a_default_other_values_go_on() -> None:
    assert steps("switch (g + 1) { case 'a': g = 2; }", "int g;") == [
        *("0-1 ()#1 = g + 1", "1-2 assume(()#1 == 97)", "1-3 assume(()#1 != 97)", "2-3 g = 2", "3-4 return 0")
    ]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("case 3: ;", "'case' statement not in switch statement"),
        ("switch (1) { case 1: case 1: ; }", "duplicate case value '1'"),
        ("switch (1) { case 2: switch (1) { case 2: ; } case 2: ; }", "duplicate case value '2'"),
        ("int x = 1; switch (x) { case x: ; }", "expression is not an integer constant expression"),
        ("switch (1) { case none: ; }", "use of undeclared identifier 'none'"),
    ],
)
def test_mistakes(body: str, problem: str) -> None:
    assert messages(main_of(body)) == [problem]
