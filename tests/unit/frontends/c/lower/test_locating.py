"""The places that expressions of C stand for, and expressions that are no place."""

from __future__ import annotations

import pytest

from support.c_text import main_of, messages, steps

BEFORE = "struct Q { int b; }; struct P { struct Q a[2]; int n; } s; int m[2][3]; enum { E }; int f(void);\n"


@pytest.mark.parametrize(
    ("place", "stored"),
    [("s.n", "s.n = 7"), ("s.a[1].b", "s.a.b[1] = 7"), ("m[1][2]", "m[1] = m[1] with [2] = 7"), ("(s).n", "s.n = 7")],
)
def test_places(place: str, stored: str) -> None:
    assert steps(f"{place} = 7;", BEFORE)[0] == f"0-1 {stored}"


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("3", "this cannot be assigned to"),
        ("y", "'y' is not declared"),
        ("E", "'E' is no variable"),
        ("f", "the function 'f' is used without being called"),
        ("s.z", "there is no field 'z' here"),
        ("s.n[0]", "what has an index here is no array"),
        ("*m", "pointers are not read"),
    ],
)
def test_mistakes(place: str, problem: str) -> None:
    assert messages(main_of(f"{place} = 7;", BEFORE))[0] == problem
