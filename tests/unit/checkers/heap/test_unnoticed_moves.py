"""Moves that concern no other thread: by what they touch, and by what the texts of the others can do."""

from __future__ import annotations

import pytest

from knaster.checkers.heap import unnoticed_moves
from knaster.checkers.heap.unnoticed_moves import UnnoticedMoves
from knaster.frontends.zing import parse
from knaster.semantics.heap.interpreter import Machine

DECLARED = """struct S { int k; bool b; }; array A[2] int; chan Q int; set Z int;
class C { int f; C next; S s; }; class D { int f; C next; }; class E { A a = new A; int g = Main.w; };
interface I { int get(); }; class F : I { int get() { Main.x = 1; return 2; } };
"""
STATICS = (
    "static int x; static int y; static int w; static S s; static C c = new C; static C e = new C; static D d = new D;"
    " static A a = new A; static Q q = new Q; static Z z = new Z;"
)
HELP = (
    "static void sets() { x = 1; } static void deep() { sets(); } static int unit() { return 1; }"
    "static void again() { y = 1; again(); }"
    "static void raises() { raise Bad; }"
)


def machine(one: str, two: str, more: str = "") -> Machine:
    threads = f"activate static void one() {{ {one} }} activate static void two() {{ {two} }} "
    return Machine(parse(f"{DECLARED}class Main {{ {STATICS} {threads} {HELP} {more} }};\n"))


@pytest.mark.parametrize(
    ("one", "two", "unnoticed"),
    [
        ("x = 1;", "y = 1;", True),
        ("x = 1;", "y = x;", False),  # it writes what the other reads
        ("x = 1;", "x = 2;", False),
        ("y = x;", "w = x;", True),  # both read
        ("y = x;", "x = 2;", False),  # it reads what the other writes
        ("x = 1;", "sets();", False),
        ("x = 1;", "deep();", False),  # a call of a call
        ("x = 1;", "async deep();", False),
        ("y = 1;", "async deep();", True),
        ("x = 1;", "y = unit();", True),
        ("x = 1;", "again();", True),
        ("x = 1;", "I i; F n; n = new F; i = n; y = i.get();", False),
        ("w = 1;", "I i; F n; n = new F; i = n; y = i.get();", True),
        ("x = 1;", "x = unit();", False),
        ("x = 1;", "y = 1; y = 2; y = x;", False),  # it comes to that later
        ("y = s.k;", "s.b = true;", False),
        ("y = s.k;", "x = s.k;", True),
        ("x = 1;", "select { wait(x == 0) -> ; }", False),
        ("x = 1;", "send(q, x);", False),
        ("x = 1;", "E n; n = new E; y = 1;", True),
        ("w = 1;", "E n; n = new E; y = 1;", False),  # by an initial value
        ("c.f = 1;", "y = 1;", True),
        ("c.f = 1;", "y = c.f;", False),
        ("c.f = 1;", "y = e.f;", True),  # another cell
        ("c.f = 1;", "e.f = 2;", True),
        ("y = c.f;", "x = c.f;", True),
        ("y = c.f;", "c.f = 2;", False),
        ("y = c.f;", "c.s.k = 2;", False),
        ("y = c.f;", "d.f = 2; x = c.f;", False),  # a field of the same name and number
        ("y = d.f;", "c.s.k = 1; x = d.f;", True),  # one that its class has not
        ("y = a[0];", "x = a[1];", True),
        ("y = a[0];", "a[1] = 2;", False),
        ("y = a[0];", "x = a[1]; c.f = 2;", True),
        ("y = sizeof(q);", "x = sizeof(q);", True),
        ("y = sizeof(q);", "send(q, 1);", False),
        ("y = sizeof(q);", "select { receive(q, x) -> ; }", False),
        ("y = sizeof(q);", "select { wait(sizeof(q) == 1) -> ; }", True),
        ("y = sizeof(z);", "z = z + 1;", False),
        ("y = sizeof(z);", "x = sizeof(z); a[0] = 1;", True),
        ("y = choose(z);", "z = z + 1;", False),
        ("select { receive(q, y) -> ; }", "x = 1;", False),  # it cannot be taken
        ("bool b; b = choose(bool);", "y = 1;", True),
        ("bool b; atomic { b = choose(bool); if (b) { x = 1; } }", "y = x;", False),  # in one alternative
        ("bool b; atomic { b = choose(bool); if (b) { x = 1; } }", "y = 1;", True),
        ("atomic { y = 1; x = 1; }", "w = x;", False),  # in the second step
        ("atomic { y = 1; x = 1; }", "w = 1;", True),
        ("assume(x == 1);", "y = 1;", False),
        ("assume(x == 0);", "y = 1;", True),
        ("assert(x == 1);", "y = 1;", False),
        ("c = null; c.f = 1;", "y = 1;", True),
        ("C n; n.f = 1;", "y = 1;", False),  # it fails
        ("raises();", "y = 1;", True),
        ("raise Bad;", "y = 1;", False),
        ("async sets();", "y = 1;", False),
        ("atomic { while (true) { y = 1 - y; } }", "x = 1;", False),  # it takes long
    ],
)
def test_who_takes_notice(one: str, two: str, unnoticed: bool) -> None:
    given = machine(one, two)
    assert UnnoticedMoves(given).has(given.start(), 1) is unnoticed


def test_what_frames_of_others_hold() -> None:
    given = machine("c.f = 1;", "C n; y = n.f;")
    here, moves = given.start(), UnnoticedMoves(given)
    assert moves.has(here, 1)
    here.threads[1][0].values["n"] = here.statics["Main.c"]
    assert not moves.has(here, 1)
    here.threads[1][0].values["n"] = here.statics["Main.e"]
    assert moves.has(here, 1)


@pytest.mark.parametrize(("longest", "unnoticed"), [(2, False), (3, True)])
def test_a_long_move_concerns_everybody(longest: int, unnoticed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unnoticed_moves, "LONGEST", longest)
    given = machine("atomic { y = 1; y = 2; }", "x = 1;")
    assert UnnoticedMoves(given).has(given.start(), 1) is unnoticed
