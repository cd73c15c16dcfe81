"""Initial values of C: lists with and without inner braces, designators, texts, and zeros everywhere else."""

from __future__ import annotations

import pytest

from support.c_text import main_of, messages, steps

BEFORE = "int g; struct Q { int a; int b; }; struct P { struct Q q[2]; int c; };\n"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("int a[3] = {1, 2}", "a = {1,2,0}"),
        ("int a[] = {1, 2}", "a = {1,2}"),
        ("int a[3] = {[1] = 3, 4}", "a = {0,3,4}"),
        ("int a[] = {[1 + 1] = 3}", "a = {0,0,3}"),
        ("int a[3] = {1, 2, 3, [0] = 4}", "a = {4,2,3}"),
        ("int a[2][2] = {{1}, {2, 3}}", "a = {{1,0},{2,3}}"),
        ("int a[2][2] = {1, 2, 3}", "a = {{1,2},{3,0}}"),
        ('char a[] = "ab"', "a = {97,98,0}"),
        ('char a[2] = "abc"', "a = {97,98}"),
        ("int x = {5}", "x = 5"),
        ("struct Q x = {.b = 3}", "x.a = 0; x.b = 3"),
        ("struct Q x = {.b = 3, .a = 1}", "x.a = 1; x.b = 3"),
        ("struct P x = {1, 2, 3, .c = 4}", "x.q.a = {1,3}; x.q.b = {2,0}; x.c = 4"),
        ("struct P x = {1, .c = 4}", "x.q.a = {1,0}; x.q.b = {0,0}; x.c = 4"),
        ("int a[2] = {g, 1}", "a = {0,1} with [0] = g"),
    ],
)
def test_values(text: str, values: str) -> None:
    assert steps(f"{text};", BEFORE)[0] == f"0-1 {values}"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("int a[2] = {1, 2, 3}", "there are more initial values than parts"),
        ("int a[2] = {[2] = 3}", "array designator index (2) exceeds array bounds (2)"),
        ("struct Q x = {.z = 3}", "field designator 'z' does not refer to any field in type 'struct Q'"),
        ("int a[2] = 3", "array initializer must be an initializer list or wide string literal"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    assert messages(main_of(f"{text};", BEFORE)) == [problem]
