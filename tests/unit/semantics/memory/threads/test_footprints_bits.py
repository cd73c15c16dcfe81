"""What a thread may still use, bit by bit: by each statement, from each place on, and whose address is a value."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.program.memory import AddressOf, Library
from knaster.program.model import Edge, Program
from knaster.semantics.memory.threads.footprints import KEY, POINTER_READ, POINTER_WRITE, THREAD, Footprints, _values

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
#include <string.h>
#include <stdlib.h>
int x, y, z, *p = &z, s[4]; void *(*h)(void *); void *v; pthread_mutex_t m; pthread_key_t k; pthread_t t;
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void g(void) { x = 1; }
int r(void) { int l; l = y; return l; }
void again(int n) { if (n) again(n - 1); y = 2; }
void *w(void *a) { s[0] = 1; return 0; }
"""
MAIN = "int main(void) { pthread_create(&t, 0, f, 0); return 0; }\n"
GLOBALS = ("x", "y", "z", "p", "s", "h", "v", "m", "k", "t")


def footprints(body: str, more: str = "") -> Footprints:
    found = load(f"{HEAD}{more}void *f(void *a) {{ {body} return 0; }}\n{MAIN}", file="a.c", objects="always")
    assert isinstance(found, Program)
    return Footprints(found)


def names(found: Footprints, mask: int) -> str:
    """Return the bits of a mask: globals that are read, or written (!), pointers (*), threads and keys."""
    shown = []
    for name in GLOBALS:
        first = 1 << 4 + 2 * found.names[name]
        shown += [name] * bool(mask & first) + [f"{name}!"] * bool(mask & 2 * first)
    for bit, name in ((POINTER_READ, "*"), (POINTER_WRITE, "*!"), (THREAD, "thread"), (KEY, "key")):
        shown += [name] * bool(mask & bit)
    return " ".join(shown)


def uses(body: str, more: str = "", procedure: str = "f") -> str:
    found = footprints(body, more)
    return names(found, found.at(procedure, found.program.procedure(procedure).entry))


@pytest.mark.parametrize(
    ("body", "used"),
    [
        ("", ""),
        ("x = 1;", "x x!"),
        ("y = x;", "x y y!"),
        ("int l = x; l = l + 1;", "x"),
        ("y = *p;", "y y! p *"),
        ("*p = 1;", "p * *!"),
        ("*p = x;", "x p * *!"),
        ("p = p + 1;", "p p!"),
        ("s[x] = 1;", "x s s!"),
        ("y = s[x];", "x y y! s"),
        ("if (x) y = 1;", "x y y!"),
        # calls, and what is called through pointers
        ("g();", "x x!"),
        ("y = r();", "y y!"),
        ("x = r();", "x x! y"),
        ("again(3);", "y y!"),
        # the library
        ("v = malloc(4);", "v v!"),
        ("free(v);", "v * *!"),
        # (of what is computed nobody knows that it is no pointer)
        ("memset(s, 0, 4);", "s s! * *!"),
        ("memset(s, x, 4);", "x s s! * *!"),
        ("memcpy(s, p, 4);", "p s s! * *!"),
        ("y = abs(x);", "x y y!"),
        # words of threads
        ("pthread_mutex_lock(&m);", "m m!"),
        ("pthread_mutex_unlock(&m); y = 1;", "y y! m m!"),
        ("pthread_create(&t, 0, w, 0);", "s s! t t! thread"),
        ("pthread_create(&t, 0, w, v);", "s s! v t t! * *! thread"),
        ("pthread_join(t, 0);", "t thread"),
        ("pthread_join(t, &v);", "v v! t thread"),
        ("pthread_detach(t);", "t thread"),
        ("pthread_cancel(t);", "t thread"),
        ("pthread_testcancel();", "thread"),
        ("pthread_setcancelstate(0, 0);", "thread"),
        ("pthread_setcancelstate(0, &x);", "x x! thread"),
        ("pthread_exit(0);", ""),
        ("if (x) pthread_exit(0); y = 1;", "x y y!"),
        ("v = pthread_getspecific(k);", "v v! k"),
        ("pthread_setspecific(k, 0);", "k"),
        ("__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();", "x x!"),
        ("sched_yield();", ""),
        ("pthread_setspecific(k, v);", "v k"),
        # what is computed of numbers
        ("y = __builtin_popcount(x);", "x y y!"),
        ("v = malloc(x);", "x v v!"),
        ("int l[2]; l[0] = 1; pthread_mutex_lock(&m);", "m m!"),
        # locals: who has given its address away may be met at its end
        ("int l = 0; l = 1;", ""),
        ("int l[2]; l[0] = 1; x = l[1];", "x x!"),
        ("int l; p = &l;", "p p! * *!"),
        ("{ int l; v = &l; }", "v v! * *!"),
        ("int l; v = &l; pthread_exit(0);", "v v! * *!"),
        ("while (x) { int l; l = 1; }", "x"),
    ],
)
def test_what_a_statement_uses(body: str, used: str) -> None:
    assert uses(body) == used


@pytest.mark.parametrize(
    ("body", "more", "used"),
    [
        ("h(0);", "", "x x! y y! s s! h t t! thread"),
        ("pthread_create(&t, 0, h, 0);", "", "x x! y y! s s! h t t! * *! thread"),
        ("pthread_key_create(&k, h);", "", "x x! y y! s s! h k k! t t! * *! thread key"),
        ("pthread_key_create(&k, 0);", "", "x x! y y! s s! k k! t t! thread key"),
        ("b();", "void c(void); void b(void) { c(); }\nvoid c(void) { h(0); }\n", "x x! y y! s s! h t t! thread"),
        ("sched_yield();", "void q(void) { int l; v = &l; }\n", ""),
        ("q(0);", "void q(int n) { if (n) g(); else x = y; }\n", "x x! y"),
        ("q(0);", "void q(int *n) { *n = 1; }\n", "* *!"),
        ("x = 1;", "void q(void) { int l; v = &l; }\n", "x x!"),
        ("q();", "void q(void) { int l; v = &l; }\n", "v v! * *!"),
        ("pthread_exit(0);", "void q(void) { int l; v = &l; }\n", "* *!"),
        ("q();", "void q(void) { int l; r(); }\n", "y"),
    ],
)
def test_what_is_used_elsewhere(body: str, more: str, used: str) -> None:
    assert uses(body, more) == used


def test_what_is_left_from_a_place_on() -> None:
    found = footprints("x = 1; A: y = 1; B: ;")
    procedure = found.program.procedure("f")
    places = dict(procedure.labels)
    assert names(found, found.at("f", procedure.entry)) == "x x! y y!"
    assert names(found, found.at("f", places["A"])) == "y y!"
    assert names(found, found.at("f", places["B"])) == "" == names(found, found.at("f", 10_000))
    assert found.everywhere & found.at("f", procedure.entry) == found.at("f", procedure.entry)


def test_where_a_thread_begins_in_the_middle_all_locals_are_known_to_others() -> None:
    text = "int l[2]; l[0] = 1; __CPROVER_ASYNC_1: l[0] = 2; x = l[0];"
    assert uses(text) == "x x! * *! thread"


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        ("", ""),
        ("p = &x;", "x"),
        ("*p = 1; x = 2;", ""),
        ("y = x; s[x] = y;", ""),
        ("p = s;", "s"),
        ("p = &s[x];", "s"),
        ("p = &s[*(&x)];", "s"),
        ("y = s[*(int *)&x];", ""),
        ("*(int **)&p = &y;", "y"),
        ("*(x ? &y : &z) = 1;", "y"),
        ("pthread_create(&t, 0, w, &x);", "x"),
        ("pthread_mutex_lock(&m);", ""),
        ("pthread_join(t, &v);", ""),
        ("pthread_setspecific(k, &y);", "y"),
        ("memset(&x, 0, 4);", "x"),
        ("return &y;", "y"),
        ("return w(&y);", "y"),
        ("if (p == &x) y = 1;", "x"),
        ("pthread_exit(&s);", "s"),
    ],
)
def test_whose_address_is_a_value(body: str, taken: str) -> None:
    """`z` stands in the first value of `p`; what else is a value may be met through a pointer."""
    found = footprints(body)
    assert found.taken & set(GLOBALS) == {"z", *taken.split()}
    for name in GLOBALS:
        through = found.conflicts(name, True) & (POINTER_READ | POINTER_WRITE)
        assert bool(through) is (name in found.taken)


def test_a_word_that_is_given_nothing_makes_nothing_a_value() -> None:
    assert list(_values(Edge(0, Library("pthread_exit", (), None, None), 1))) == []
    assert list(_values(Edge(0, Library("pthread_exit", (AddressOf("x"),), None, None), 1))) == ["x"]


def test_what_each_thread_has_of_its_own_is_met_through_pointers_where_its_address_is_a_value() -> None:
    own = "_Thread_local int own, kept;\n"
    assert "*" not in uses("own = 1; kept = own;", own)
    for body, used in (("own = 1;", "* *!"), ("int l = own;", "*"), ("kept = 1;", "")):
        assert uses(body, f"{own}void q(void) {{ p = &own; }}\n") == used


def test_what_meets_a_use() -> None:
    found = footprints("")
    assert names(found, found.conflicts("x", False)) == "x!" and names(found, found.conflicts("x", True)) == "x x!"
    assert names(found, found.conflicts("z", False)) == "z! *!"
    assert names(found, found.conflicts("z", True)) == "z z! * *!"
    assert names(found, found.conflicts(None, False)) == "*!" and names(found, found.conflicts(None, True)) == "* *!"
