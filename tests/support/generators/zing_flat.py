"""Random Zing models without a heap: threads, regions, selects, calls with results, numbers with few values."""

from __future__ import annotations

from random import Random


def random_flat_model(rng: Random) -> str:
    """Return a random model whose asserts are on lines of their own."""
    lines = ["enum E { a, b, c };", "class Main {", "  static int u;", "  static bool m;", "  static E e;"]
    for number in range(rng.randint(1, 2)):
        lines.append(f"  activate static void t{number}() {{ {_body(rng)} }}")
    if rng.random() < 0.5:
        lines.append(f"  activate static void main() {{ u = 1; async late({rng.randint(0, 2)}); }}")
    lines += ["  static int get() { int r; r = u; return r; }"]
    lines += [f"  static void late(int w) {{ int l; bool nd; l = w; {_statement(rng, 1)} {_check(rng)} }}"]
    lines += [f"  static int next(int k, out bool o) {{ int r; o = m; r = 2 - k; {_small(rng)} return r; }}"]
    lines += ["  static atomic void swap() { u = 2 - u; if (m) { u = 0; } }", "};\n"]
    return "\n".join(lines).replace("assert(", "\n    assert(")


def _small(rng: Random) -> str:
    return rng.choice(["u = r;", "m = !m;", "if (r == 1) { u = 1; }", ";"])


def _body(rng: Random) -> str:
    return "int l; bool nd; " + " ".join([*(_statement(rng, 0) for _ in range(rng.randint(2, 4))), _check(rng)])


def _check(rng: Random) -> str:
    atoms = ["u == 1", "u < 2", "m", "l == 0", "e == E.b", "l != u", "!m"]
    one, other = rng.sample(atoms, 2)
    return f"assert({one} {rng.choice(['||', '&&'])} {other});"


def _statement(rng: Random, depth: int) -> str:
    simple = [
        "u = 2 - u;",
        "u = l;",
        "l = u;",
        "m = !m;",
        "m = u == 1 || l == 0;",
        "e = choose(E);",
        "nd = choose(bool); if (nd) { l = 1; } nd = false;",
        "u = get();",
        "l = next(l, out m);",
        "u = next(u, out nd);",
        "swap();",
        "assume(m);",
        "select { wait(m) -> l = 0; wait(u == 0) -> m = true; }",
        "select first { wait(e == E.a) -> ; wait(!m) -> u = 1; }",
        "while (u == 1) { l = 0; m = false; }",
        'trace("{0}", l);',
        "if (l > 0) { u = 0; } else { m = true; }",
        "goto L; u = 2; L: ;" if depth == 0 and rng.random() < 0.2 else ";",
        f"u = {rng.randint(0, 2)};",
        _check(rng),
    ]
    if depth == 0 and rng.random() < 0.25:
        inner = " ".join(rng.choice(simple[:11]) for _ in range(rng.randint(1, 3)))
        first = rng.choice(["", "", "select { wait(!m) -> m = true; }"])
        return f"atomic {{ {first} {inner} }}"
    return rng.choice(simple)
