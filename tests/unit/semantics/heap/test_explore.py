"""The oracle: every failure of a small program, in every order of its threads."""

from __future__ import annotations

import pytest

from knaster.semantics.heap.explore import explore
from knaster.semantics.heap.failure import ASSERTION, DEADLOCK, ENDLESS
from support.zing_text import read

WORK = "static int n; static void work() { int t; t = n; n = t + 1; }"


def kinds(body: str, members: str = "") -> set[str]:
    found = explore(read(body, members))
    assert found.complete
    return {failure.kind for failure in found.failures}


def test_every_order_is_tried() -> None:
    assert kinds("n = 1; n = 2;", "static int n;") == set()
    assert kinds("async other(); x = 1; x = 2;", "static int x; static void other() { assert(x != 1); }") == {ASSERTION}


def test_nobody_runs_inside_an_atomic_region() -> None:
    members = "static int x; static void other() { assert(x != 1); }"
    assert kinds("async other(); atomic { x = 1; x = 2; }", members) == set()
    assert kinds("atomic { while (true) { x = 1; } }", members) == {ENDLESS}


def test_a_thread_that_waits_for_ever() -> None:
    assert kinds("select { wait(x == 1) -> ; }", "static int x;") == {DEADLOCK}


def test_both_alternatives_of_a_choice() -> None:
    for expected in ("b", "!b"):
        assert kinds(f"bool b; b = choose(bool); assert({expected});") == {ASSERTION}


def test_beyond_its_limit_it_is_not_complete() -> None:
    program = read("while (true) { n = n + 1; }", "static int n;")
    assert not explore(program, limit=10).complete
    small = read("n = 1;", "static int n;")
    assert explore(small, limit=3).complete and not explore(small, limit=2).complete


@pytest.mark.parametrize(
    ("body", "distinct", "states"),
    [
        ("n = 1; n = 2;", 1, 4),
        ("bool b; b = choose(bool);", 2, 5),
        ("async work(); n = 2;", 20, 23),
        ("async work();", 8, 9),
        (" } activate static void two() { ", 3, 4),  # two threads at the start
    ],
)
def test_states_are_counted_as_zing_does(body: str, distinct: int, states: int) -> None:
    """A state counts where somebody chooses, or where another thread could run; the first always does."""
    found = explore(read(body, WORK))
    assert (found.distinct, found.states) == (distinct, states)


def test_no_thread_has_more_frames_than_allowed() -> None:
    program = read("f();", "static void f() { f(); }")
    found = explore(program, depth=5)
    assert not found.complete and found.states == 5
    assert explore(read("f(); g();", "static void f() { } static void g() { f(); }"), depth=3).complete
    assert not explore(read("f(); g();", "static void f() { } static void g() { f(); }"), depth=2).complete


def test_an_element_is_chosen_once() -> None:
    """What follows a choice in the same region is no choice of the same alternative."""
    body = "bool b; bool c; atomic { b = choose(bool); c = choose(bool); } assert(b == c);"
    assert kinds(body) == {ASSERTION}


def test_nobody_runs_while_a_region_chooses() -> None:
    members = "static int x; static void other() { assert(x != 1); }"
    assert kinds("async other(); bool b; atomic { x = 1; b = choose(bool); x = 0; }", members) == set()
