"""Zing models with one idea each, and the ways in which they fail: what random models seldom have, or never."""

from __future__ import annotations

_MAIN = """\
class C {{ int v; C next; }};
set Bag int; array Row[3] int; array Any[] int; chan Post int;
class Main {{
  static int x; static int y; static C c; static Bag bag; static Post post;
  static activate void main() {{ {0} }}
  {1}
}};
"""


def model(main: str, others: str = "") -> str:
    """Return the text of a model, from what `main` does and further methods."""
    return _MAIN.format(main, others)


_RISKY = (
    "static void risky(int n) { inner(n); x = 9; } static void inner(int n) { if (n == 1) { raise E1; } raise E2; }"
)
_TRIES = "try {{ risky({0}); x = 3; }} with {{ E1 -> x = 1; {1} }} assert(x == {2});"
_CLEAN: frozenset[str] = frozenset()

ONE_THREAD: dict[str, tuple[str, frozenset[str]]] = {  # a model, and how it fails
    "the first handler": (model(_TRIES.format(1, "E2 -> x = 2;", 1), _RISKY), _CLEAN),
    "the second handler": (model(_TRIES.format(2, "E2 -> x = 2;", 2), _RISKY), _CLEAN),
    "any exception": (model(_TRIES.format(2, "* -> x = 4;", 4), _RISKY), _CLEAN),
    "the wrong handler": (model(_TRIES.format(2, "E2 -> x = 2;", 1), _RISKY), frozenset({"assertion"})),
    "no handler": (model(_TRIES.format(2, "E3 -> x = 2;", 2), _RISKY), frozenset({"unhandled-exception"})),
    "no try": (model("raise E1;"), frozenset({"unhandled-exception"})),
    "raised where it is handled": (model("try { raise E1; } with { E1 -> x = 1; } assert(x == 1);"), _CLEAN),
    "raised after the try": (
        model("try { x = 1; } with { E1 -> x = 2; } raise E1;"),
        frozenset({"unhandled-exception"}),
    ),
    "a handler between": (
        model(
            "a(); assert(x == 2);",
            "static void a() { try { b(); } with { E1 -> x = 2; } } static void b() { raise E1; }",
        ),
        _CLEAN,
    ),
    "atomic and raised": (
        model("atomic { try { risky(1); } with { E1 -> x = 1; * -> x = 2; } y = x; } assert(y == 1);", _RISKY),
        _CLEAN,
    ),
    "waits for ever": (model("x = 1; select { wait(x == 3) -> ; }"), frozenset({"deadlock"})),
    "may wait for ever": (model("x = 1; select end { wait(x == 3) -> x = 4; }"), _CLEAN),
    "waits in a region": (model("atomic { x = 1; select { wait(x == 3) -> ; } }"), frozenset({"blocked-select"})),
    "waits in a region that may end": (
        model("atomic { x = 1; select end { wait(x == 3) -> ; } }"),
        frozenset({"blocked-select"}),
    ),
    "takes the first": (
        model("select first { wait(x == 0) -> y = 1; wait(true) -> y = 2; } assert(y == 1);"),
        _CLEAN,
    ),
    "takes either": (
        model("select { wait(x == 0) -> y = 1; wait(true) -> y = 2; } assert(y == 1);"),
        frozenset({"assertion"}),
    ),
    "nothing to choose": (model("bag = new Bag; x = choose(bag);"), frozenset({"empty-choice"})),
    "one to choose": (model("bag = new Bag; bag = bag + 3; x = choose(bag); assert(x == 3);"), _CLEAN),
    "nothing to receive": (
        model("post = new Post; select { receive(post, x) -> ; }"),
        frozenset({"deadlock"}),
    ),
    "a region without end": (model("atomic { while (true) { x = 1 - x; } }"), frozenset({"endless-atomic"})),
    "a region that calls without end": (
        model("atomic { while (true) { f(); } }", "static void f() { x = 1 - x; }"),
        frozenset({"endless-atomic"}),
    ),
    "a long region": (model("atomic { while (x < 90) { x = x + 1; } } assert(x == 90);"), _CLEAN),
    "a long region with calls": (
        model("atomic { while (x < 40) { f(); } } assert(x == 40);", "static void f() { x = x + 1; }"),
        _CLEAN,
    ),
    "a region that ends nowhere after a while": (
        model("atomic { while (x < 30) { x = x + 1; } while (true) { y = 1 - y; } }"),
        frozenset({"endless-atomic"}),
    ),
    "regions one after the other": (
        model("while (true) { atomic { f(); } }", "static void f() { x = 1 - x; }"),
        _CLEAN,
    ),
    "a call before a region": (
        model("while (true) { f(); atomic { y = 1; y = 2; } }", "static void f() { x = 1 - x; }"),
        _CLEAN,
    ),
    "a cell that leads to itself": (
        model("C a; a = new C; a.next = a; f(a); assert(a.v == 1);", "static void f(C p) { p = p.next; p.v = 1; }"),
        _CLEAN,
    ),
    "a channel that nobody looks at": (
        model(
            "Post p; p = new Post; send(p, 3); f(p); select { receive(p, x) -> ; } assert(x == 3 && y == 1);",
            "static void f(Post q) { Post r; r = q; y = 1; }",
        ),
        _CLEAN,
    ),
    "a loop without a region": (model("while (true) { x = 1 - x; }"), _CLEAN),
    "what a callee changes": (
        model(
            "C a; C b; a = new C; b = new C; a.next = b; f(a); assert(a.v == 1 && b.v == 2 && a.next == b);",
            "static void f(C p) { C q; q = p.next; p.v = 1; q.v = 2; }",
        ),
        _CLEAN,
    ),
    "what a callee makes": (
        model(
            "C a; a = f(); a.v = 7; c = f(); assert(a != c && c.v == 1 && a.v == 7);",
            "static C f() { C n; n = new C; n.v = 1; return n; }",
        ),
        _CLEAN,
    ),
    "one cell under two names": (
        model("C a; a = new C; c = a; f(a); assert(c.v == 5);", "static void f(C p) { p.v = c.v + 5; }"),
        _CLEAN,
    ),
    "null": (model("c.v = 1;"), frozenset({"null-dereference"})),
    "behind the end": (model("Row r; r = new Row; r[2] = 1; r[x + 3] = 1;"), frozenset({"index-out-of-range"})),
    "before the beginning": (model("Row r; r = new Row; r[0] = 1; r[x - 1] = 1;"), frozenset({"index-out-of-range"})),
    "the last element": (model("Row r; r = new Row; r[2] = 1; r[0] = 2; assert(r[2] == 1 && r[1] == 0);"), _CLEAN),
    "an array of a negative length": (model("Any r; x = -1; r = new Any[x];"), frozenset({"overflow"})),
    "an array of no length": (model("Any r; r = new Any[x]; assert(sizeof(r) == 0);"), _CLEAN),
    "too large": (model("x = 2147483647; x = x + 1;"), frozenset({"overflow"})),
    "divided by nothing": (model("x = 7 / x;"), frozenset({"division-by-zero"})),
    "0 divided": (model("x = 0 / -3; y = -7 / 2; assert(x == 0 && y == -3 && -7 % 2 == -1 && 7 / -2 == -3);"), _CLEAN),
}

RECURSIVE: dict[str, tuple[str, frozenset[str]]] = {  # their states are not finitely many
    "it calls itself": (model("bool b; b = choose(bool); if (b) { main(); } x = 1;"), _CLEAN),
    "it calls itself and fails": (
        model("bool b; b = choose(bool); if (b) { main(); c.v = 1; } x = 1;"),
        frozenset({"null-dereference"}),
    ),
    "it calls itself without end in a region": (
        model("atomic { f(); }", "static void f() { x = 1; f(); }"),
        frozenset({"endless-atomic"}),
    ),
}

THREADS: dict[str, str] = {
    "three": model(
        "async a(1); async a(2); select { wait(x == 2) -> ; } assert(y == 3);",
        "static void a(int n) { int t; t = n; atomic { x = x + 1; y = y + t; } }",
    ),
    "three numbers": model(
        "async a(); async b(); select { wait(x == 2) -> ; } assert(y == 5);",
        "static void a() { atomic { y = y + self; x = x + 1; } }"
        " static void b() { atomic { x = x + 1; y = y + self; } }",
    ),
    "the second waits": model(
        "async a(); async b(); x = 1;",
        "static void a() { select { wait(x == 3) -> ; } } static void b() { select { wait(x == 1) -> x = 2; } }",
    ),
    "the third fails": model(
        "async a(); async b(); x = 1;", "static void a() { y = x; } static void b() { assert(x == 0 || y == 0); }"
    ),
    "raised in a region": model(
        "async look(); atomic { x = 1; try { risky(1); } with { E1 -> y = 1; } x = 0; }",
        _RISKY + " static void look() { assert(x == 0); }",
    ),
    "raised outside of a region": model(
        "async look(); x = 1; try { risky(1); } with { E1 -> y = 1; } x = 0;",
        _RISKY + " static void look() { assert(x == 0); }",
    ),
    "raised below a region": model(
        "async look(); atomic { x = 1; deep(); x = 0; }",
        _RISKY + " static void deep() { try { risky(2); } with { * -> y = 1; } y = 2; }"
        " static void look() { assert(x == 0); }",
    ),
    "a region that goes round": model(
        "async look(); atomic { while (x < 70) { x = x + 1; } x = 0; }", "static void look() { assert(x == 0); }"
    ),
    "the second chooses": model(
        "async a(); async b(); x = 3;",
        "static void a() { bool t; atomic { x = 1; t = choose(bool); if (t) { x = 2; } } } static void b() { y = 1; }",
    ),
    "nobody ends": model("async a(); atomic { while (true) { x = 1 - x; } }", "static void a() { y = 1; y = 2; }"),
}
