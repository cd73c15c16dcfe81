"""Proofs with one part left out or exchanged, part by part: the kernel refuses what our own checkers refuse.

What an engine finds is what runs reach, so hardly any part can be missed; and each is missed by the obligation that led
there: a start, a step, a call, a return, a switch, a layer, what another thread does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.program.model import Program
from knaster_check import Refused
from support.changed_proofs import ENVELOPE
from support.kernel import kernel
from support.rich_models import DATA, EXCEPTIONS

SEQUENTIAL = """decl g, h; init(!g & !h);
void main() begin decl x; x := *; f(x); if (g & !h) then R: skip; fi end
void f(p) begin if (p) then g, h := T, T; else g := F; fi if (*) then f(!p); fi end
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
void main_1() begin decl l; l := F; start_thread late(l); start_thread goto L; end_thread; L: l := g; assert(T); end
void late(p) begin if (p) then R: skip; fi g := p; end
void main_2() begin skip; end
"""
FAILS = """decl g; init(!g);
void main_1() begin if (*) then assert(F); fi g := T; end
void main_2() begin assume(g); assume(!g); R: skip; end
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
WAITS = """class Main {
  static bool stop;
  activate static void one() { while (!stop) { step(); } L: step(); }
  activate static void two() { stop = true; }
  static void step() { bool b; b = choose(bool); }
};
"""
BUSY = """decl x := 0;
void main_1() begin decl l; while (!x) do l := g(l); od end
bool g(a) begin return !a; end
void main_2() begin L: x := 1; end
"""
GROWS = "decl x := 0; void main_1() begin f(); end void f() begin f(); end void main_2() begin x := 1; end\n"
CRITICAL = """decl x := 0, y := 0;
void main_1() begin while (!x) do atomic_begin; y := !y; y := !y; atomic_end; od end
void main_2() begin atomic_begin; if (*) then x := 1; else assume(F); fi atomic_end; end
"""
CEILING = """int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0 || n > 9) return 0;
  while (i < n) { i = i + 1; }
  if (i != n) reach_error();
  return 0;
}
"""
COUNTS = "int main(void) { int x = 5, y = 3; while (x > 0) { x = x - 1; y = y; } return y; }\n"
ROUND = "int main(void) { int i = 5; while (i > 0) { i = i == 3 ? 5 : i - 1; } }\n"


LISTS = """#include <stdlib.h>
int in(void); struct n { struct n *next; };
struct n *push(struct n *l) { struct n *m = malloc(sizeof *m); m->next = l; return m; }
int main(void) { struct n *l = 0; while (in()) l = push(l); while (l) { struct n *m = l->next; free(l); l = m; } }
"""


class Case(NamedTuple):
    """A program, what is asked, and which part of the proof holds its sets or rows."""

    text: str
    options: dict[str, Any]
    file: str = "a.bp"


THREADS = {"turns": TURNS, "sections": SECTIONS, "locked": LOCKED, "starts": STARTS, "fails": FAILS}
CASES: dict[str, Case] = {"sequential": Case(SEQUENTIAL, {"question": "R"})}
for name, text in THREADS.items():
    CASES |= {
        f"{name}, switches": Case(text, {"question": "R", "engine": "states", "switches": 2}),
        f"{name}, interference": Case(text, {"question": "R", "engine": "modular"}),
    }
    if name != "starts":
        CASES |= {
            f"{name}, states": Case(text, {"question": "R", "engine": "states"}),
            f"{name}, rounds": Case(text, {"question": "R", "engine": "states", "rounds": 2}),
            f"{name}, stacks": Case(text, {"question": "R", "engine": "stacks"}),
        }
CASES |= {
    f"model, {name}": Case(MODEL, {"question": "asserts", **options}, "a.zing")
    for name, options in (("all", {}), ("switches", {"switches": 2}), ("delays", {"delays": 1}))
}
CASES |= {
    "exceptions": Case(EXCEPTIONS, {"engine": "explicit"}, "a.zing"),
    "data": Case(DATA, {"engine": "explicit"}, "a.zing"),
    "reduced": Case(MODEL, {"engine": "explicit", "reduction": "all"}, "a.zing"),
    "calls": Case(ALONE, {"engine": "patterns"}, "a.zing"),
    "ends": Case(SEQUENTIAL.replace("if (*) then f(!p); fi", "skip;"), {"property": "termination"}),
    "holds": Case(SEQUENTIAL, {"property": "G (at(R) -> F ended)"}),
    "breaks": Case(SEQUENTIAL, {"property": "F {g}"}),
    "endless": Case(SEQUENTIAL, {"property": "termination"}),
    "fair threads": Case(BUSY, {"property": "F {x}", "fair": "weak", "engine": "explicit"}),
    "fair sets": Case(BUSY, {"property": "F {x}", "fair": "weak", "engine": "states"}),
    "fair sets of sections": Case(CRITICAL, {"property": "F {x}", "fair": "weak", "engine": "states"}),
    "no deadlock": Case(SECTIONS, {"question": "deadlock", "engine": "states"}),
    "unfair threads": Case(BUSY, {"property": "F at(main_2.L) & F {x}", "engine": "explicit"}),
    "deeper": Case(GROWS, {"property": "termination"}),
    "fair sections": Case(CRITICAL, {"property": "F {x}", "fair": "weak", "engine": "explicit"}),
    "unfair sections": Case(CRITICAL, {"property": "F {x}", "engine": "explicit"}),
    "fair model": Case(WAITS, {"property": "F {Main.stop}", "fair": "weak"}, "a.zing"),
    "unfair model": Case(WAITS, {"property": "F ended"}, "a.zing"),
    "a run": Case(SEQUENTIAL.replace("!h) then", "h) then"), {"question": "R"}),
    "a run of threads": Case(SECTIONS.replace("g := F; atomic_end", "atomic_end"), {"question": "R"}),
    "a run that starts threads": Case(STARTS.replace("if (p)", "if (!p)"), {"question": "R"}),
    "a run of a model": Case(MODEL.replace("x >= 1", "x >= 2"), {}, "a.zing"),
    "invariants": Case(CEILING, {"engine": "horn"}, "a.c"),
    "measures": Case(CEILING, {"property": "termination", "engine": "ranking"}, "a.c"),
    "all runs": Case(COUNTS, {"property": "termination", "engine": "search"}, "a.c"),
    "shapes": Case(LISTS, {"property": "memory", "engine": "shapes"}, "a.c"),
    "endless C": Case(ROUND, {"property": "termination", "engine": "search"}, "a.c"),
}


def proof_of(case: Case) -> tuple[Program, dict[str, Any]]:
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(case.text, file=case.file, evidence=evidence, **case.options)
    return result.program, json.loads(proof_to_text(result))


def variants(document: dict[str, Any], most: int) -> Iterator[dict[str, Any]]:
    """Yield documents with one entry of a list left out, or one number, truth value or null exchanged."""
    places = list(_places({name: part for name, part in document.items() if name not in ENVELOPE}, ()))
    for path in places[:: len(places) // most + 1]:
        changed = deepcopy(document)
        here: Any = changed
        for step in path[:-1]:
            here = here[step]
        old = here[path[-1]]
        if isinstance(old, bool):
            here[path[-1]] = not old
        elif isinstance(old, int):
            here[path[-1]] = 0 if old else 1
        elif old is None:
            here[path[-1]] = 0
        elif isinstance(old, str):
            here[path[-1]] = str(int(old) + 1)
        else:
            del here[path[-1]]
        yield changed


def _places(data: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    todo = [(data, path)]
    while todo:
        here, at = todo.pop()
        for key, part in here.items() if isinstance(here, dict) else enumerate(here):
            if not isinstance(part, str) or part.lstrip("-").isdecimal():
                if len(at) > 1 and not isinstance(part, dict):
                    yield (*at, key)
                if isinstance(part, list | dict):
                    todo.append((part, (*at, key)))


def is_believed(program: Program, document: dict[str, Any]) -> bool:
    try:
        kernel(program, document)
    except Refused:
        return False
    return True


def why_not(program: Program, document: dict[str, Any]) -> str:
    """Return why our own checker refuses a proof; empty where it does not."""
    try:
        check_proof_text(json.dumps(document), program, 1 << 12, Budget())
    except KnasterError as wrong:
        return str(wrong)
    return ""


FEW = {
    "starts, switches": 12,
    "invariants": 20,
    "measures": 20,
    "data": 2,
    "model, all": 15,
    "reduced": 15,
    "model, switches": 15,
    "fair sets": 20,
    "fair sets of sections": 10,
    "no deadlock": 15,
}  # they take longer
# about the form of runs the kernel is stricter
STRICTER = ("breaks", "unfair threads", "unfair sections", "deeper", "a run that starts threads", "all runs")
FORM = (
    "not numbered",
    "in order",
    "is none of the nodes",
    "this is no proof",
)  # of which only our own file format speaks


@pytest.mark.parametrize("name", CASES)
def test_nothing_can_be_left_out(name: str) -> None:
    compare(name, FEW.get(name, 45))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_no_part_at_all_can_be_left_out(name: str) -> None:
    compare(name, 1_000)


def compare(name: str, most: int) -> None:
    program, document = proof_of(CASES[name])
    assert is_believed(program, document)
    refused = believed = 0
    for changed in variants(document, most):
        why = why_not(program, changed)
        if is_believed(program, changed):
            believed += 1
            assert not why or any(word in why for word in FORM), (why, json.dumps(changed))
        else:
            refused += 1
            assert why or name in STRICTER, json.dumps(changed)
    assert refused > believed // 8
