"""A label stands behind a step whose operands clash, and a note tells the reader of the others."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Answer, Reachable, Unknown
from support.c_text import main_of, read

READINGS = ("auto", "always")


def _is_reachable(answer: Answer) -> bool:
    return isinstance(answer, Reachable)


@pytest.mark.parametrize("objects", READINGS)
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int i = 1; i = i++ + 1;", ["order:3"]),
        ("int i = 1; if (read()) i = i++ + 1;", ["order:3"]),
        ("int i = 1; if (i == 2) i = i++ + 1;", []),
        ("int i = 1; int k = i > 5 && i++ == i;", []),
        ("int i = 1; int k = i > 5 ? i++ + i : 0;", []),
        ("int i = 1; for (; i < 0; i = i++) ;", []),
        ("int i = 1, n = 0; for (; n < 1; n++) i = i++;", ["order:3"]),
        ("int i = 1; i = i++ + 1; i = i++ + 2;", ["order:3", "order:3:42"]),
        ("int i = 1; exit(1); i = i++ + 1;", []),
        ("int i = 1; i++; i = i + i;", []),
    ],
)
def test_an_undefined_order_is_a_target_of_safety(body: str, found: list[str], objects: str) -> None:
    result = knaster.check(main_of(body), property="safety", file="test.c", objects=objects)
    assert sorted(target.name for target, answer in result.answers if _is_reachable(answer)) == found


def _order(text: str, objects: str = "auto") -> dict[str, bool]:
    """Return the targets of a text that are about its order, and which of them are reached; nothing is left open."""
    result = knaster.check(text, property="safety", file="test.c", objects=objects)
    assert not any("no fixed order" in note for note in result.notes)
    assert not any(isinstance(answer, Unknown) for _, answer in result.answers)
    return {target.name: _is_reachable(answer) for target, answer in result.answers if target.kind == "order"}


IJ = "int a[3] = {0}; int i = read() & 1, j = read() & 1;"
FREE = "int a[3] = {0}; int i = read() & 1, j = 1 - i;"


@pytest.mark.parametrize("objects", READINGS)
@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"{IJ} a[i] = a[j]++;", {"order:3": True}),
        (f"{FREE} a[i] = a[j]++;", {"order:3": False}),
        (f"{IJ} if (i != j) a[i] = a[j]++;", {"order:3": False}),
        (f"{IJ} int k = f(a[i]++, a[j]);", {"order:3": True}),
        (f"{FREE} int k = f(a[i]++, a[j]);", {"order:3": False}),
        (f"{IJ} gone(a[i]++, a[j]);", {"order:3": True}),
        (f"{IJ} exit((a[i]++, 0) + a[j]);", {"order:3": True}),
        (f"{IJ} int k = a[i]++ + (i != j ? a[j] : 0);", {"order:3": False}),
        (f"{IJ} int k = a[i]++ + (i == j ? a[j] : 0);", {"order:3": True}),
        (f"{IJ} int k = (i > 0 ? a[i]++ : 0) + (j > 0 && a[j]);", {"order:3": True}),
        (f"{IJ} int k = (i > j ? a[i]++ : 0) + (j > i && a[j]);", {"order:3": False}),
        (f"{FREE} for (int n = 0; n < 2; n++) {{ a[i] = a[j]++; i = j; }}", {"order:3": True}),
        (f"{FREE} for (int n = 0; n < 2; n++) {{ a[i] = a[j]++; i = 1 - i; j = 1 - j; }}", {"order:3": False}),
        (f"{FREE} int n = 2; again: a[i] = a[j]++; a[n] = a[j]++; if (n-- > 1) goto again;", None),
        ("int i = 0; int k = i + (i ? i++ : 0);", {"order:3": False}),
        ("int i = 0; int k = i + (read() ? i++ : 0);", {"order:3": True}),
        ("int i = 0; gone(i++, i);", {"order:3": True}),
        ("struct S u[2] = {0}; int i = read() & 1; u[i].x = u[1 - i].x++;", {"order:3": False}),
        ("struct S u[2] = {0}; int i = read() & 1; u[i].x = u[1].x++;", {"order:3": True}),
        ("struct S u[2] = {0}; int i = read() & 1; u[i].x = u[1].y++;", {}),
        ("struct S u[2] = {0}, v = {0}; int i = read() & 1; u[i] = (v.x = u[1].y++, v);", {}),
        ("int m[2][2] = {0}; int i = read() & 1, j = read() & 1; m[i][j] = m[j][i]++;", {"order:3": True}),
        ("int m[2][2] = {0}; int i = read() & 1, j = 1 - i; m[i][j] = m[j][i]++;", {"order:3": False}),
        ("int m[2][2] = {0}; int i = read() & 1, j = read() & 1; m[0][i] = m[1][j]++;", {}),
        ("unsigned char i = read() & 1; int a[2] = {0}; a[i] = a[0]++;", {"order:3": True}),
    ],
)
def test_places_that_may_be_the_same_are_compared(body: str, found: dict[str, bool] | None, objects: str) -> None:
    before = (
        """struct S { int x, y; }; int f(int m, int n) { return m + n; } void gone(int m, int n) { exit(m + n); }"""
    )
    answers = _order(main_of(body, before), objects)
    assert answers == (found if found is not None else {"order:3": False, "order:3:98": True})


BEFORE = """struct S { int n, m; unsigned one : 3, two : 5; int near[4]; int *far; struct S *next; };
int f(int m, int n) { return m + n; } static int change(int *p, int *q) { return *p = (*q)++; }
static int down(int *p, int n) { int k = n > 0 ? down(p + 1, n - 1) : 0; return (p[k] = (*p)++) * 0 + 1; }
int chosen(void) { return read() > 0; }"""
ST = "int x = 0, y = 0; struct S s = {0}, t = {0}; struct S *p = &s, *q = chosen() ? &s : &t, *r = &t;"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int *a = &x, *b = chosen() ? &x : &y; *a = (*b)++;", True),
        ("int *a = &x, *b = &y; *a = (*b)++;", False),
        ("int *a = &x; *a = x++;", True),
        ("int *a = &y; *a = x++;", None),
        ("change(&x, &y);", None),
        ("p->n = q->n++;", True),
        ("p->n = r->n++;", False),
        ("p->one = q->one++;", True),
        ("p->one = r->one++;", False),
        ("p->next = q; p->next->n = p->n++;", True),
        ("p->next = r; p->next->n = p->n++;", False),
        ("p->far = chosen() ? &x : &s.n; p->far[p->n++] = p->m;", True),
        ("p->far = chosen() ? &x : &s.m; p->far[p->n++] = p->m;", False),
        ("*p = *(q->n++, &t);", None),
        ("struct S v[2] = {0}; *p = v[q->n++];", True),
        ("struct S v[2] = {0}; *r = v[p->n++];", False),
        ("int k = f(p->n++, q->n);", True),
        ("int k = f(p->n++, r->n);", False),
        ("int k = p->n++ + (chosen() ? q->n : 0);", True),
        ("int k = p->n++ + (q == p ? r->n : q->n);", False),
        ("char *c = (char *)p + chosen(); *c = p->n++;", True),
        ("char *c = (char *)p + 4 + chosen(); *c = p->n++;", False),
        ("union { int i; char c[4]; } u = {0}; int k = chosen(); u.i = u.c[k]++;", True),
        ("int a[3] = {0}, *i = a, *j = a + 1; *i++ = (*j)++;", False),
        ("int a[3] = {0}, *i = a, *j = a + chosen(); *i++ = (*j)++;", True),
        ("int a[3] = {0}, *i = a; for (int n = 0; n < 2; n++) *i++ = a[1]++;", True),
    ],
)
def test_places_of_pointers_that_may_be_the_same_are_compared(body: str, found: bool | None) -> None:
    answers = _order(main_of(f"{ST} {body}", BEFORE))
    own = [value for name, value in answers.items() if name not in ("order:3", "order:4")]
    assert own == ([found] if found is not None else [])
    assert answers["order:3"] is False  # nobody gives it the same place twice


def test_activations_of_a_function_have_places_of_their_own() -> None:
    assert _order(main_of("int a[4] = {0}; down(a, 1);", BEFORE))["order:4"] is True
    assert _order(main_of("int a[9] = {0}; down(a, 0);", BEFORE.replace("p[k]", "p[k + 1]")))["order:4"] is False


def test_threads_compare_their_own_places() -> None:
    before = """#include <pthread.h>
int a[3]; void *run(void *at) { int i = *(int *)at; a[i] = a[2 - i]++; return 0; }"""
    body = "int i = {}, j = {}; pthread_t t; pthread_create(&t, 0, run, &i); pthread_join(t, 0); run(&j);"
    for numbers, found in (((0, 2), False), ((0, 1), True)):
        assert _order(main_of(body.format(*numbers), before)) == {"order:3": found}


@pytest.mark.parametrize(
    "body",
    [
        "p->near[p->n++] = x;",
        "p->near[p->n++] = p->m;",
        "p->n = p->m++;",
        "p->one = p->two++;",
        "s.n = s.m++;",
        "p->n = q->m++;",
        "int *a = &x, *b = &y; char c[4], d[4] = {0}, *e = c, *g = d; *e++ = *g++; x = *a + *b;",
        "int a[3], b[3] = {0}, n = 0, m = 0; a[n++] = b[m++];",
        "p->next = p; p->next->near[p->next->n++] = p->next->m;",
    ],
)
def test_ordinary_code_has_neither_a_target_nor_a_note(body: str) -> None:
    assert not {name for name in _order(main_of(f"{ST} {body}", BEFORE)) if name not in ("order:3", "order:4")}


@pytest.mark.parametrize("objects", READINGS)
def test_reach_says_that_safety_asks(objects: str) -> None:
    text = "#include <assert.h>\n" + main_of(f"{IJ} a[i] = a[j]++; assert(a[2] == 0);")
    result = knaster.check(text, property="reach", file="test.c", objects=objects)
    assert result.verdict is knaster.Verdict.TRUE
    said = "'a[...]' may be changed and used in no fixed order, which C leaves undefined ('safety' asks)"
    assert [note for note in result.notes if said in note]


def test_what_cannot_be_placed_is_said() -> None:
    before = "struct big { char c[99]; }; struct big *far(void);"
    body = "struct big s = {0}, *p = &s, *q = far(); char *c = (char *)q; *p = *(q + c[read()]++);"
    _, notes = read(main_of(body, before))
    assert any("for which there is no target here" in note for note in notes)


@pytest.mark.parametrize("objects", READINGS)
def test_reach_goes_on_from_left_to_right_and_says_so(objects: str) -> None:
    text = "#include <assert.h>\n" + main_of("int i = 1; i = i++ + 1; assert(i == 2);")
    result = knaster.check(text, property="reach", file="test.c", objects=objects)
    assert result.verdict is knaster.Verdict.TRUE
    assert any("no fixed order, which C leaves undefined" in note for note in result.notes)


def test_notes_are_one_for_a_place_and_none_about_functions_that_are_never_called() -> None:
    before = "int g; int s(void) { return ++g; } int unused(void) { return s() + s(); }"
    _, notes = read(main_of("int k = s() + s();\nk = s() + s();", before))
    said = "the order of evaluation may matter for 'g', and C leaves it open; here from left to right"
    assert notes == [f"{said} (likewise at line 4)"]


@pytest.mark.parametrize("objects", READINGS)
def test_a_place_that_is_said_to_be_unreachable_is_a_target(objects: str) -> None:
    body = "int x = read(); if (x > 3 && x < 3) __builtin_unreachable();\nif (x == 7) __builtin_unreachable();"
    result = knaster.check(main_of(body), property="safety", file="test.c", objects=objects)
    found = {
        target.name: _is_reachable(answer) for target, answer in result.answers if target.kind == "unreachable-code"
    }
    assert found == {"unreachable-code:3": False, "unreachable-code:4": True}
