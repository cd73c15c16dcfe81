"""Arrays of variable length: parameters, pointers to them, typedefs, casts and sizes, against gcc."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.evidence.answers.answer import Reachable
from support.compiled import differs, needs_gcc

HEAD = """#include <assert.h>
#include <stdlib.h>
void set(int n, int m, int a[n][m], int i, int j, int v) { a[i][j] = v; }
int sum(int n, int m, const int a[n][m]) {
  int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; }
int corner(int n, int a[][n]) { n = 100; return a[1][0]; }
int later(int n, int a[*][n]);
"""
BODIES = [
    "int b[2][3] = {{1, 2, 3}, {4, 5, 6}}; set(2, 3, b, 1, 0, 9); assert(b[1][0] == 9 && b[0][0] == 1);",
    "int b[2][3] = {{1, 2, 3}, {4, 5, 6}}; set(2, 3, b, 1, 0, 9); assert(b[0][0] == 9);",
    "int b[2][3] = {{1, 2, 3}, {4, 5, 6}}; assert(sum(2, 3, b) == 21 && sum(3, 2, (void *)b) == 21);",
    "int b[2][3] = {{1, 2, 3}, {4, 5, 6}}; assert(sum(1, 3, b) == 7);",
    "int b[2][3] = {{1, 2, 3}, {4, 5, 6}}; assert(corner(3, b) == 4 && later(3, b) == 6);",
    "int b[2][3] = {{0}}; set(2, 3, b, 2, 0, 9);",
    "int n = 3; int (*p)[n] = malloc(2 * n * sizeof(int)); p[1][2] = 7; n = 9; "
    "assert(((int *)p)[5] == 7 && sizeof *p == 12); free(p);",
    "int n = 3; int (*p)[n] = malloc(2 * n * sizeof(int)); p[2][0] = 7; free(p);",
    "int n = 3; typedef long row[n]; row r[2], *q = r; n = 7; q++; (*q)[2] = 9; "
    "assert(r[1][2] == 9 && q - r == 1 && sizeof(row) == 24 && sizeof r == 48 && &r[1][2] - &r[0][0] == 5);",
    "int n = 3; typedef long row[n]; row r[2], *q = r; n = 7; q++; assert(q - r == 2);",
    "int n = 7; char t[2][n][n + 1]; t[1][6][7] = 'x'; "
    "assert(sizeof t == 112 && ((char *)t)[111] == 'x' && sizeof t[0] == 56 && sizeof t[0][0] == 8);",
    "int n = 7; char t[2][n][n + 1]; assert(sizeof t == 98);",
    "int n = 7; long (*s)[2][n] = (long (*)[2][n])calloc(3, 14 * sizeof(long)); s += 2; (*s)[1][6] = 4; s -= 2; "
    "assert(((long *)s)[41] == 4); free(s);",
    "for (int n = 1; n < 4; n++) { int a[n][n]; a[n - 1][n - 1] = n; assert(sizeof a == 4 * n * n); }",
    "int n = 2; struct { char c; int i; } a[2][n]; a[1][1].i = 5; assert(sizeof a == 32 && ((int *)a)[7] == 5);",
]
LATER = "int later(int n, int a[][n]) { return a[1][2]; }\n"


@needs_gcc
@pytest.mark.parametrize("body", BODIES)
def test_programs_do_what_gcc_says(body: str) -> None:
    assert differs(f"{HEAD}int main(void) {{ {body} return 0; }}\n{LATER}") == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("if (n < 1 || n > 2) return 0; int a[n];", "TRUE"),
        ("if (n < 0 || n > 2) return 0; int a[n];", "FALSE length"),
        ("if (n < -2 || n > -1) return 0; int a[n];", "FALSE length"),
        ("if (n < -2 || n > -1) return 0; int a[n][n];", "FALSE length"),
        ("if (n < 1 || n > 2) return 0; int a[2][n]; a[1][n - 1] = 1;", "TRUE"),
        ("if (n < 1 || n > 2) return 0; int a[2][n]; a[1][n] = 1;", "FALSE bounds"),
        ("if (n < 0 || n > 1) return 0; struct { } a[n];", "TRUE"),
    ],
)
def test_lengths_that_are_inputs(body: str, said: str) -> None:
    text = f"int nondet_int(void);\nint main(void) {{ int n = nondet_int(); {body} return 0; }}\n"
    result = knaster.check(text, file="a.c", objects="always")
    kinds = {target.kind for target, answer in result.answers if isinstance(answer, Reachable)}
    assert " ".join([result.verdict.value, *kinds]) == said


def test_a_size_that_only_a_type_says_is_refused() -> None:
    text = "int main(int c, char **v) { int n = 2, (*p)[n] = 0; return sizeof(int[2][n]) == 16; }"
    with pytest.raises(SourceError, match="no constant"):
        knaster.check(text, file="a.c")


def test_a_type_that_nobody_measures_is_refused_where_a_run_gets_there() -> None:
    strange = "void strange(int n) { __typeof(*(0, (int (*)[n])0)) x; (void)x; }\n"
    assert knaster.check(f"{strange}int main(void) {{ int x = 1, *p = &x; return *p; }}", file="a.c")
    with pytest.raises(SourceError, match="length of this array"):
        knaster.check(f"{strange}int main(void) {{ strange(3); return 0; }}", file="a.c")


def test_a_length_of_a_pointer_that_does_something_is_refused() -> None:
    text = "void f(int a, int b[{}]) {{ assert(a == 1); }}\nint main(void) {{ int e[9]; f(1, e); return 0; }}\n"
    with pytest.raises(SourceError, match="1:21: error: the length of this parameter has an effect"):
        knaster.check(text.format("a++"), file="a.c")
    assert knaster.check(text.format("a + 1"), file="a.c").verdict.value == "TRUE"
