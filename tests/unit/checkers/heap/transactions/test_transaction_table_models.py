"""Tables of transactions of a table of models exclude just those failures that the oracle finds in no order."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.transactions.transaction_table import check_transaction_table
from knaster.evidence.proofs.heap.transaction_table import TransactionTable
from knaster.evidence.questions.question import Target
from knaster.semantics.heap.explore import explore
from knaster.semantics.heap.failure import KINDS
from support.zing_text import model

STATICS = "static int x; static int y; static bool m; static C c; static Q q = new Q; static Mutex l = new Mutex; "
NEVER = "static void never() {\n x = 9; } "
TAKE = "atomic { select { wait(!m) -> m = true; } } "
MUTEX = "class Mutex { bool held; int k; };\n"
HOLD = TAKE.replace("m)", "l.held)").replace("m = ", "l.held = ")
ADD = TAKE + "x = x + 1; m = false; "
MODELS = {  # what the first thread does, what the second does, and members
    "a race": ("int t; t = x; x = t + 1; y = y + 1;", "int t; t = x; x = t + 1; assert(x == 2 || y == 0);", ""),
    "a lock": (ADD + "assert(x < 3);", ADD, ""),
    "a lock that is not taken": ("x = 1; x = 2;", "assert(x != 1);", ""),
    "a lock that one does not take": (TAKE + "x = 1; x = 2; m = false;", "assert(x != 1);", ""),
    "a lock that both take": (TAKE + "x = 1; x = 2; m = false;", TAKE + "assert(x != 1); m = false;", ""),
    "a lock that is never released": (TAKE + "x = 1;", TAKE + "x = 2;", ""),
    "an argument that fails": ("c = new C; c = null;", "if (c != null) { x = c.f; }", ""),
    "a result that fails": (
        "c = new C; x = f(); c = null;",
        "x = f();",
        "static int f() { if (c != null) { return c.f; } return 1; }",
    ),
    "a place that fails": ("c = new C; c = null;", "if (c != null) { c.f = f(); }", "static int f() { return 3; }"),
    "a failure in a region": ("c = new C; c = null;", "atomic { if (c != null) { x = c.f; } }", ""),
    "an assertion behind a commit": ("x = 1; y = 1; assert(x == y);", "x = 2; y = 2;", ""),
    "waits of both": ("select { wait(x == 1) -> ; }", "select { wait(y == 1) -> ; }", ""),
    "a wait that may end": ("select end { wait(x == 1) -> ; }", "y = 1; select end { wait(x == 2) -> ; }", ""),
    "a wait in a region": ("atomic { x = 1; select { wait(y == 1) -> ; } }", "y = 1;", ""),
    "a wait in a region that may end": ("atomic { x = 1; select end { wait(y == 1) -> ; } }", "y = 1;", ""),
    "a condition that fails": ("select { wait(c.f == 1) -> ; }", "c = new C;", ""),
    "a wait for the other": ("select { wait(x == 1) -> y = 1; }", "x = 1; select { wait(y == 1) -> ; }", ""),
    "an exception": (
        "try { f(); } with { Bad -> y = 1; }",
        "x = 1; x = 2;",
        "static void f() { if (x == 1) { raise Bad; } }",
    ),
    "an exception that nobody handles": ("f();", "x = 1; x = 2;", "static void f() { if (x == 1) { raise Bad; } }"),
    "an exception of its own": ("x = 1; raise Bad;", "y = x;", ""),
    "a handler behind a commit": (
        "x = 1; y = 1; try { x = 3; raise Bad; } with { Bad -> assert(x == 3); }",
        "x = 2; y = 2;",
        "",
    ),
    "a false assume": ("x = 1; assume(y == 1); assert(x == 1);", "y = 1; x = 2;", ""),
    "a false assume in a region": ("atomic { x = 1; assume(y == 1); } assert(x == 1);", "y = 1; x = 2;", ""),
    "a choice": ("bool b; b = choose(bool); if (b) { x = 1; }", "assert(x == 0);", ""),
    "nothing to choose": ("Z z; z = new Z; y = 1; x = choose(z);", "x = 1;", ""),
    "a region that never ends": ("atomic { while (true) { x = 1 - x; } }", "y = 1;", ""),
    "a region with calls that never ends": (
        "atomic { while (true) { f(); } }",
        "y = 1;",
        "static void f() { x = 1 - x; }",
    ),
    "a region that chooses for ever": ("bool b; atomic { while (true) { b = choose(bool); } }", "y = 1;", ""),
    "a loop of regions": ("while (true) { atomic { x = 1 - x; f(); } }", "y = 1;", "static void f() { y = 1 - y; }"),
    "a loop in a region that ends": ("atomic { while (x < 2) { x = x + 1; } }", "assert(x == 0 || x == 2);", ""),
    "recursion": ("f(2);", "x = 1;", "static void f(int k) { if (k > 0) { f(k - 1); x = k; } assert(x < 3); }"),
    "recursion in a region": (
        "atomic { f(2); }",
        "y = 1;",
        "static void f(int k) { if (k > 0) { f(k - 1); } else { f(k); } }",
    ),
    "a thread that is started": ("async f(x);", "x = 1;", "static void f(int k) { y = k; assert(y == 0); }"),
    "a thread that is started in a region": (
        "atomic { x = 1; async f(); x = 2; }",
        "y = 1;",
        "static void f() { assert(x == 2); y = 2; }",
    ),
    "a cell of its own": ("C d; d = new C; d.f = 1; d.f = 2; y = d.f;", "x = y; assert(x == 0 || x == 2);", ""),
    "a cell that gets shared": (
        "C d; d = new C; d.f = 1; c = d; d.f = 2;",
        "if (c != null) { x = c.f; assert(x == 2); }",
        "",
    ),
    "a cell that a lock protects": (
        TAKE + "c = new C; c.f = 1; c.f = 2; m = false;",
        TAKE + "if (c != null) { assert(c.f == 2); } m = false;",
        "",
    ),
    "a channel": ("send(q, 1); send(q, 2);", "int k; select { receive(q, k) -> ; } assert(k == 1);", ""),
    "a channel of two senders": (
        "async f(); send(q, 1);",
        "int k; select { receive(q, k) -> ; } assert(k == 1);",
        "static void f() { send(q, 2); }",
    ),
    "a channel at which somebody looks": ("send(q, 1); x = 1;", "x = sizeof(q); assert(x == 0);", ""),
    "a cell in frames alone": (
        "C d; d = new C; async f(d); d.f = 1; d.f = 2;",
        "x = 1;",
        "static void f(C e) { assert(e.f != 1); }",
    ),
    "a result that others see late": (
        "y = f();",
        "assert(x != 2 || y == 3);",
        "static int f() { x = 1; x = 2; return 3; }",
    ),
    "a result and another store": ("y = f(); x = 8;", "assert(y != 3 || x == 8);", "static int f() { return 3; }"),
    "a lock in a cell": (
        HOLD + "x = 1; x = 2; l.k = x; l.held = false;",
        HOLD + "assert(x != 1 && l.k == x); l.held = false;",
        "",
    ),
    "a wait while a lock is held": (TAKE + "select { wait(y == 1) -> x = 1; } m = false;", "y = 1; " + ADD, ""),
    "a result and another store behind a commit": (
        "y = f(); x = 8;",
        "assert(y != 3 || x == 8);",
        "static int f() { x = 1; x = 2; return 3; }",
    ),
    "steps of its own before a wait": ("int k; k = 1; k = 2; select { wait(x == 1) -> y = k; }", "x = 1;", ""),
    "a loop that ends with a call": (
        "int k; while (k < 2) { k = k + 1; f(); }",
        "y = x;",
        "static void f() { x = 1; x = 2; }",
    ),
    "a loop that ends with a call of its own": (
        "int k; while (k < 2) { k = f(k); }",
        "x = 1;",
        "static int f(int k) { y = 1; return k + 1; }",
    ),
    "three threads with long calls": (
        "y = 1;",
        "g();",
        "static void g() { x = 1; x = 2; x = 3; } activate static void three() { x = 5; }",
    ),
    "a jump to itself": ("x = 1; L: goto L;", "y = x;", ""),
    "one thread": ("x = 1; x = 2; c = new C; c.f = x; assert(c.f == 2);", "", ""),
    "a result of what is shared": (
        "int k; k = f(); assert(k == 2);",
        "x = 7;",
        "static int f() { x = 1; x = 2; return x; }",
    ),
    "an exception behind a commit": (
        "try { f(); } with { Bad -> y = 1; }",
        "assert(x != 2 || y == 1);",
        "static void f() { x = 1; x = 2; raise Bad; }",
    ),
    "a call that is entered behind a commit": (
        "x = 1; x = 2; f(x);",
        "x = 5;",
        "static void f(int k) { assert(k == 2); y = k; }",
    ),
    "a call of what recurses behind a commit": (
        "x = 1; x = 2; f(1);",
        "y = x;",
        "static void f(int k) { if (k > 0) { f(k - 1); } else { y = 3; } }",
    ),
    "a wait in a call of a call": (
        "f();",
        "y = 1; x = 1;",
        "static void f() { g(); } static void g() { select { wait(x == 1) -> y = 2; } }",
    ),
    "three threads with calls": (
        "x = 3;",
        "int k; k = g(); assert(k != 4);",
        "static int g() { x = x + 1; return x; } activate static void three() { y = g(); }",
    ),
    "three threads with locks and exceptions": (
        "y = 1;",
        "try { f(); } with { Bad -> x = 3; } assert(x != 0);",
        "static void f() { " + TAKE + "x = 1; m = false; raise Bad; }"
        " activate static void three() { " + TAKE + "x = 2; y = x; m = false; x = 4; }",
    ),
    "two that receive": (
        "send(q, 1); int k; select { receive(q, k) -> ; } y = 1;",
        "int k; select { receive(q, k) -> ; } x = 1;",
        "",
    ),
}


def table_of(name: str) -> TransactionTable:
    """Return all that can happen in a model, failures or not: a line is excluded to which nothing leads."""
    one, two, members = MODELS[name]
    text = MUTEX + model(one, STATICS + members + (f" activate static void two() {{ {two} }} " if two else "") + NEVER)
    found = knaster.check(text, f"m.zing:{text.count(chr(10))}", file="m.zing", engine="transactions").proof
    assert isinstance(found, TransactionTable)
    return found


def check(table: TransactionTable, *kinds: str) -> None:
    check_transaction_table(table, table.program, [Target(kind, "", 0, 0, kind) for kind in kinds], Budget())


@pytest.mark.parametrize("name", MODELS)
def test_what_is_excluded_does_not_happen(name: str) -> None:
    table = table_of(name)
    found = {failure.kind for failure in explore(table.program, depth=5).failures}
    check(table, *(kind for kind in KINDS if kind not in found))
    for kind in found:
        with pytest.raises(InternalError, match="does not exclude"):
            check(table, kind)


TELLING = ("call", "result", "three", "exception", "cell in frames", "lock in", "lock is")
LEAN = [name for name in MODELS if any(part in name for part in TELLING)]


@pytest.mark.parametrize("name", LEAN)
def test_no_row_can_be_left_out(name: str) -> None:
    table = table_of(name)
    rows, held = table.rows, table.held
    for number in range(0, len(rows), 1 + len(rows) // 15):
        fewer = replace(table, rows=rows[:number] + rows[number + 1 :], held=held[:number] + held[number + 1 :])
        with pytest.raises(InternalError, match="does not hold"):
            check(fewer)
