"""A result with a proof of each kind, by name, for tests that go through THE TABLE of proofs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import knaster
from knaster.checkers.heap.referred_table import find_referred_proof
from knaster.evidence.answers.answer import Result, Unreachable

SEQUENTIAL = """decl g;
void main()
begin
  g := F;
  f();
  if (g) then
    R: skip;
  fi
end
void f()
begin
  if (*) then
    f();
  fi
end
"""
THREADS = """decl g;
void one()
begin
  g := F;
end
void two()
begin
  decl x;
  x := g;
  if (x & !x) then
    R: skip;
  fi
end
void main()
begin
  skip;
end
"""
DECREASING = "int main(void) {{ int x = 5; while (x > 0) {{ x = x {0} 1; }} return 0; }}\n"
LOOP = """int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) { i = i + 1; }
  if (i != n) reach_error();
  return 0;
}
"""
MODEL = """class Start {
  static int x;
  static activate void main() {
    x = 1;
    async work();
    async work();
  }
  static void work() {
    assert(x >= 1);
    x = 2;
  }
};
"""
ALONE = """class Start {
  static int x;
  static activate void main() {
    x = 1;
    work();
    assert(x == 2);
  }
  static void work() {
    x = 2;
  }
};
"""
LOCKED = """class Start {
  static int x;
  static bool m;
  static bool n;
  static activate void main() {
    x = 1;
    async work();
    async work();
  }
  static void work() {
    atomic { select { wait(!m) -> m = true; } }
    x = x + 1;
    assert(x >= 1);
    m = false;
    n = true;
    n = false;
  }
};
"""
ASKED: dict[str, tuple[str, str, dict[str, Any]]] = {  # name and text of the file, and what is asked
    "path_edges": ("a.bp", SEQUENTIAL, {"question": "R"}),
    "configurations": ("a.bp", THREADS, {"question": "R", "threads": ["one", "two"], "engine": "states"}),
    "interference": ("a.bp", THREADS, {"question": "R", "threads": ["one", "two"], "engine": "modular"}),
    "stack_table": ("a.bp", THREADS, {"question": "R", "threads": ["one", "two"], "engine": "stacks"}),
    "state_table": ("a.zing", MODEL, {}),
    "referred_table": ("a.bp", SEQUENTIAL, {"question": "R", "engine": "patterns"}),
    "reduced_table": ("a.zing", LOCKED, {"engine": "explicit", "reduction": "all"}),
    "effect_table": ("a.zing", ALONE, {"engine": "patterns"}),
    "transaction_table": ("a.zing", LOCKED, {"engine": "transactions"}),
    "invariants": ("a.c", LOOP, {"engine": "horn"}),
    "unrolling": ("a.c", LOOP.replace("n < 0", "n < 0 || n > 3"), {"engine": "unrolled"}),
    "ranking": ("a.c", LOOP, {"property": "termination", "engine": "ranking"}),
    "all_runs": ("a.c", DECREASING.format("-"), {"property": "termination", "engine": "search"}),
    "memory_runs": (
        "a.c",
        "int main(void) { int x = 1, *p = &x; if (*p > 1) { ERROR: ; } return 0; }\n",
        {"property": "termination"},
    ),
    "memory_shapes": (
        "a.c",
        "#include <stdlib.h>\nint in(void); struct n { struct n *next; };\nint main(void) { struct n *l = 0; "
        "while (in()) { struct n *m = malloc(sizeof *m); m->next = l; l = m; } while (l) l = l->next; return 0; }\n",
        {"property": "memory", "engine": "shapes"},
    ),
    "memory_states": (
        "a.c",
        "#include <pthread.h>\nint x; void *f(void *a) { x = 1; return a; }\nint main(void) { pthread_t t; "
        "pthread_create(&t, 0, f, 0); if (x > 1) { ERROR: ; } return 0; }\n",
        {},
    ),
    "memory_paths": (
        "a.c",
        "int f(void);\nint main(void) { int x = f(), *p = &x; if (*p * 2 == 7) { ERROR: ; } return 0; }\n",
        {"property": "termination", "engine": "paths"},
    ),
    "regions": (
        "a.c",
        "int f(void);\nint main(void) { int n = f(), x = 0, *p = &x; if (n < 0) return 0; while (*p < n) *p += 1; "
        "if (x != n) { ERROR: ; } return 0; }\n",
        {"engine": "regions"},
    ),
    "reduced_threads": (
        "a.c",
        "#include <pthread.h>\nint y; void *g(void *a) { y = 1; return a; }\nint main(void) { "
        "pthread_t t; pthread_create(&t, 0, g, 0); if (y > 1) { ERROR: ; } return 0; }\n",
        {"property": "reach", "engine": "interleaved"},
    ),
    "guaranteed_threads": (
        "a.c",
        "#include <pthread.h>\nint y; void *g(void *a) { y = 1; return a; }\nint main(void) { "
        "pthread_t t; pthread_create(&t, 0, g, 0); if (y > 1) { ERROR: ; } return 0; }\n",
        {"property": "reach", "engine": "modular"},
    ),
    "ranks": ("a.bp", SEQUENTIAL, {"property": "G (at(R) -> F ended)"}),
    "lasso": ("a.c", DECREASING.format("&"), {"property": "termination", "engine": "search"}),
}
FAIR = {"property": "F ended", "threads": ["one", "two"], "fair": "weak"}
ASKED["fair_table"] = ("a.bp", THREADS, {**FAIR, "engine": "explicit"})
ASKED["fair_sets"] = ("a.bp", THREADS, {**FAIR, "engine": "states"})
ASKED["fair_effects"] = ("a.zing", ALONE, {"property": "F ended", "engine": "visible"})
ASKED["fair_states"] = ("a.zing", MODEL, {"property": "F ended", "fair": "weak"})
BUSY = "decl x := 0; void one() begin while (!x) do skip; od end void two() begin x := 1; end "
BUSY += "void main() begin skip; end\n"
ASKED["thread_lasso"] = ("a.bp", BUSY, {"property": "termination", "threads": ["one", "two"]})
TWO = {"question": "R", "threads": ["one", "two"]}
ASKED["sequential_program"] = ("a.bp", THREADS, {**TWO, "engine": "lazy", "switches": 1})
ASKED["run"] = ("a.bp", SEQUENTIAL.replace("g := F", "g := T"), {"question": "R"})
BOUNDED: dict[str, dict[str, Any]] = {
    "configurations": {"engine": "states", "switches": 1},
    "state_table": {"switches": 1},
}


@cache
def result_with(kind: str, bounded: bool = False) -> Result:
    """Return a result with a proof of a kind, about targets within a bound where that is wanted."""
    file, text, asked = ASKED[kind]
    more = BOUNDED[kind] if bounded else {}
    found = knaster.check(text, file=file, evidence=knaster.Evidence(proofs=True), **{**asked, **more})
    return _refer(found) if kind == "referred_table" else found


def _refer(result: Result) -> Result:
    """Return a result whose proofs are about its own program, not about the one with references that it was made."""
    asked = tuple(target for target, _ in result.answers)
    answers = tuple(
        (target, replace(answer, proof=find_referred_proof(result.program, asked, answer.proof)))
        for target, answer in result.answers
        if isinstance(answer, Unreachable)
    )
    return replace(result, answers=answers)
