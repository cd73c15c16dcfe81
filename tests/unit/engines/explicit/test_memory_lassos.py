"""Whether every run of threads of C ends: small programs, for all runs, weakly fair and strongly fair ones."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.base.limits import Budget
from knaster.checkers.files import examine, proof_to_text
from knaster.frontends.languages import load

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
pthread_mutex_t m, n; pthread_cond_t c; atomic_int g, t; int x;
"""
MAIN = "int main() { pthread_t a; pthread_create(&a, 0, f, 0); REST }\n"
JOIN = "pthread_join(a, 0); return 0;"
CASES = {  # what the thread does, what main does then, and what is said of all, weakly fair and strongly fair runs
    "a mutex": ("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "f(0);" + JOIN, "TTT"),
    "who waits for a flag in a loop": ("g = 1;", "while (!g); " + JOIN, "FTT"),
    "a flag that nobody sets": ("", "while (!g); " + JOIN, "FFF"),
    "main ends": ("while (1);", "return 0;", "FTT"),
    "main waits for who never ends": ("while (1);", JOIN, "FFF"),
    "a deadlock is no run that goes on": ("pthread_mutex_lock(&m); pthread_mutex_lock(&n);",
                                          "pthread_mutex_lock(&n); pthread_mutex_lock(&m); return 0;", "TTT"),
    "two who wake each other": ("while (1) { while (t != 1); t = 0; }", "while (1) { while (t != 0); t = 1; }", "FFF"),
    "a lock that is free again and again": (
        "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
        "int d = 0; while (!d) { pthread_mutex_lock(&m); d = x; pthread_mutex_unlock(&m); } return 0;", "FFT"),
    "inputs that let it go on": ("while (__VERIFIER_nondet_int() > 3);", JOIN, "FFF"),
    "an input of one round is looked at in the next": (
        "int e = __VERIFIER_nondet_int(), d = e; while (e > 7) { e = d; d = __VERIFIER_nondet_int(); }", JOIN, "FFF"),
    "an input that is counted down": ("int k = __VERIFIER_nondet_int(); if (k < 0 || k > 5) return 0; while (k) k--;",
                                      JOIN, "TTT"),
    "a condition": ("pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
                    "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);" + JOIN, "TTT"),
    "a section without an end": ("__VERIFIER_atomic_begin(); while (1) x = !x; __VERIFIER_atomic_end();", JOIN, "FFF"),
    "new objects each time": ("while (1) { int *p = malloc(4); *p = 1; free(p); }", JOIN, "FFF"),
    "objects that are lost": ("while (1) { int *p = malloc(4); *p = 1; }", JOIN, "FFF"),
    "an exit for all": ("exit(0);", "while (1); return 0;", "FTT"),
    "an assumption that does not hold": ("g = 1;", "__VERIFIER_assume(g); return 0;", "TTT"),
}  # fmt: skip


def text_of(name: str) -> str:
    inside, rest, _ = CASES[name]
    return HEAD + f"void *f(void *b) {{ {inside} return 0; }}\n" + MAIN.replace("REST", rest)


@pytest.mark.parametrize("name", CASES)
def test_each(name: str) -> None:
    for fair, letter in zip(("none", "weak", "strong"), CASES[name][2], strict=True):
        found = check(text_of(name), file="p.c", property="termination", fair=fair)
        assert found.verdict.name[0] == letter, fair


def test_recursion_of_threads_ends() -> None:
    text = "void r(int k) { if (k > 0) { x++; r(k - 1); } }\nvoid *f(void *b) { r(3); return 0; }\n"
    found = check(HEAD + text + MAIN.replace("REST", "r(2);" + JOIN), file="p.c", property="termination")
    assert found.verdict.name == "TRUE"


def test_states_without_end_leave_it_open_and_a_cycle_among_those_that_were_seen_is_a_run() -> None:
    counts = HEAD + "void *f(void *b) { unsigned k = 0; while (!g) { k++; x = !x; } return 0; }\n"
    some = check(counts + MAIN.replace("REST", JOIN), file="p.c", property="termination", engine="explicit", states=300)
    assert some.verdict.name == "UNKNOWN" and "300 states" in some.reason
    spins = counts + MAIN.replace("REST", "while (!t); return 0;")
    assert check(spins, file="p.c", property="termination", engine="explicit", states=300).verdict.name == "FALSE"


def test_a_bound_is_refused_and_so_are_formulas() -> None:
    text = text_of("a mutex")
    for asked in ({"property": "termination", "switches": 2}, {"property": "F ended"}):
        with pytest.raises(Exception, match="no engine can answer this"):
            check(text, file="p.c", **asked)


@pytest.mark.parametrize("name", ["two who wake each other", "inputs that let it go on", "a mutex"])
@pytest.mark.parametrize("fair", ["none", "strong"])
def test_saved_runs_and_proofs_are_checked_again(name: str, fair: str) -> None:
    found = check(text_of(name), file="p.c", property="termination", fair=fair)
    program = load(text_of(name), file="p.c")
    again = examine(proof_to_text(found), program, 1 << 16, Budget())
    assert again.endless is (found.verdict.name == "FALSE")
