"""Random Zing models in which cells change their owners: two threads, statics, locks, a channel, threads that end."""

from __future__ import annotations

from random import Random

_TAKE, _OTHER = (f"atomic {{ select {{ wait(!{lock}) -> {lock} = true; }} }}" for lock in ("m", "n"))
_CELLS = (
    "p = k;",
    "q = k;",
    "k = new C;",
    "k = null;",
    "p = new C;",
    "p = null;",
    "k = p;",
    "if (p != null) { p.b = true; }",
    "if (p != null) { l = p.b; }",
    "if (p != null) { p.b = false; }",
    "if (p != null) { q = p.f; }",
    "if (p != null) { p.f = q; }",
    "if (q != null) { q.b = true; }",
    "if (q != null) { l = q.b; }",
    "if (k != null) { k.b = true; }",
    "atomic { p = k; k = new C; }",
)
_STATICS = (
    "x = true;",
    "x = false;",
    "l = x;",
    "u = 1;",
    "a = u;",
    "b = u;",
    "u = u + 1;",
    "select { wait(x) -> ; }",
    "select { wait(u == 1) -> ; wait(x) -> l = true; }",
    "send(c, u);",
    "select { receive(c, a) -> ; }",
    "l = get();",
    "u = count(a);",
    "atomic { a = u; b = u; }",
)
_LOCKED = ("u = 1;", "a = u;", "p = k;", "k = p; p = null;", "if (p != null) { p.b = true; }", "p = k; k = null;")
_CALLS = ("async late(p);", "async late(k);", "touch(p);", "touch(k);")
_CHECKS = ("!l", "a == b", "a == 0 || l", "p == null || !p.b", "k == null || !k.b", "u != 1", "x", "!(l && x)")
_OWN = "int a; int b; bool l; C q;"


def random_owners(rng: Random) -> str:
    """Return a random model."""
    start = rng.choice(["", " = new C"])
    lines = ["chan Q int;", "class C { C f; bool b; };", f"class M {{ static C k{start};"]
    lines.append("  static bool x; static int u; static bool m; static bool n; static Q c = new Q;")
    for number in range(2):
        lines.append(f"  activate static void t{number}() {{ {_OWN} C p; {_body(rng, rng.randint(2, 4), True)} }}")
    lines.append(f"  static void late(C p) {{ {_OWN} {_body(rng, rng.randint(1, 2), False)} }}")
    lines.append(f"  static void touch(C p) {{ {_OWN} {_statement(rng, False)} {_statement(rng, False)} }}")
    lines += ["  static bool get() { bool r; r = x; return r; }"]
    lines += ["  static int count(int i) { int r; r = i; x = true; return r; }", "};\n"]
    return "\n".join(lines)


def _body(rng: Random, length: int, calls: bool) -> str:
    statements = [_statement(rng, calls) for _ in range(length)]
    return f"{' '.join(statements)}\n    assert({rng.choice(_CHECKS)});"


def _statement(rng: Random, calls: bool) -> str:
    roll = rng.random()
    if roll < 0.15:
        lock = rng.choice([(_TAKE, "m"), (_TAKE, "m"), (_OTHER, "n")])
        return f"{lock[0]} {rng.choice(_LOCKED)} {lock[1]} = false;"
    if calls and roll < 0.25:
        return rng.choice(_CALLS)
    return rng.choice(_CELLS if roll < 0.65 else _STATICS)
