"""All states of threads with memory by the kernel: right proofs are accepted, wrong ones refused."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.frontends.languages import load
from knaster_check import Refused
from knaster_check.memory import states
from knaster_check.refused import Unsupported
from support.kernel import document, kernel

HEAD = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n_Bool __VERIFIER_nondet_bool(void);\n"
HEAD += "int __VERIFIER_nondet_int(void); int x, y; pthread_mutex_t m; sem_t s; pthread_cond_t c;\n"
TAKE, GIVE = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
ADD = "int t = x; t++; x = t;"


def program(thread: str, main: str) -> Any:
    text = f"{HEAD}void *f(void *a) {{ {thread} return a; }}\nint main(void) {{ pthread_t p, q; {main} return 0; }}\n"
    return load(text, file="a.c", objects="always")


def believed(thread: str, main: str, target: str = "ERROR") -> bool:
    made = program(thread, main)
    fields = {"states_of_memory": {"states": 1, "strict": [], "vague": False}}
    proof = document(made, fields, excludes=target == "ERROR")
    if target != "ERROR":
        proof["targets"] = [{"name": target, "procedure": "", "location": 0}]
    try:
        verdict = kernel(made, proof)
        assert min(verdict.answered["states"], verdict.answered["steps"]) > 0
        return verdict.claim == "unreachable"
    except Unsupported:
        raise
    except Refused as refused:
        assert "a run" in refused.reason
        return False


BOTH = "pthread_create(&p, 0, f, 0); pthread_create(&q, 0, f, 0); pthread_join(p, 0); pthread_join(q, 0);"
CASES = [  # a thread, main, a target, and whether it is unreachable
    (ADD, f"{BOTH} if (x != 2) ERROR: ;", "ERROR", False),
    (f"{TAKE} {ADD} {GIVE}", f"{BOTH} if (x != 2) ERROR: ;", "ERROR", True),
    (f"__VERIFIER_atomic_begin(); {ADD} __VERIFIER_atomic_end();", f"{BOTH} if (x != 2) ERROR: ;", "ERROR", True),
    ("ERROR: x = 1;", "pthread_create(&p, 0, f, 0);", "ERROR", False),  # a thread begins there
    (f"ERROR: {TAKE}", f"{TAKE} pthread_create(&p, 0, f, 0); {TAKE}", "ERROR", False),  # and waits there
    ("ERROR: x = 1;", "", "ERROR", True),
    ("", "ERROR: x = 1;", "ERROR", False),
    ("x = 1;", "pthread_create(&p, 0, f, 0); if (x == 1) ERROR: ;", "ERROR", False),
    ("x = 1;", "pthread_create(&p, 0, f, 0); if (x == 2) ERROR: ;", "ERROR", True),
    ("x = 1; y = 1;", "pthread_create(&p, 0, f, 0); int b = y, a = x; if (b && !a) ERROR: ;", "ERROR", True),
    ("x = 1; y = 1;", "pthread_create(&p, 0, f, 0); int a = x, b = y; if (b && !a) ERROR: ;", "ERROR", False),
    ("int n = 0; n = 1 / n;", "pthread_create(&p, 0, f, 0); x = 1; if (x) ERROR: ;", "ERROR", False),
    ("int n = 0; n = 1 / n;", "pthread_create(&p, 0, f, 0);", "division", False),
    ("if (__VERIFIER_nondet_bool()) x = 3;", "pthread_create(&p, 0, f, 0); if (x == 3) ERROR: ;", "ERROR", False),
    ("sem_post(&s);", "sem_init(&s, 0, 0); pthread_create(&p, 0, f, 0); sem_wait(&s); if (x) ERROR: ;", "ERROR", True),
    (f"{TAKE}", BOTH, "deadlock", False),
    ("", f"x = 1; {TAKE} {TAKE}", "deadlock", False),
    ("", "x = 1; exit(0); ERROR: ;", "ERROR", True),
    ("free(a);", "int *b = malloc(4); pthread_create(&p, 0, f, b);", "leak", False),
    ("free(a);", "int *b = malloc(4); pthread_create(&p, 0, f, b); pthread_join(p, 0);", "leak", True),
    (f"{TAKE} {GIVE}", BOTH, "deadlock", True),
    (
        f"{TAKE} x = 1; pthread_cond_signal(&c); {GIVE}",
        f"pthread_create(&p, 0, f, 0); {TAKE} while (!x) pthread_cond_wait(&c, &m); {GIVE}",
        "deadlock",
        True,
    ),
    (
        f"{TAKE} x = 1; pthread_cond_signal(&c); {GIVE}",
        f"pthread_create(&p, 0, f, 0); {TAKE} pthread_cond_wait(&c, &m); {GIVE}",
        "deadlock",
        False,
    ),
    ("*(int *)a = 1;", "int own = 0; pthread_create(&p, 0, f, &own); if (own) ERROR: ;", "ERROR", False),
    ("x = *(int *)a;", "{ int own = 0; pthread_create(&p, 0, f, &own); } x = 1; x = 2; x = 3;", "dead", False),
    ("x = *(int *)a;", "int own = 0; pthread_create(&p, 0, f, &own); x = 1;", "dead", True),  # main is over at once
]


@pytest.mark.parametrize(("thread", "main", "target", "holds"), CASES)
def test_a_proof_is_judged(thread: str, main: str, target: str, holds: bool) -> None:
    assert believed(thread, main, target) is holds


@pytest.mark.parametrize(
    ("thread", "main", "target", "reason"),
    [
        (
            "x = __VERIFIER_nondet_int();",
            "pthread_create(&p, 0, f, 0); if (x == 3) ERROR: ;",
            "ERROR",
            "too many values",
        ),
        ("x = 1;", "pthread_create(&p, 0, f, 0); x = 2;", "race", "races"),
    ],
)
def test_what_is_not_known_is_not_judged(thread: str, main: str, target: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        believed(thread, main, target)


def ends(thread: str, main: str, **more: str) -> bool:
    made = program(thread, main)
    fields = {"states_of_memory": {"states": 1, "strict": [], "vague": False, **more}}
    try:
        return kernel(made, document(made, fields, excludes=False)).claim == "ends"
    except Unsupported:
        raise
    except Refused as refused:
        assert "a run never ends" in refused.reason
        return False


@pytest.mark.parametrize(
    ("thread", "main", "holds"),
    [
        (f"{TAKE} {ADD} {GIVE}", BOTH, True),
        ("x = 1;", "pthread_create(&p, 0, f, 0); while (!x);", False),
        ("while (1);", "pthread_create(&p, 0, f, 0);", False),
        ("while (1) x = !x;", "pthread_create(&p, 0, f, 0); pthread_join(p, 0);", False),
        (f"{TAKE}", BOTH, True),  # a deadlock is no run that goes on
        ("for (int i = 0; i < 3; i++) x = i;", BOTH, True),
        ("while (__VERIFIER_nondet_bool());", "pthread_create(&p, 0, f, 0); pthread_join(p, 0);", False),
    ],
)
def test_that_every_run_ends_is_judged(thread: str, main: str, holds: bool) -> None:
    assert ends(thread, main) is holds


REDUCED: dict[str, Any] = {"bound": None, "asked": [], "proof": {}}


APART: dict[str, Any] = {"asked": [], "guarantees": [], "shows": False, "proofs": []}


@pytest.mark.parametrize("fields", [{"reduced_threads": REDUCED}, {"guaranteed_threads": APART}])
@pytest.mark.parametrize(("value", "holds"), [(2, True), (1, False)])
def test_of_sequential_programs_for_threads_nothing_is_believed(
    value: int, holds: bool, fields: dict[str, Any]
) -> None:
    made = program("x = 1;", f"pthread_create(&p, 0, f, 0); if (x == {value}) ERROR: ;")
    proof = document(made, fields)
    if holds:
        assert kernel(made, proof).claim == "unreachable"
        return
    with pytest.raises(Refused, match="a run reaches it"):
        kernel(made, proof)


def test_within_a_bound_or_beyond_so_many_states_it_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    made = program("x = 1;", "pthread_create(&p, 0, f, 0); if (x == 2) ERROR: ;")
    with pytest.raises(Unsupported, match="counts no rounds"):
        kernel(made, document(made, {"reduced_threads": {**REDUCED, "bound": ["rounds", 2]}}))
    with pytest.raises(Refused, match="reduced_threads"):
        kernel(made, document(made, {"reduced_threads": {**REDUCED, "program": "{}"}}))
    with pytest.raises(Refused, match="guaranteed_threads"):
        kernel(made, document(made, {"guaranteed_threads": {**APART, "more": 1}}))
    monkeypatch.setattr(states, "MOST", 2)
    with pytest.raises(Unsupported, match="more than 2 states"):
        kernel(made, document(made, {"reduced_threads": REDUCED}))


SPIN = "pthread_create(&p, 0, f, 0); while (!x) y = 0;"
HOLDS = f"pthread_create(&p, 0, f, 0); while (!x) {{ {TAKE} while (!x && __VERIFIER_nondet_bool()) y = 0; {GIVE} }}"
OFTEN = f"while (1) {{ {TAKE} y = !y; {GIVE} }}"


@pytest.mark.parametrize(
    ("thread", "main", "fair", "holds"),
    [
        ("x = 1;", SPIN, "none", False),
        ("x = 1;", SPIN, "weak", True),
        ("x = 1;", SPIN, "strong", True),
        ("", SPIN, "weak", False),
        ("x = __VERIFIER_nondet_bool();", SPIN, "strong", False),
        (OFTEN, f"pthread_create(&p, 0, f, 0); {TAKE} {GIVE}", "weak", False),
        (OFTEN, f"pthread_create(&p, 0, f, 0); {TAKE} {GIVE}", "strong", True),
        (OFTEN, f"{TAKE} pthread_create(&p, 0, f, 0); {GIVE} while (1) {{ {TAKE} {GIVE} }}", "strong", False),
        (TAKE, "pthread_create(&p, 0, f, 0); while (1) { y = !y; }", "strong", False),
        (f"{TAKE} x = 1; {GIVE}", HOLDS, "strong", False),
        (f"{TAKE} x = 1; {GIVE}", HOLDS.replace("__VERIFIER_nondet_bool()", "0"), "strong", True),
    ],
)
def test_that_fair_runs_end_is_judged(thread: str, main: str, fair: str, holds: bool) -> None:
    assert ends(thread, main, fair=fair) is holds


@pytest.mark.parametrize("fair", ["", "fair", 1, None, ["weak"]])
def test_another_fairness_is_none(fair: Any) -> None:
    made = program("x = 1;", SPIN)
    with pytest.raises(Refused, match="no such fairness"):
        kernel(made, document(made, {"states_of_memory": {"states": 1, "strict": [], "vague": False, "fair": fair}}))
    made = program("x = 1;", "pthread_create(&p, 0, f, 0); if (x == 2) ERROR: ;")
    data = {"states_of_memory": {"states": 1, "strict": [], "vague": False, "fair": "weak"}}
    with pytest.raises(Refused, match="no such fairness"):
        kernel(made, document(made, data))  # a target is no question about fair runs
