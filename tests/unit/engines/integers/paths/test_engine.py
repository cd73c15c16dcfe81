"""Paths with terms: what they decide, and that they say when they do not."""

from __future__ import annotations

import pytest

import knaster

HEAD = "int in(void); unsigned any(void); char letter(void);\n"
HOLDS = {
    "a product": "int x = in(), *p = &x; if (*p * 2 == 7) { ERROR: ; }",
    "an index": "int a[9] = {0}; unsigned i = any() % 9; a[i] = 5; if (a[i] != 5) { ERROR: ; }",
    "two indices": "int a[4] = {0}; unsigned i = any() & 3, j = any() & 3, *p = &i; a[i] = 1; a[j] = 2;"
    "if (*p != j && a[i] + a[j] != 3) { ERROR: ; }",
    "unwritten": "int a[8], *p = a; unsigned i = any() % 8; int r = p[i]; if (p[i] != r) { ERROR: ; }",
    "bytes": "union { unsigned n; unsigned char b[4]; } u; u.n = any(); if (u.b[0] != u.n % 256) { ERROR: ; }",
    "a pointer": "int a[8], *p = a + any() % 8, *q = a + any() % 8; if (p - q + q - p) { ERROR: ; }",
    "a loop": "int n = in(), s = 0, *p = &s; if (n < 0 || n > 6) return 0; for (int i = 0; i < n; i++) *p += i;"
    "if (2 * s != n * (n - 1)) { ERROR: ; }",
}
FAILS = {
    "a number": "int x = in(), *p = &x; if (*p * 3 == 51) { ERROR: ; }",
    "a letter": "char t[4] = {letter(), letter(), 0}; if (t[0] == 104 && t[1] - t[0] == 1) { ERROR: ; }",
    "unwritten": "int a[8], *p = a; unsigned i = any() % 8; p[3] = 1; if (p[i] == 99 && p[i] + p[2] == 5) { ERROR: ; }",
}


@pytest.mark.parametrize("name", HOLDS)
def test_it_holds(name: str) -> None:
    result = knaster.check(
        f"{HEAD}int main(void) {{ {HOLDS[name]} return 0; }}\n", file="a.c", engine="paths", objects="always"
    )
    assert result.verdict.value == "TRUE" and all(answer.checked for _, answer in result.answers)


@pytest.mark.parametrize("name", FAILS)
def test_it_fails(name: str) -> None:
    result = knaster.check(
        f"{HEAD}int main(void) {{ {FAILS[name]} return 0; }}\n", file="a.c", engine="paths", objects="always"
    )
    assert result.verdict.value == "FALSE" and all(answer.checked for _, answer in result.answers)


def test_too_many_branches_are_no_answer() -> None:
    text = "int in(void);int main(void) { int s = 0, *p = &s; while (in()) *p ^= 1; if (s > 1) { ERROR: ; } return 0; }"
    result = knaster.check(text, file="a.c", engine="paths", branches=40)
    assert result.verdict.value == "UNKNOWN" and "more than 40 branches" in str(result)


def test_undefined_steps_are_found() -> None:
    text = (
        "unsigned any(void); int main(void) { int a[7], *p = a; unsigned i = any(); if (i < 8) p[i] = 1; return 0; }\n"
    )
    result = knaster.check(text, file="a.c", engine="paths", property="memory")
    assert result.verdict.value == "FALSE" and "byte 31" in str(result)
    overflow = "int in(void); int main(void) { int x = in(), *p = &x; if (*p < 9) *p = *p + 1; return 0; }\n"
    assert knaster.check(overflow, file="a.c", engine="paths", property="overflow").verdict.value == "TRUE"
    worse = overflow.replace("< 9", "!= 9")
    assert knaster.check(worse, file="a.c", engine="paths", property="overflow").verdict.value == "FALSE"
