"""Assignments of C: the place first, then the value, then it is stored."""

from __future__ import annotations

import pytest

from support.c_text import main_of, messages, steps

PAIR = "struct P { int x; int y; };\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int x = 1; x += 2; x++;", ["x = 1", "x = x + 2", "x = x + 1"]),
        ("int x = 1; int y = x--;", ["x = 1", "()#1 = x", "x = ()#1 - 1", "y = ()#1"]),
        ("int x = 1; int y = --x;", ["x = 1", "x = x - 1", "y = x"]),
        ("int x, y; x = y = 3;", ["x = *", "y = *", "y = 3", "x = y"]),
        ("char c = 1; c += 200;", ["c = 1", "c = (signed char)((int)c + 200)"]),
        (
            "int a[2] = {1}; int i = 0; a[i] = i++;",
            ["a = {1,0}", "i = 0", "()#1 = (long long)i", "()#2 = i", "i = ()#2 + 1", "a[()#1] = ()#2", "assume(1)"],
        ),
        ("int a[2] = {1}; a[a[0]] += 1;", ["a = {1,0}", "()#1 = (long long)a[0]", "a[()#1] = a[a[0]] + 1"]),
        ("struct P p = {1, 2}; struct P q = p;", ["p.x = 1; p.y = 2", "q.x = p.x; q.y = p.y"]),
    ],
)
def test_assignments(body: str, found: list[str]) -> None:
    assert [step.partition(" ")[2] for step in steps(body, PAIR)[:-1]] == found


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("const int x = 1; x = 2;", "cannot assign to variable 'x' with const-qualified type 'const int'"),
        ("const int a[2] = {1}; a[0]++;", "cannot assign to variable 'a' with const-qualified type 'const int[2]'"),
        ("int a[2], b[2]; a = b;", "array type 'int[2]' is not assignable"),
        ("struct P p; struct Q { int x; } q; p = q;", "assigning to 'struct P' from incompatible type 'struct Q'"),
    ],
)
def test_mistakes(body: str, problem: str) -> None:
    assert messages(main_of(body, PAIR)) == [problem]
