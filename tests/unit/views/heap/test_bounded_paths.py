"""Bounded paths: types bound the paths in the heap where no class leads to itself, and cells do not grow."""

from __future__ import annotations

import pytest

import knaster
from knaster.frontends.zing import parse
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


def test_recursion_in_threads_is_not_said_to_end() -> None:
    text = MAIN % ("static int x; static void f() { f(); }", "async f();")
    assert "check_ends" not in knaster.check(text, engine="transactions", states=5).stats
