"""Expressions of C: constants of every kind, operators, and the order in which parts are looked at."""

from __future__ import annotations

import pytest

from support.c_text import main_of, messages, steps


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sizeof(int) + 'a' + 3u", "104"),
        ("0x10 + 010 + 1L", "25"),
        ("E + 1", "8"),
        ("-g + ~g", "-g + (-1 - g)"),
        ("g % 3 == 1 != 0", "g % 3 == 1"),
        ("!!g", "g != 0"),
        ("(g, 4)", "4"),
        ("(char)(g + 1)", "(int)(signed char)(g + 1)"),
        ("s.a[1].b", "s.a.b[1]"),
        ("sizeof s", "8"),
    ],
)
def test_values(text: str, value: str) -> None:
    before = "int g; enum { D, E = 7 }; struct Q { int b; }; struct P { struct Q a[2]; } s;\n"
    assert steps(f"int x = {text};", before)[0] == f"0-1 x = {value}"


def test_the_left_side_is_kept_where_the_right_side_changes_it() -> None:
    assert [step.partition(" ")[2] for step in steps("int x = g + g++;", "int g;")] == [
        *("()#1 = g", "()#2 = g", "g = ()#2 + 1", "assume(1)", "x = ()#1 + ()#2", "return 0")
    ]
    assert len(steps("int x = h + g++;", "int g, h;")) == 4  # nothing is kept of what stays


def test_mathematical_integers() -> None:
    assert steps("int x = g + 1;", "long g;", integers="mathematical")[0] == "0-1 x = g + 1"
    assert steps("int x = g + 1;", "long g;")[0] == "0-1 x = (int)(g + 1)"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1.5", "floating-point numbers are not read"),
        ("&g", "the address of a variable is a pointer"),
        ('"a"', "a text is a pointer, except as the initial value of an array"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    assert messages(main_of(f"int x = {text};", "int g;"))[0] == problem
