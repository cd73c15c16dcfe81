"""Random Zing models for transactions: threads that take locks, recurse, publish cells, and use channels.

They recurse as often as an argument says, so that all their states are finitely many; `endless` ones as often as they
choose, mostly inside a transaction.
"""

from __future__ import annotations

import re
from random import Random

_HEAD = """chan Q int;
class C { int k; C f; };
class Main {
  static Q c = new Q;
  static int u;
  static int v;
  static bool m;
  static bool n;
  static C g;
"""


def locks_in_cells(rng: Random, text: str) -> str:
    """Return a model with one of its locks, or both, in cells that statics name; seldom another name has one, too."""
    for lock in rng.choice(["m", "n", "mn"]):
        text = re.sub(rf"\b{lock}\b(?=\)| = )", f"{lock}{lock}.held", text)
        text = text.replace(f"static bool {lock};", f"static Mutex {lock}{lock} = new Mutex;")
    kind = "class Mutex { bool held; int k; };\n"
    if rng.random() < 0.3:
        text = text.replace("v == 0", "mm.k == 0", 1) if "Mutex mm" in text else text
    if rng.random() < 0.1 and "Mutex mm" in text:
        text = text.replace("static C g;", "static C g; static Mutex alias;").replace("u = 1;", "alias = mm; u = 1;", 1)
        text = text.replace("l = 1;", "if (alias != null) { alias.held = false; }", 1)
    return kind + text


def random_transactions(rng: Random, endless: bool, same: bool = False) -> str:
    """Return a random model; threads may be started in the `same` way."""
    lines = [_HEAD]
    if not same and rng.random() < 0.5:
        lines += ["  activate static void one() { " + _body(rng, endless, "0") + " }"]
        lines += ["  activate static void two() { " + _body(rng, endless, "1") + " }"]
    else:
        begin = " ".join(rng.sample(["u = 1;", "v = 1;", "g = new C;", "send(c, 1);", "m = false;"], rng.randint(0, 2)))
        starts = "async work(0); " * rng.choice([2, 2, 3]) if same else "async work(0); async work(1);"
        starts = f"atomic {{ {starts} }}" if rng.random() < 0.3 else starts
        lines += [f"  activate static void main() {{ {begin} {starts} }}"]
        lines += ["  static void work(int w) { " + _body(rng, endless, "w") + " }"]
    lines += ["  " + (_endless(rng) if endless else _counted(rng))]
    lines += ["  static int get() { int r; r = u; return r; }", "  static void give(C x) { x.k = 2; }", "};\n"]
    return "\n".join(lines).replace("assert(", "\n    assert(").replace(" atomic {", "\n    atomic {")


def _body(rng: Random, endless: bool, which: str) -> str:
    """Return what a thread does."""
    call = f"foo({which if endless else rng.randint(0, 2)}, p);"
    parts = [_statement(rng, True) for _ in range(rng.randint(0, 2))]
    parts.insert(rng.randint(0, len(parts)), call)
    if rng.random() < 0.7:
        parts.append(_section(rng, [_check(rng)]))
    elif rng.random() < 0.5:
        parts.append(_check(rng))
    return "int l; bool nd; C p; C q; " + " ".join(parts)


def _counted(rng: Random) -> str:
    """Return a procedure that calls itself as often as it is told."""
    before = [_statement(rng, True) for _ in range(rng.randint(0, 1))]
    after = [_statement(rng, True) for _ in range(rng.randint(0, 1))]
    last = _statement(rng, True)
    head = "static void foo(int d, C q) { int l; bool nd; C p; p = q; "
    return head + f"{' '.join(before)} if (d > 0) {{ foo(d - 1, p); }} else {{ {last} }} {' '.join(after)} }}"


def _endless(rng: Random) -> str:
    """Return a procedure that calls itself as often as it chooses."""
    before = [_local(rng) for _ in range(rng.randint(0, 2))]
    after = [_local(rng) for _ in range(rng.randint(0, 2))]
    last = _section(rng, [_data(rng)]) if rng.random() < 0.6 else rng.choice([_data(rng), _statement(rng, True)])
    if rng.random() < 0.08:
        before.append(_data(rng))
    again = f"foo({rng.choice(['d', '1 - d', 'l'])}, {rng.choice(['p', 'q', 'null'])});"
    head = "static void foo(int d, C q) { int l; bool nd; C p; l = 1; "
    choice = f"nd = choose(bool); if (nd) {{ nd = false; {again} }} else {{ {last} }}"
    return head + f"{' '.join(before)} {choice} {' '.join(after)} }}"


def _section(rng: Random, statements: list[str]) -> str:
    """Return statements under a lock; seldom it is not taken, or not released."""
    lock = "m" if rng.random() < 0.75 else "n"
    take = f" atomic {{ select {{ wait(!{lock}) -> {lock} = true; }} }}" if rng.random() < 0.96 else ""
    return f"{take} {' '.join(statements)} {f'{lock} = false;' if rng.random() < 0.96 else ''}"


def _local(rng: Random) -> str:
    """Return a statement that concerns one thread only, unless its cell is known to others."""
    return rng.choice(
        [
            "l = l + 1; if (l > 2) { l = 0; }",
            "p = new C;",
            "p = new C; p.f = q;",
            "if (q != null) { p = q; }",
            "if (p != null) { p.k = l; }",
            "if (p != null) { l = p.k; }",
            "if (p != null) { give(p); }",
            "nd = choose(bool); if (nd) { l = 1; } nd = false;",
            ";",
        ]
    )


def _data(rng: Random) -> str:
    """Return a statement about what threads share."""
    simple = ["v = 1;", "v = v + 1; if (v > 2) { v = 0; }", "l = v;", f"v = {rng.randint(0, 2)};", _check(rng)]
    others = ["u = 1;", "l = u;", f"u = {rng.randint(0, 2)};", "g = p;", "p = g;", "g = new C;", "p = g; g = null;"]
    others += ["if (g != null) { g.k = 1; }", "send(c, l);", "l = get();", "u = get();", "p = new C; g = p; p.k = 1;"]
    return rng.choice(simple if rng.random() < 0.6 else others)


def _check(rng: Random) -> str:
    """Return an assert; mostly one that some run breaks."""
    atoms = [f"v == {rng.randint(0, 2)}", f"u == {rng.randint(0, 2)}", "l == 1", "g == null", "p == null || p.k < 2"]
    return (
        f"assert({rng.choice(atoms)} || {rng.choice(atoms)});"
        if rng.random() < 0.7
        else f"assert({rng.choice(atoms)});"
    )


def _statement(rng: Random, deep: bool) -> str:
    """Return any statement."""
    roll = rng.random()
    if deep and roll < 0.35:
        inner = [_data(rng) if rng.random() < 0.7 else _statement(rng, False) for _ in range(rng.randint(1, 2))]
        return _section(rng, inner)
    if deep and roll < 0.42:
        return f" atomic {{ {_data(rng)} {_data(rng)} }}"
    if roll < 0.55:
        return _local(rng)
    if roll < 0.8:
        return _data(rng)
    return rng.choice(
        [
            f"assume(u == {rng.randint(0, 1)});",
            f"select {{ wait(u == {rng.randint(0, 1)}) -> l = 1; }}",
            f"select {{ receive(c, l) -> ; wait(v == {rng.randint(0, 2)}) -> u = 0; }}",
            f"select end {{ wait(v == {rng.randint(0, 2)}) -> ; }}",
            "while (u == 1) { l = v; }",
            "while (l < 2) { l = l + 1; }",
            "m = false;",
            "l = 2 / u;",
            "l = get();",
            "p = new C; async give(p); p.k = 1;",
        ]
    )
