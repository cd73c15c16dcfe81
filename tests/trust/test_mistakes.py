"""Each deliberate mistake in the methods is seen on a small program, and never becomes a wrong answer.

Small programs, each with what is reachable in it; the first test says that the real methods know that.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Reachable
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster.semantics.heap.explore import explore
from support.mistakes.zing import MISTAKES, mistaken

HEAD = "chan Q int; class C { C f; bool b; };\nclass M { static C g; static C h; static bool x;\n"
HEAD += "activate static void main() { "
CHOICE = "bool nd; nd = choose(bool);"
PROGRAMS = {
    "exchanged or not": f"""C k; g = new C; h = new C; k = g; may(); assert(g == k); assert(h != k); }}
      static void may() {{ {CHOICE} if (nd) {{ C t = g; g = h; h = t; }} }}""",
    "not exchanged, or exchanged": f"""C k; g = new C; h = new C; k = g; may(); assert(g == k); }}
      static void may() {{ {CHOICE} if (!nd) {{ C t = g; g = h; h = t; }} }}""",
    "changed and lost": """C k; g = new C; k = g; lose(); assert(!k.b); assert(k.f == null || !k.f.b); }
      static void lose() { g.b = true; g.f = new C; g.f.b = true; g = null; }""",
    "lost behind a cell of the caller": """C k; k = new C; k.f = new C; g = k.f; lose(); assert(!k.f.b); }
      static void lose() { g.b = true; g = null; }""",
    "lost two calls down": """C k; g = new C; k = g; pass(); assert(!k.b); }
      static void pass() { lose(); }
      static void lose() { g.b = true; g = null; }""",
    "written or not": f"""x = true; fix(); assert(x); x = false; fix(); assert(x); }}
      static void fix() {{ {CHOICE} if (nd) {{ x = true; }} if (x) {{ ; }} }}""",
    "the old value, or nothing": f"""x = true; fix(); assert(x); x = false; fix(); assert(x); }}
      static void fix() {{ {CHOICE} if (nd) {{ x = true; }} }}""",
    "nothing, or the old value": f"""x = true; fix(); assert(x); x = false; fix(); assert(!x); }}
      static void fix() {{ {CHOICE} if (!nd) {{ x = true; }} }}""",
    "read by a callee": f"""{CHOICE} x = nd; ask(); }}
      static void ask() {{ inner(); }}
      static void inner() {{ assume(x); assert(false); }}""",
    "read and not passed": f"""{CHOICE} x = nd; look(); }}
      static void look() {{ assume(x); assert(!x); }}""",
    "read and passed later": f"""{CHOICE} x = !nd; look(); }}
      static void look() {{ assume(x); assert(!x); }}""",
    "one cell or two": """g = new C; h = new C; same(g, h); same(g, g); }
      static void same(C p, C q) { assert(p != q); }""",
    "a cell or null": """g = new C; h = new C; use(g); use(null); }
      static void use(C p) { bool y; y = p == null; assert(!y); }""",
    "a cell, then null": """g = new C; look(); g = null; look(); }
      static void look() { assert(g != null); }""",
    "written along one way": f"""x = true; fix(); x = false; fix(); assert(!x); assert(x); }}
      static void fix() {{ {CHOICE} if (nd) {{ x = true; }} nd = false; next(); }}
      static void next() {{ bool y; y = choose(bool); if (y) {{ y = false; }} }}""",
}
THREADS = {
    "removed for all": "x = true; assume(false); } activate static void two() { bool y = x; assert(!y);",
    "a static between": "bool l; x = true; l = x; assert(l); } activate static void two() { x = false;",
    "a field between": """C p; bool l; p = k; l = p.b; assert(!l); }
      static C k = new C;
      activate static void two() { C q = k; k = new C; q.b = true;""",
    "a result between": """x = true; y = one(); }
      static bool y; static bool one() { return true; }
      activate static void two() { bool a; bool b; atomic { a = x; b = y; } assert(!a || b);""",
    "its own number": "async late(); } static void late() { int n; n = self; assert(n != 2);",
    "for ever": "select { wait(x) -> ; } } activate static void two() { select end { wait(x) -> ; }",
}
TAKE, TAKE_OTHER = (f"atomic {{ select {{ wait(!{lock}) -> {lock} = true; }} }}" for lock in ("m", "n"))
TAKE_CELL = "atomic { select { wait(!d.b) -> d.b = true; } }"
LOCKS = "static bool m; static bool n; static int u; static bool y;"
TRANSACTIONS = THREADS | {
    "seen twice": "x = true; x = false; } activate static void two() { bool l = x; assert(!l);",
    "chosen late": """x = true; x = choose(bool); }
      activate static void two() { bool a = x; bool b = x; assert(!a || b);""",
    "removed later": "x = true; assume(false); } activate static void two() { bool l = x; assert(!l);",
    "two regions": f"""int l; atomic {{ u = 1; }} atomic {{ l = 1; u = 0; }} }}
      {LOCKS} activate static void two() {{ int l = u; assert(l == 0);""",
    "round and round": "x = true; while (true) { ; } } activate static void two() { bool l = x; assert(!l);",
    "down and down": """x = true; down(3); } static void down(int k) { if (k > 0) { down(k); } }
      activate static void two() { bool l = x; assert(!l);""",
    "fails behind": f"""int l; x = true; l = 1 / l; }}
      {LOCKS} activate static void two() {{ bool l = x; assert(!l);""",
    "asserted behind": f"""int l; x = true; assert(l == 1); }}
      {LOCKS} activate static void two() {{ bool l = x; assert(!l);""",
    "in opposite orders": f"""{TAKE} {TAKE_OTHER} n = false; m = false; }}
      {LOCKS} activate static void two() {{ {TAKE_OTHER} {TAKE} m = false; n = false;""",
    "a result behind": f"""x = true; y = one(); }}
      {LOCKS} static bool one() {{ return true; }}
      activate static void two() {{ bool a; bool b; atomic {{ a = x; b = y; }} assert(!a || b);""",
    "a call behind": f"""x = true; put(); }}
      {LOCKS} static void put() {{ y = true; }}
      activate static void two() {{ bool a; bool b; atomic {{ a = x; b = y; }} assert(!a || b);""",
    "a cell of two": """C p; p = new C; async late(p); p.b = true; p.b = false; }
      static void late(C q) { bool l; l = q.b; assert(!l);""",
    "a cell that was given away": """C p; g = new C; p = g; async late(); p.b = true; p.b = false; }
      static void late() { bool l; l = g.b; assert(!l);""",
    "a cell of a new thread": """C p; atomic { p = new C; async late(p); } p.b = true; p.b = false; }
      static void late(C q) { bool l; l = q.b; assert(!l);""",
    "at once behind a start": f"""async late(); u = 1; u = 0; }}
      {LOCKS} static void late() {{ int l = u; assert(l == 0);""",
    "held by another lock": f"""{TAKE} u = 1; u = 0; m = false; }}
      {LOCKS} activate static void two() {{ int l; {TAKE_OTHER} l = u; n = false; assert(l == 0);""",
    "held by no lock": f"""{TAKE} u = 1; u = 0; m = false; }}
      {LOCKS} activate static void two() {{ int l; l = u; assert(l == 0);""",
    "released by another": f"""{TAKE} u = 1; u = 0; m = false; }}
      {LOCKS} activate static void two() {{ int l; m = false; {TAKE} l = u; m = false; assert(l == 0);""",
    "finished too soon": f"""int a; int b; x = true; a = u; b = u; assert(a == b); }}
      {LOCKS} activate static void two() {{ select {{ wait(x) -> ; }} u = 1;""",
    "waits in a call at once": f"""wait_for(); }}
      {LOCKS} static void wait_for() {{ select {{ wait(u == 1) -> ; }} }}
      activate static void two() {{ ;""",
    "two send": """x = true; send(c, 1); } static Q c = new Q;
      activate static void two() { bool l; l = x; if (l) { send(c, 2); } }
      activate static void three() { int k; select { receive(c, k) -> ; } assert(k != 2);""",
    "two receive": """int k; select { receive(c, k) -> ; } x = true; assert(k == 1); } static Q c = new Q;
      activate static void two() { int k; bool l; select { receive(c, k) -> ; } l = x; assert(!(l && k == 1)); }
      activate static void three() { send(c, 1); send(c, 2);""",
    "counted between": """x = true; send(c, 1); } static Q c = new Q;
      activate static void two() { bool l; int n; l = x; n = sizeof(c); assert(!l || n == 1);""",
    "behind a send": """send(c, 1); x = true; } static Q c = new Q;
      activate static void two() { int k; bool l; select { receive(c, k) -> ; } l = x; assert(l);""",
    "received in a region": """x = true; send(c, 1); } static Q c = new Q;
      activate static void two() { int k; atomic { if (x) { select { receive(c, k) -> ; } } }""",
    "another name of a channel": """c = d; x = true; send(c, 1); } static Q c; static Q d = new Q;
      activate static void two() { bool l; l = x; if (l) { send(d, 2); } }
      activate static void three() { int k; select { receive(d, k) -> ; } assert(k != 2);""",
    "a lock with another name": f"""{TAKE_CELL} u = 1; u = 0; d.b = false; }}
      {LOCKS} static C d = new C;
      activate static void two() {{ int l; C q; q = d; q.b = false; {TAKE_CELL} l = u; d.b = false; assert(l == 0);""",
    "a name of another lock": f"""{TAKE_CELL} u = 1; u = 0; d.b = false; }}
      {LOCKS} static C d = new C;
      activate static void two() {{ int l; d = new C; {TAKE_CELL} l = u; d.b = false; assert(l == 0);""",
    "waits in a call": f"""{TAKE} wait_for(); }}
      {LOCKS} static void wait_for() {{ select {{ wait(u == 1) -> ; }} }}
      activate static void two() {{ {TAKE} m = false;""",
}


REDUCED = THREADS | {
    "a loop alone": """async late(); C p = new C; while (true) { p.b = !p.b; } }
      static void late() { bool l; l = x; x = true; l = x; assert(!l);""",
    "written by another": """async late(); bool l; l = x; assert(!l); }
      static void late() { bool k; k = choose(bool); x = k;""",
    "written for another": """async late(); C p = new C; x = true; p.b = true; x = false; }
      static void late() { bool l; l = x; assert(!l);""",
    "a cell of both": """C p; p = new C; async late(p); p.b = true; p.b = false; }
      static void late(C q) { bool l; l = q.b; assert(!l);""",
    "a cell of a static": """C p; p = new C; g = p; async late(); p.b = true; p.b = false; }
      static void late() { bool l; l = g.b; assert(!l);""",
    "a cell behind a cell": """C p; p = new C; g = new C; g.f = p; async late(); p.b = true; p.b = false; }
      static void late() { bool l; l = g.f.b; assert(!l);""",
    "by a call": """async late(); x = true; x = false; }
      static void late() { look(); } static void look() { bool l; l = x; assert(!l);""",
    "one alternative": """async late(); bool k; bool l; atomic { k = choose(bool); if (k) { l = x; } } assert(!l); }
      static void late() { x = true;""",
    "the other alternative": """async late(); bool k; bool l; atomic { k = choose(bool); if (!k) { l = x; } }
      assert(!l); } static void late() { x = true;""",
    "two at the same place": """async late(); async late(); } static bool y;
      static void late() { bool k; bool l; k = choose(bool); atomic { if (k) { y = true; } else { x = true; } }
      l = x && y; assert(!l);""",
    "two cells": """async late(); async late(); }
      static void late() { C p; bool l; p = new C; p.b = x; x = true; l = p.b; assert(!l);""",
    "first and second": """async late(); async late(); }
      static void late() { int n; bool l; n = self; l = x; x = true; assert(!(n == 2 && l));""",
    "the last comes first": """async wait_for(); async late(); }
      static void wait_for() { select { wait(x) -> assert(!x); } }
      static void late() { x = true;""",
}


@cache
def program_of(name: str) -> Program:
    text = (PROGRAMS | TRANSACTIONS | REDUCED)[name].replace("assert(", "\n      assert(")  # each on a line of its own
    return parse(f"{HEAD}{text}\n{'' if name in PROGRAMS else '}'}}};\n", name)


def found(program: Program, engine: str, checked: bool) -> list[str]:
    evidence = Evidence(traces=checked, proofs=checked)
    name, _, reduction = engine.partition(" ")
    options: dict[str, Any] = {"reduction": reduction} if reduction else {}
    result = knaster.check(program, "failures", engine=name, evidence=evidence, **options)
    return sorted(target.name for target, answer in result.answers if isinstance(answer, Reachable))


@cache
def expected(name: str) -> list[str]:
    failures = explore(program_of(name), 5000, 4 if name == "down and down" else None)
    assert failures.complete or name == "down and down"
    return sorted(
        {f"assert at line {each.line}" if each.kind == "assertion" else each.kind for each in failures.failures}
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_methods_are_right(name: str) -> None:
    program = program_of(name)
    for engine in ("visible", "patterns"):
        assert found(program, engine, True) == expected(name)


@pytest.mark.parametrize("name", THREADS)
def test_threads_are_right(name: str) -> None:
    assert found(program_of(name), "explicit", True) == expected(name) != []


@pytest.mark.parametrize("reduction", ["symmetry", "persistent", "all"])
@pytest.mark.parametrize("name", REDUCED)
def test_reductions_are_right(name: str, reduction: str) -> None:
    assert found(program_of(name), f"explicit {reduction}", True) == expected(name) != []


@pytest.mark.parametrize("name", TRANSACTIONS)
def test_transactions_are_right(name: str) -> None:
    assert found(program_of(name), "transactions", True) == expected(name) != []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_seen_and_never_answered(mistake: str) -> None:
    engine, seen = MISTAKES[mistake].engine, 0
    programs = REDUCED if " " in engine else {"explicit": THREADS, "transactions": TRANSACTIONS}.get(engine, PROGRAMS)
    with mistaken(mistake):
        for name in programs:
            try:
                wrong = found(program_of(name), engine, False) != expected(name)
            except (LookupError, InternalError):  # it falls over
                wrong = True
            if wrong:
                seen += 1
                with pytest.raises((InternalError, LookupError)):
                    found(program_of(name), engine, True)
    assert seen, f"no program shows: {mistake}"
