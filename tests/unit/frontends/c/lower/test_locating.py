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
        ("3", "expression is not assignable"),
        ("y", "use of undeclared identifier 'y'"),
        ("E", "expression is not assignable"),
        ("f", "non-object type 'int (void)' is not assignable"),
        ("s.z", "no member named 'z' in 'struct P'"),
        ("s.n[0]", "subscripted value is not an array, pointer, or vector"),
        ("**m", "pointers are not read"),
    ],
)
def test_mistakes(place: str, problem: str) -> None:
    assert messages(main_of(f"{place} = 7;", BEFORE))[0] == problem
