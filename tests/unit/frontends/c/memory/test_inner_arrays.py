"""Indices outside of arrays that are parts of larger objects: `index:LINE` is a target of `safety`."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable

HEAD = """extern int __VERIFIER_nondet_int(void);
struct in { short v[3]; char c; };
struct out { int len; char buf[4]; struct in rows[2]; int m[2][3]; union { char b[4]; int n; } u; char old[1]; int e; };
int main(void) { struct out o = {0}, *p = &o; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0;
"""


def failing(body: str, question: str | None = None) -> set[str]:
    """Return the kinds of targets that are reached."""
    result = knaster.check(
        f"{HEAD}{body}\n return 0; }}\n", question, file="a.c", property=None if question else "safety"
    )
    assert all(answer.checked for _, answer in result.answers)
    return {target.name.partition(":")[0] for target, answer in result.answers if isinstance(answer, Reachable)}


@pytest.mark.parametrize(
    "body",
    [
        "p->buf[i] = 1;",
        "o.rows[0].v[i] = 1;",
        "return o.m[0][i];",
        "return o.m[i][0] && 0;",
        "int (*row)[3] = &o.m[0]; return (*row)[i];",
        "o.u.b[i] = 1;",
        "if (i != 3 && o.rows[1].v[i]) return 1;",
        "return i < 3 ? 0 : p->rows[0].v[i];",
        "char *c = &p->buf[i + 1]; return c == 0;",
        "int a[2][2][2] = {0}; return i == 2 ? a[0][i][0] : 0;",
    ],
)
def test_an_index_outside_of_an_inner_array_is_reached(body: str) -> None:
    assert failing(body) == {"index"}


@pytest.mark.parametrize(
    "body",
    [
        "if (i < 4) p->buf[i] = 1;",
        "p->buf[i & 3] = 1; o.rows[i % 2].v[2] = 1;",
        "return i < 3 && o.rows[0].v[i];",
        "return i < 3 ? o.m[1][i] : 0;",
        "char *c = &p->buf[i]; return c == 0;",
        "int *e = &o.m[0][3], *b = o.m[0], s = 0; while (b != e) s += *b++; return s;",
        "p->old[i] = 1;",
        "int a[5]; a[i] = 1; return a[i];",
        "return sizeof p->buf[i] - 1;",
    ],
)
def test_an_index_inside_is_none(body: str) -> None:
    assert failing(body) == set()


def test_what_is_asked_by_the_name_of_bounds_has_it_too() -> None:
    assert failing("p->buf[i] = 1;", "bounds:5") == {"index"}
    assert failing("p->buf[i] = 1;", "index") == {"index"}


def test_the_run_goes_on_where_nobody_asks() -> None:
    assert failing("p->buf[i] = 1; if (o.rows[0].v[0]) ERROR: ;", "ERROR") == {"ERROR"}
