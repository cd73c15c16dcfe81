"""Random Zing models for channels: threads that send, receive, look at channels, and hand cells over."""

from __future__ import annotations

from random import Random

_HEAD = """chan Q int;
chan P C;
class C { int k; };
class Main {
  static Q c = new Q;
  static Q d = new Q;
  static P e = new P;
  static Q o;
  static int u;
  static int v;
  static bool m;
"""
_NAMES = ("one", "two", "three")


def random_channels(rng: Random) -> str:
    """Return a random model; mostly each thread has channels of its own to send to and to receive from."""
    threads = rng.choice([2, 2, 3])
    lines = [_HEAD]
    for number in range(threads):
        sends = rng.choice(["c", "d"]) if rng.random() < 0.25 else "cd"[number % 2]
        receives = rng.choice(["c", "d"]) if rng.random() < 0.25 else "dc"[number % 2]
        parts = [_statement(rng, sends, receives) for _ in range(rng.randint(1, 4))]
        body = "int l; bool nd; C p; Q a; " + " ".join(parts)
        lines.append(f"  activate static void {_NAMES[number]}() {{ {body} }}")
    lines += [
        "  static void give(int w) { send(c, w); }",
        "  static int take() { int r; select { receive(d, r) -> ; } return r; }",
    ]
    return "\n".join([*lines, "};\n"]).replace("assert(", "\n    assert(")


def _statement(rng: Random, sends: str, receives: str) -> str:
    roll = rng.random()
    if roll < 0.3:
        return f"send({sends}, {rng.choice(['l', '1', '2', 'u'])});"
    if roll < 0.52:
        return f"select {{ receive({receives}, {rng.choice(['l', 'l', 'u'])}) -> ; }}"
    if roll < 0.72:
        return rng.choice(["u = 1;", "l = u;", "u = l;", "v = v + 1;", "l = v;", "l = 1;", "nd = choose(bool);"])
    if roll < 0.82:
        atoms = ["u == 0", "l != 2", "v < 2", "l == u", "p == null || p.k == 0", f"sizeof({receives}) < 2"]
        return f"assert({rng.choice(atoms)} || {rng.choice(atoms)});"
    return rng.choice(
        [
            f"l = sizeof({sends});",
            f"if (sizeof({receives}) > 0) {{ l = 2; }}",
            f"select {{ receive({receives}, l) -> ; wait(u == 1) -> l = 2; }}",
            f"select end {{ receive({receives}, l) -> u = 1; }}",
            f"select first {{ receive({receives}, l) -> ; timeout -> l = 0; }}",
            f"atomic {{ u = 1; select {{ receive({receives}, l) -> ; }} }}",
            f"atomic {{ select {{ receive({receives}, l) -> ; }} u = l; }}",
            f"atomic {{ send({sends}, 1); u = 2; }}",
            "p = new C; send(e, p); p.k = 1;",
            "select { receive(e, p) -> p.k = 2; }",
            "select { receive(e, p) -> ; } l = p.k;",
            f"o = {sends};",
            "a = o; if (a != null) { send(a, 2); }",
            f"a = {receives}; select {{ receive(a, l) -> ; }}",
            "give(1);",
            "l = take();",
            "async give(2);",
            f"if (nd) {{ send({sends}, 2); }}",
            "atomic { select { wait(!m) -> m = true; } } u = u + 1; m = false;",
            f"atomic {{ select {{ wait(!m) -> m = true; }} }} send({sends}, u); m = false;",
            "assume(u == 0);",
            "while (l < 2) { send(" + sends + ", l); l = l + 1; }",
        ]
    )
