"""Expressions of C that branch, and those whose value nobody wants."""

from __future__ import annotations

import pytest

from support.c_text import steps


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int x = g && h;", ["0-1 x = g != 0 && h != 0", "1-2 return 0"]),
        ("int x = g ? 1 : h;", ["0-1 x = g != 0 ? 1 : h", "1-2 return 0"]),
        (
            "g ? h++ : g++;",
            ["0-1 assume(g != 0)", "0-2 assume(g == 0)", "1-3 h = h + 1", "2-3 g = g + 1", "3-4 return 0"],
        ),
        ("(void)(g++, 3, h--);", ["0-1 g = g + 1", "1-2 h = h - 1", "2-3 return 0"]),
        (
            "if (!(g || --h)) g = 1;",
            [
                *("0-1 assume(g != 0)", "0-2 assume(g == 0)", "1-5 return 0", "2-3 h = h - 1"),
                *("3-1 assume(h != 0)", "3-4 assume(h == 0)", "4-1 g = 1"),
            ],
        ),
        (
            "int x = g && --h;",
            [
                *("0-1 assume(g != 0)", "0-2 assume(g == 0)", "1-3 h = h - 1", "2-5 ()#1 = 0"),
                *("3-4 assume(h != 0)", "3-2 assume(h == 0)", "4-5 ()#1 = 1", "5-6 x = (int)()#1", "6-7 return 0"),
            ],
        ),
        (
            "long x = g ? (char)--h : 2u;",
            [
                *("0-1 assume(g != 0)", "0-2 assume(g == 0)", "1-3 h = h - 1", "2-4 ()#1 = 2"),
                *("3-4 ()#1 = (unsigned int)(signed char)h", "4-5 x = (long long)()#1", "5-6 return 0"),
            ],
        ),
    ],
)
def test_branches(body: str, found: list[str]) -> None:
    assert steps(body, "int g, h;") == found
