"""Bounded paths: types bound the paths in the heap where no class leads to itself, and cells do not grow."""

from __future__ import annotations

import pytest

import knaster
from knaster.frontends.zing import parse
from knaster.report.formats import Style
from knaster.report.text import write_text
from knaster.views.heap.bounded_paths import longest_path

MAIN = "class Main { %s activate static void main() { %s } };\n"


@pytest.mark.parametrize(
    ("declared", "statics", "body", "most"),
    [
        ("", "static int x;", "x = 1;", 0),
        ("class A { int k; };", "static A a;", "a = new A;", 1),
        ("class A { B b; }; class B { C c; C d; }; class C { int k; };", "static A a;", "a = new A;", 3),
        ("class A { B b; }; class B { int k; };", "", "B b; b = new B;", 1),
        ("struct S { int k; B b; }; class A { S s; }; class B { int k; };", "static A a;", "a = new A;", 2),
        ("array T[2] B; class B { int k; };", "static T t;", "t = new T;", 2),
        ("class A { A next; };", "static A a;", "a = new A;", None),
        ("class A { B b; }; class B { A a; };", "static A a;", "a = new A;", None),
        ("array T[] B; class B { int k; };", "static T t;", "t = new T[2];", None),
        ("chan Q int;", "static Q q;", "q = new Q;", None),
        ("interface I { int get(); }; class A : I { I i; int get() { return 1; } };", "static I i;", ";", None),
    ],
)
def test_paths(declared: str, statics: str, body: str, most: int | None) -> None:
    assert longest_path(parse(declared + MAIN % (statics, body))) == most


@pytest.mark.parametrize("engine", ["visible", "patterns", "transactions"])
def test_what_statistics_say(engine: str) -> None:
    text = "class A { B b; }; class B { int k; };\n" + MAIN % ("static A a;", "a = new A; a.b = new B;")
    said = "paths in the heap have at most 2 references"
    assert knaster.check(text, engine=engine).stats["check_ends"] == said
    assert "check_ends" not in knaster.check(text.replace("int k", "A k"), engine=engine).stats


def test_recursion_in_threads_that_is_cut_is_not_said_to_end() -> None:
    statics = "static int x; static void f() { x = 1; f(); x = 2; } static void g() { x = 3; }"
    text = MAIN % (statics, "async f(); async g();")
    result = knaster.check(text, engine="transactions", states=50)
    assert result.verdict.value == "UNKNOWN" and "check_ends" not in result.stats
    bounded = text.replace("{ x = 1; f(); x = 2; }", "{ if (x < 2) { x = x + 1; f(); } }")
    assert "check_ends" not in knaster.check(bounded, engine="transactions").stats


def test_recursion_inside_transactions_is_said_to_end() -> None:
    statics = (
        "static B b; static void f() { bool c; c = choose(bool); if (c) { f(); } } static void g() { f(); b.k = 1; }"
    )
    text = "class B { int k; };\n" + MAIN % (statics, "b = new B; async g(); async f();")
    result = knaster.check(text, engine="transactions")
    said = "paths in the heap have at most 1 reference, and every recursive call is inside a transaction"
    assert result.verdict.value == "TRUE" and result.stats["check_ends"] == said
    assert "this check ends: paths in the heap" in write_text(result, Style(verbose=True))
    loop = text.replace("async f();", "while (true) { async f(); }")
    assert "check_ends" not in knaster.check(loop, engine="transactions", states=20).stats


def test_many_states_are_for_transactions() -> None:
    loops = "int i; while (i < 30) { i = i + 1; }"
    text = f"class Main {{ static int x; activate static void a() {{ {loops} x = 1; }} "
    text += f"activate static void b() {{ {loops} x = 2; }} }};\n"
    result = knaster.check(text, states=50)
    assert result.verdict.value == "TRUE" and result.stats["method"] == "transactions"
