"""What each statement of a model does: a table of small models, and the ways in which they can fail."""

from __future__ import annotations

import pytest

from knaster.base.errors import UnsupportedError
from knaster.program.model import Call
from knaster.semantics.heap.explore import explore
from knaster.semantics.heap.failure import (
    ASSERTION,
    BLOCKED,
    DEADLOCK,
    EMPTY,
    ENDLESS,
    NULL,
    UNHANDLED,
    Fails,
)
from knaster.semantics.heap.interpreter import FailedAssume, Machine
from support.zing_text import DECLARED, read

X = "static int x; static int y; "
SETS = "Z z; z = new Z; z = z + 1; z = z + 2; "
RAISING = X + "static void low() { raise Bad; } static void mid() { low(); x = 7; }"
SEES = "static void other() { assert(x != 1); }"
MODELS: dict[str, tuple[str, str, set[str]]] = {  # statements, members, and how they can fail
    "statics begin as the text says": ("assert(C.s == 2);", "", set()),
    "locals begin with their default": ("f(); f();", "static void f() { int k; assert(k == 0); k = 3; }", set()),
    "arguments are in order": ("f(1, 2);", "static void f(int a, int b) { assert(a == 1 && b == 2); }", set()),
    "results": ("int k; k = f(4); assert(k == 5);", "static int f(int a) { return a + 1; }", set()),
    "a result that nobody takes": ("f();", X + "static int f() { x = 1; return 2; }", set()),
    "the caller goes on behind the call": (
        "f(); assert(x == 1); assert(x == 2);",
        X + "static void f() { x = 1; }",
        {ASSERTION},
    ),
    "the receiver": ("C c; c = new C; c.f = 4; int k; k = c.get(3); assert(k == 7);", "", set()),
    "an interface": ("I i; C c; c = new C; c.f = 4; i = c; int k; k = i.get(3); assert(k == 7);", "", set()),
    "an interface without a receiver": ("I i; i = null; int k; k = i.get(3);", "", {NULL}),
    "a branch that is taken": ("if (x == 0) { assert(false); }", X, {ASSERTION}),
    "a branch that is not taken": ("if (x != 0) { assert(false); }", X, set()),
    "a loop": ("while (x < 3) { x = x + 1; } assert(x == 3);", X, set()),
    "a false assume ends the run": ("assume(x == 1); assert(false);", X, set()),
    "a true assume does not": ("assume(x == 0); assert(false);", X, {ASSERTION}),
    "a range that is chosen from": ("R r; r = choose(R); assert(r == 1 || r == 3);", "", {ASSERTION}),
    "all of a range is chosen": ("R r; r = choose(R); assert(r >= 1 && r <= 3);", "", set()),
    "an element of a set": (SETS + "int k; k = choose(z); assert(k == 1 || k == 2);", "", set()),
    "each element of a set": (SETS + "int k; k = choose(z); assert(k == 2);", "", {ASSERTION}),
    "an element of an empty set": ("Z z; z = new Z; int k; k = choose(z);", "", {EMPTY}),
    "what is in a set is not added": (SETS + "z = z + 1; assert(sizeof(z) == 2);", "", set()),
    "what is removed from a set": (SETS + "z = z - 1; assert(sizeof(z) == 1 && 2 in z && !(1 in z));", "", set()),
    "a set is added": (SETS + "Z y; y = new Z; y = y + 2; y = y + 3; z = z + y; assert(sizeof(z) == 3);", "", set()),
    "a set is removed": (SETS + "Z y; y = new Z; y = y + 2; z = z - y; assert(sizeof(z) == 1 && 1 in z);", "", set()),
    "messages wait in order": (
        "Q q; q = new Q; send(q, 1); send(q, 2); int k; assert(sizeof(q) == 2); receive(q, k); assert(k == 1);"
        " receive(q, k); assert(k == 2 && sizeof(q) == 0);".replace("receive(q, k);", "select { receive(q, k) -> ; }"),
        "",
        set(),
    ),
    "a receive from an empty channel": ("Q q; q = new Q; int k; select { receive(q, k) -> ; }", "", {DEADLOCK}),
    "two receives of one message": (
        "Q q; q = new Q; int k; int j; send(q, 1); select { receive(q, k) && receive(q, j) -> ; }",
        "",
        {BLOCKED},
    ),
    "two receives of two messages": (
        "Q q; q = new Q; int k; int j; send(q, 1); send(q, 2); select { receive(q, k) && receive(q, j) -> ; }"
        " assert(k == 1 && j == 2);",
        "",
        set(),
    ),
    "a send to nobody": ("Q q; q = null; send(q, 1);", "", {NULL}),
    "any branch that can be taken": (
        "select { wait(x == 0) -> y = 1; wait(x == 0) -> y = 2; wait(x == 1) -> y = 3; } assert(y == 1);",
        X,
        {ASSERTION},
    ),
    "no branch that cannot": (
        "select { wait(x == 0) -> y = 1; wait(x == 0) -> y = 2; wait(x == 1) -> y = 3; } assert(y < 3);",
        X,
        set(),
    ),
    "the first branch that can be taken": (
        "select first { wait(x == 1) -> y = 3; wait(x == 0) -> y = 1; wait(x == 0) -> y = 2; } assert(y == 1);",
        X,
        set(),
    ),
    "a wait and a receive of which one fails": (
        "Q q; q = new Q; int k; send(q, 1); select { wait(x == 1) && receive(q, k) -> ; }",
        X,
        {DEADLOCK},
    ),
    "a wait where it may end": ("select end { wait(x == 1) -> ; }", X, set()),
    "one may end and the other may not": (
        "async f(); select end { wait(x == 1) -> ; }",
        X + "static void f() { select { wait(x == 2) -> ; } }",
        {DEADLOCK},
    ),
    "a condition that fails": ("C c; c = null; select { wait(c.f == 1) -> ; }", "", {NULL}),
    "a wait inside of a region": ("atomic { x = 1; select { wait(x == 0) -> ; } }", X, {BLOCKED}),
    "a condition that is a method": ("select { wait(C.ready()) -> ; } assert(false);", "", {ASSERTION}),
    "a handler": ("try { mid(); } with { Bad -> x = 1; } assert(x == 1);", RAISING, set()),
    "a handler of its own procedure": ("try { raise Bad; } with { Bad -> x = 1; } assert(x == 1);", RAISING, set()),
    "a handler of another exception": ("try { mid(); } with { Worse -> x = 1; }", RAISING, {UNHANDLED}),
    "no handler": ("mid();", RAISING, {UNHANDLED}),
    "the handler that is nearest": (
        "try { try { mid(); } with { Bad -> x = 1; } } with { Bad -> x = 2; } assert(x == 1);",
        RAISING,
        set(),
    ),
    "a handler ends the frames above it": (
        "try { mid(); } with { Bad -> x = 1; } f(); assert(x == 3);",
        RAISING + "static void f() { x = 3; }",
        set(),
    ),
    "a thread that is started": ("async f(3);", "static void f(int a) { assert(a != 3); }", {ASSERTION}),
    "others see what is between two steps": ("async other(); x = 1; x = 2;", X + SEES, {ASSERTION}),
    "others see nothing inside of a region": ("async other(); atomic { x = 1; x = 2; }", X + SEES, set()),
    "a call inside of a region is inside": (
        "async other(); atomic { f(); x = 2; }",
        X + SEES + "static void f() { x = 1; y = 1; }",
        set(),
    ),
    "a region ends": ("async other(); atomic { x = 2; x = 1; } x = 2;", X + SEES, {ASSERTION}),
    "a call outside of a region is outside": (
        "async other(); f(); x = 2;",
        X + SEES + "static void f() { x = 1; y = 1; }",
        {ASSERTION},
    ),
    "a handler inside of a region is inside": (
        "async other(); atomic { try { f(); } with { Bad -> x = 2; } }",
        X + SEES + "static void f() { x = 1; raise Bad; }",
        set(),
    ),
    "a region that never ends": ("atomic { while (true) { x = 1 - x; } }", X, {ENDLESS}),
}


@pytest.mark.parametrize("name", MODELS)
def test_statements(name: str) -> None:
    body, members, kinds = MODELS[name]
    found = explore(read(body, members))
    assert found.complete and {failure.kind for failure in found.failures} == kinds


CONDITIONS: dict[str, tuple[str, set[str]]] = {  # the body of a method that a condition calls, and how it can fail
    "a way with locals": ("int k; k = 1; while (k < 3) { k = k + 1; } return k == 3;", set()),
    "what it changes is gone": ("x = x + 1; return x == 1;", set()),
    "a call in it": ("int k; k = two(); return k == 2;", set()),
    "it says no": ("return x == 1;", {DEADLOCK}),
    "an assertion of it": ("assert(x == 1); return true;", {ASSERTION}),
    "it never ends": ("while (true) { } return true;", {ENDLESS}),
    "it has nothing to choose": ("Z z; z = new Z; int k; k = choose(z); return true;", {EMPTY}),
    "it has one thing to choose": ("Z z; z = new Z; z = z + 4; int k; k = choose(z); return k == 4;", set()),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_methods_of_conditions(name: str) -> None:
    body, kinds = CONDITIONS[name]
    members = X + f"static bool may() {{ {body} }} static int two() {{ return 2; }}"
    found = explore(read("select { wait(may()) -> ; } assert(x == 0);", members))
    assert {failure.kind for failure in found.failures} == kinds


def test_a_condition_does_not_choose() -> None:
    members = "static bool may() { bool b; b = choose(bool); return b; }"
    with pytest.raises(UnsupportedError, match="a choice inside the condition of a wait"):
        explore(read("select { wait(may()) -> ; }", members))


def events(machine: Machine) -> str:
    """Return the steps of the first thread: whether each keeps on, its input, and how many frames it leaves."""
    here, seen = machine.start(), []
    while here.threads[0] and machine.failure_of(here, 1) is None:
        try:
            event = machine.step(here, 1, len(machine.alternatives(here, 1)) - 1)
        except (FailedAssume, Fails):
            break
        assert event.entered is isinstance(event.edge.action, Call)
        words = ["keeps" if event.keeps else "ends", *map(str, event.inputs), *(["leaves"] * event.returned)]
        seen.append(" ".join(words))
    return ", ".join(seen)


EVENTS = {
    "a call": ("f();", "ends, ends leaves, ends leaves"),
    "a call in a region": ("atomic { f(); x = 1; }", "keeps, keeps leaves, keeps, ends, ends leaves"),
    "a choice": ("R r; r = choose(R); assume(false);", "ends 3"),
    "a select": ("select { wait(x == 0) -> ; wait(x == 1) -> ; wait(x == 0) -> ; }", "ends 2, ends, ends leaves"),
    "an exception through two frames": (
        "try { mid(); } with { Bad -> x = 1; }",
        "ends, ends, ends leaves leaves, ends, ends leaves",
    ),
    "an exception in a region": (
        "atomic { try { mid(); } with { Bad -> x = 1; } }",
        "keeps, keeps, keeps leaves leaves, keeps, ends, ends leaves",
    ),
    "an exception of its own": ("try { raise Bad; } with { Bad -> x = 1; }", "ends, ends, ends leaves"),
    "an assertion": ("x = 1; assert(x == 2); x = 3;", "ends, ends"),
    "nobody handles it": ("x = 1; mid();", "ends, ends, ends"),
}


@pytest.mark.parametrize("name", EVENTS)
def test_events(name: str) -> None:
    body, expected = EVENTS[name]
    assert events(Machine(read(body, RAISING + "static void f() { }"))) == expected


def failures(body: str, members: str = "") -> set[tuple[str, str, int, str, int]]:
    """Return the failures of a model: kind, what is said, the line below the declarations, procedure, thread."""
    found = explore(read(body, members)).failures
    first = DECLARED.count("\n")
    return {(each.kind, each.message, each.line - first, each.procedure, each.thread) for each in found}


def test_where_it_fails_and_who() -> None:
    other = X + 'static void other() { x = 1;\n assert(x == 2, "two"); }'
    assert failures("async other();", other) == {(ASSERTION, "two", 2, "other", 2)}
    assert failures("x = 1;\n\n mid();", RAISING) == {
        (UNHANDLED, "nobody handles the exception 'Bad'", 3, "low", 1),
    }
    waits = X + "static void other() {\n select { wait(x == 1) -> ; } }"
    ((kind, _, line, procedure, thread),) = failures("async other(); async other();", waits)
    assert (kind, line, procedure, thread) == (DEADLOCK, 2, "other", 2)
    ((kind, _, line, procedure, thread),) = failures("async other(); select end { wait(x == 2) -> ; }", waits)
    assert (kind, line, procedure, thread) == (DEADLOCK, 2, "other", 2)
    ((kind, _, line, procedure, thread),) = failures("async other(); select { wait(x == 2) -> ; }", waits)
    assert (kind, line, procedure, thread) == (DEADLOCK, 1, "main", 1)


THIRD = X + " static void third() { x = 4; x = 5; select end { wait(x == 1) -> ; } } "
SECOND = "static int one() { return 1; } static void second() {\n int k; bool b; b = choose(bool); k = one(); "


@pytest.mark.parametrize(
    ("statement", "failure"),
    [
        ("assert(k == 2);", ASSERTION),
        ("C c; c = null; c.f = 1;", NULL),
        ("select { wait(k == 2) -> ; }", DEADLOCK),
        ("atomic { y = 1; select { wait(k == 2) -> ; } }", BLOCKED),
        ("raise Bad;", UNHANDLED),
        ("atomic { while (true) { y = 1 - y; } }", ENDLESS),
        ("select { wait(k == 1) -> assert(false); }", ASSERTION),
    ],
)
def test_the_second_of_three_threads(statement: str, failure: str) -> None:
    found = failures("async second(); async third();", THIRD + SECOND + statement + " }")
    assert {(kind, procedure, thread) for kind, _, _, procedure, thread in found} == {(failure, "second", 2)}
