"""The proof of one program, handed over as one of another text of the same shape, of which it is not true.

Sets, tables and rows lack what only the other text reaches, measures do not decrease there, runs and cycles leave their
way.  A change is `old -> new`, several are joined by `and`; the answer about the other text is the opposite one, as
a slow test says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.program.model import Program
from support.attacks.attack import Attack
from support.c_proofs import READ


class Group(NamedTuple):
    """A program, what is asked, the ways to prove it, and changes after which the answer is another one."""

    file: str
    text: str
    asked: dict[str, Any]
    ways: dict[str, dict[str, Any]]
    changes: str


THREADED: dict[str, dict[str, Any]] = {
    "configurations": {"engine": "states"},
    "configurations within switches": {"engine": "states", "switches": 2},
    "configurations within rounds": {"engine": "states", "rounds": 2},
    "interference": {"engine": "modular"},
    "stacks": {"engine": "stacks"},
}
LABEL: dict[str, Any] = {"question": "R"}
ENDING: dict[str, Any] = {"property": "termination"}
SEQUENTIAL = """decl g, h; init(!g & !h);
void main() begin decl x; x := *; f(x); if (g & !h) then R: skip; fi end
void f(p) begin if (p) then g, h := T, T; else g := F; fi if (*) then f(!p); fi end
"""
RETURNS = """decl g; init(!g);
void main() begin decl a, b; a := T; b := id(a); g := id(!b); if (g | !b) then R: skip; fi end
bool id(x) begin decl y; y := x; if (y) then return T; else return F; fi end
"""
LOOP = """decl a, b; init(!a & !b);
void main() begin while (*) do a, b := !a, !b; step(); od if (a != b) then R: skip; fi end
void step() begin decl t; t := a; a := b; b := t; end
"""
TURNS = """decl turn, a; init(!turn & !a);
void main_1() begin assume(!turn); a := T; a := F; turn := T; end
void main_2() begin assume(turn); if (a) then R: skip; fi turn := F; end
"""
SECTIONS = """decl g, k; init(!g & !k);
void main_1() begin atomic_begin; g := T; k := !k; g := F; atomic_end; end
void main_2() begin decl x; x := get(); if (x) then R: skip; fi end
bool get() begin return g; end
"""
LOCKED = """decl g, atomic;
void init() begin g := F; atomic := F; end
void thread1() begin atomic := T; g := T; g := F; atomic := F; end
void thread2() begin decl x; x := g; if (x) then R: skip; fi end
"""
STARTS = """decl g; init(!g);
void main() begin decl l; l := F; start_thread late(l); g := F; if (g) then R: skip; fi end
void late(p) begin g := p; end
"""
ENDS = """decl g; init(!g);
void main() begin decl x; x := T; while (x) do f(x); x := g; od end
void f(p) begin if (p) then if (*) then f(!p); fi fi g := F; end
"""
ANSWERS = """decl p, q; init(!p & !q);
void main() begin while (T) do p := *; if (p) then q := T; fi A: skip; p := F; q := F; od end
"""
BUSY = """decl x := 0;
void main_1() begin decl l; while (!x) do l := g(l); od end
bool g(a) begin return !a; end
void main_2() begin L: x := 1; end
"""
MODEL = """class Start {
  static int x;
  static bool m;
  static activate void main() { x = 1; async work(); async work(); }
  static void work() { atomic { select { wait(!m) -> m = true; } } add(); assert(x >= 1); m = false; }
  static void add() { bool b; b = choose(bool); if (b) { x = 2; } }
};
"""
ALONE = """class Start {
  static int x;
  static activate void main() { x = 1; work(2); assert(x == 2); }
  static void work(int n) { if (n > 0) { x = 2; work(n - 1); } }
};
"""
ROUNDS = """class Start {
  static int x;
  static activate void main() { x = 3; while (x > 0) { x = work(x); } }
  static int work(int n) { if (n > 2) { n = work(n - 2); } return n - 1; }
};
"""
WAITS = """class Main {
  static bool stop;
  activate static void one() { while (!stop) { step(); } L: step(); }
  activate static void two() { stop = true; }
  static void step() { bool b; b = choose(bool); }
};
"""
CEILING = """int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }
int main(void) { int n = read(), i = 0; if (n < 0 || n > 9) return 0; while (i < n) { i = i + 1; }
  if (i != n) reach_error(); return 0; }
"""
DOWN = "int main(void) { int i = read(), j = read(); while (i > 0) { i = i - 1; j = 9; while (j > 0) j = j - 1; } }\n"
DEEP = "void f(int n) { if (n > 0) { f(n - 1); f(n - 1); } }\nint main(void) { f(read()); }\n"
COUNTS = "int main(void) { int x = 5, y = 3; while (x > 0) { x = x - 1; y = y; } return y; }\n"
FEW = "extern _Bool bit(void); int main(void) { int i = 0, s = 0; while (i < 4) { i = i + 1; s = s + bit(); }\n"
FEW += " if (s > 4) reach_error(); }\n"
ROUND = "int main(void) { int i = 5; while (i > 0) { i = i == 3 ? 5 : i - 1; } }\n"

GROUPS = (
    Group(
        "a.bp",
        SEQUENTIAL,
        LABEL,
        {"path edges": {}},
        """T, T -> T, F
        g := F -> g := T
        g & !h -> g & h
        g & !h -> !g
        g & !h -> g
        g & !h -> g ^ !h
        if (g & !h) -> if (g | !g)
        T, T -> T, p & !p
        T, T -> p, F
        f(!p) -> f(p) and T, T -> T, !p
        T, T -> h, g and else g := F -> else g := T""",
    ),
    Group(
        "a.bp",
        RETURNS,
        LABEL,
        {"path edges": {}},
        """return T -> return F
        return F -> return T
        y := x -> y := !x
        id(!b) -> id(b)
        a := T -> a := F
        a := T -> a := *
        g | !b -> g | b
        g | !b -> T
        y := x -> y := *
        if (y) -> if (!y)
        return T -> return *
        id(!b) -> id(*)""",
    ),
    Group(
        "a.bp",
        LOOP,
        LABEL,
        {"path edges": {}},
        """a := b -> a := !b
        b := t -> b := !t
        !a, !b -> !a, b
        a != b -> a = b
        init(!a & !b) -> init(a & !b)
        t := a -> t := !a
        init(!a & !b) -> init(!a)
        !a, !b -> *, *
        a != b -> a
        t := a -> t := *
        !a, !b -> T, a""",
    ),
    Group(
        "a.bp",
        TURNS,
        LABEL,
        THREADED,
        """assume(turn) -> assume(!turn)
        a := F -> a := T
        if (a) -> if (turn)
        init(!turn & !a) -> init(turn)
        if (a) -> if (!a)
        assume(turn) -> assume(*)""",
    ),
    Group(
        "a.bp",
        SECTIONS,
        LABEL,
        THREADED,
        """g := F; -> g := T;
        return g -> return k
        return g -> return !g
        if (x) -> if (!x)
        g := F -> g := k
        if (x) -> if (T)
        return g -> return *
        init(!g & !k) -> init(g)""",
    ),
    Group(
        "a.bp",
        LOCKED,
        LABEL,
        THREADED,
        """atomic := T -> atomic := F
        g := T; g := F -> g := F; g := T
        x := g -> x := !g
        if (x) -> if (!x)
        x := g -> x := *
        begin g := F -> begin g := *""",
    ),
    Group(
        "a.bp",
        STARTS,
        LABEL,
        {way: options for way, options in THREADED.items() if way not in ("stacks", "configurations within rounds")},
        """l := F -> l := T
        g := p -> g := !p
        late(l) -> late(!l)
        if (g) -> if (!g)
        g := F -> g := T
        l := F -> l := *
        late(l) -> late(*)
        g := p -> g := *
        g := p -> g := T""",
    ),
    Group(
        "a.bp",
        ENDS,
        ENDING,
        {"ranks": {}},
        """x := g -> x := !g
        x := g -> x := x
        g := F -> g := T
        f(!p) -> f(p)
        g := F -> g := *
        x := g -> x := T
        g := F -> g := p
        x := g -> x := *""",
    ),
    Group(
        "a.bp",
        ANSWERS,
        {"property": "G ({p} -> F {q})"},
        {"ranks": {}},
        """q := T -> q := F
        if (p) -> if (!p)
        if (p) -> if (q)
        q := T -> q := *
        if (p) -> if (*)
        q := T -> q := q
        p := F -> p := T
        if (p) -> if (F)""",
    ),
    Group(
        "a.bp",
        BUSY,
        {"property": "F {x}", "fair": "weak", "engine": "explicit"},
        {"fair table": {}},
        """x := 1 -> x := 0
        x := 1 -> x := *
        x := 1 -> x := x
        x := 1 -> x := x & !x
        x := 1 -> x := F""",
    ),
    Group(
        "a.bp",
        BUSY,
        {"property": "F at(main_2.L) & F {x}", "engine": "explicit"},
        {"lasso of threads": {}},
        """while (!x) -> while (F)
        while (!x) -> while (x)
        x := 0 -> x := 1 and while (!x) -> while (F & !x)""",
    ),
    Group(
        "a.zing",
        MODEL,
        {"question": "asserts"},
        {"state table": {}, "states within switches": {"switches": 2}, "states within delays": {"delays": 1}},
        """x >= 1 -> x >= 2
        x = 2 -> x = 0
        x = 1; -> x = 0;
        x >= 1 -> x == 2
        x >= 1 -> x > 1
        x >= 1 -> x == 1
        x >= 1 -> !m
        x = 2 -> x = x - 1""",
    ),
    Group(
        "a.zing",
        ALONE,
        {"engine": "patterns"},
        {"effect table": {}},
        """x = 2 -> x = 3
        work(2) -> work(0)
        n > 0 -> n > 2
        x == 2 -> x == 1
        x = 2; -> x = n;
        n - 1 -> n and n > 0 -> n > 4
        x == 2 -> x > 2
        x = 2 -> x = x""",
    ),
    Group(
        "a.zing",
        MODEL,
        {"question": "asserts"},
        {"transactions": {"engine": "transactions"}},
        """x >= 1 -> x >= 2
        x = 2 -> x = 0
        x = 1; -> x = 0;
        x >= 1 -> x == 2
        x >= 1 -> !m
        x = 2 -> x = x - 1""",
    ),
    Group(
        "a.zing",
        ROUNDS,
        {**ENDING, "engine": "visible"},
        {"fair effects": {}},
        """return n - 1 -> return n
        return n - 1 -> return n - 0
        x > 0 -> x > 1 || x < 9 and n - 1 -> n % 2
        x = work(x) -> x = work(2)
        n > 2 -> n > 0 and n - 2 -> n - n and return n - 1 -> return n + 1
        x > 0 -> x >= 0 and n - 1 -> n / 2""",
    ),
    Group(
        "a.zing",
        WAITS,
        {"property": "F {Main.stop}", "fair": "weak"},
        {"fair states": {}},
        """stop = true -> stop = false
        stop = true -> stop = stop
        stop = true -> stop = false && stop""",
    ),
    Group(
        "a.c",
        CEILING,
        {"engine": "horn"},
        {"invariants": {}},
        """i + 1 -> i + 2
        i != n -> i == n
        i < n -> i <= n
        i = 0 -> i = 1
        n > 9 -> n > 99 and i != n -> i > 50
        n < 0 || -> n < -1 ||
        i < n -> i < n - 1
        i = i + 1 -> i = n + 1
        i < n -> i != 5""",
    ),
    Group(
        "a.c",
        DOWN,
        {**ENDING, "engine": "ranking"},
        {"measures": {}},
        """i - 1 -> i - 0
        j - 1 -> j
        i = i - 1 -> i = i + 0
        j = j - 1 -> j = 9
        i = i - 1 -> i = i > 5 ? i - 1 : 5
        j = j - 1 -> j = i + 1""",
    ),
    Group(
        "a.c",
        DEEP,
        {**ENDING, "engine": "ranking"},
        {"measures": {}},
        """f(n - 1); } -> f(n); }
        f(n - 1); } -> f(n + 0); }
        f(n - 1); f -> f(n); f
        f(n - 1); } -> f(n > 1 ? n - 1 : n); }""",
    ),
    Group(
        "a.c",
        COUNTS,
        {**ENDING, "engine": "search"},
        {"all runs": {}},
        """x - 1 -> x
        x > 0 -> y > 0
        x - 1 -> x == 1 ? 5 : x - 1
        x = x - 1 -> x = y
        x = x - 1 -> x = 1
        x > 0 -> x != 9 and x - 1 -> x + 0""",
    ),
    Group(
        "a.c",
        FEW,
        {"engine": "search"},
        {"all runs": {}},
        """s > 4 -> s > 3
        i < 4 -> i < 5
        s > 4 -> s == 2
        s = 0 -> s = 1
        s + bit() -> s + 2 * bit()
        s > 4 -> !s""",
    ),
    Group(
        "a.c",
        ROUND,
        {**ENDING, "engine": "search"},
        {"lasso of C": {}},
        """? 5 -> ? 2
        i == 3 -> i == 7
        i - 1 -> i - 5 and ? 5 -> ? 0
        i > 0 -> i > 3
        i = 5 -> i = 2
        ? 5 -> ? -5
        i > 0 -> i == 5""",
    ),
    Group(
        "a.bp",
        SEQUENTIAL.replace("T, T", "T, F"),
        LABEL,
        {"run": {}},
        """T, F -> T, T
        g & !h -> g & h
        T, F -> F, F
        x := * -> x := F and f(!p) -> f(p)
        T, F -> F, T
        T, F -> h, g
        g & !h -> g & !g""",
    ),
    Group(
        "a.bp",
        TURNS.replace("assume(turn)", "assume(!turn)"),
        LABEL,
        {"run of threads": {}},
        """assume(!turn); if -> assume(turn); if
        a := T -> a := F
        if (a) -> if (turn & !turn)
        if (a) -> if (a & turn)""",
    ),
    Group(
        "a.zing",
        MODEL.replace("x >= 1", "x >= 2"),
        {"question": "asserts"},
        {"run of a model": {}},
        """x >= 2 -> x >= 1
        x >= 2 -> x > 0
        x = 1; -> x = 2;
        x >= 2 -> m
        x >= 2 -> x < 3""",
    ),
    Group(
        "a.c",
        FEW.replace("s > 4", "s > 3"),
        {"engine": "search"},
        {"run of C": {}},
        """s > 3 -> s > 4
        i < 4 -> i < 3
        s + bit() -> s - bit()
        s = 0 -> s = -1
        s > 3 -> s > i
        s = s + bit() -> s = bit()""",
    ),
)


def changes_of(group: Group) -> list[str]:
    """Return the changes of a group, one for each line."""
    return list(map(str.strip, group.changes.splitlines()))


def change_text(text: str, change: str) -> str:
    """Return a text with one change, or with several."""
    for part in change.split(" and "):
        old, new = part.split(" -> ")
        assert old in text, (part, text)
        text = text.replace(old, new)
    return text


@cache
def prove(file: str, text: str, options: tuple[tuple[str, Any], ...]) -> knaster.Result:
    """Return what is found about a text."""
    return knaster.check(with_inputs(file, text), file=file, evidence=knaster.Evidence(proofs=True), **dict(options))


def with_inputs(file: str, text: str) -> str:
    """Return a text; of C, with what it reads."""
    return READ + text if file.endswith(".c") else text


def options_of(group: Group, way: str, but: str = "") -> tuple[tuple[str, Any], ...]:
    """Return what is asked, and how it is proved."""
    return tuple((name, value) for name, value in {**group.asked, **group.ways[way]}.items() if name != but)


def forge(group: Group, way: str, change: str) -> tuple[Program, dict[str, Any]]:
    """Return the other program, and the proof of the first with its name on it."""
    right = prove(group.file, group.text, options_of(group, way))
    proof: dict[str, Any] = json.loads(proof_to_text(right))
    other = knaster.parse(with_inputs(group.file, change_text(group.text, change)), file=group.file)
    other = replace(other, threads=right.program.threads)
    return other, {**proof, "program": fingerprint(other)}


def attacks() -> Iterator[Attack]:
    """Yield all of them."""
    for group in GROUPS:
        for way in group.ways:
            for change in changes_of(group):
                yield Attack(way, change, partial(forge, group, way, change))
