"""Each deliberate mistake in the methods is seen on a small program, and never becomes a wrong answer.

Small programs, each with what is reachable in it; the first test says that the real methods know that.
"""

from __future__ import annotations

from functools import cache

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Reachable
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster.semantics.heap.explore import explore
from support.mistakes.zing import MISTAKES, mistaken

HEAD = "class C { C f; bool b; };\nclass M { static C g; static C h; static bool x;\nactivate static void main() { "
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


@cache
def program_of(name: str) -> Program:
    text = (PROGRAMS | THREADS)[name].replace("assert(", "\n      assert(")  # each on a line of its own
    return parse(f"{HEAD}{text}\n{'' if name in PROGRAMS else '}'}}};\n", name)


def found(program: Program, engine: str, checked: bool) -> list[str]:
    evidence = Evidence(traces=checked, proofs=checked)
    result = knaster.check(program, "failures", engine=engine, evidence=evidence)
    return sorted(target.name for target, answer in result.answers if isinstance(answer, Reachable))


@cache
def expected(name: str) -> list[str]:
    failures = explore(program_of(name), 5000)
    assert failures.complete
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


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_seen_and_never_answered(mistake: str) -> None:
    engine, seen = MISTAKES[mistake].engine, 0
    with mistaken(mistake):
        for name in THREADS if engine == "explicit" else PROGRAMS:
            try:
                wrong = found(program_of(name), engine, False) != expected(name)
            except (LookupError, InternalError):  # it falls over
                wrong = True
            if wrong:
                seen += 1
                with pytest.raises((InternalError, LookupError)):
                    found(program_of(name), engine, True)
    assert seen, f"no program shows: {mistake}"
