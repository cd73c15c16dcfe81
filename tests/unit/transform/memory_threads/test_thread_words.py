"""Words of threads over integers do what the machine does: both ways to decide say the same."""

from __future__ import annotations

import pytest

import knaster
from support.c_thread_texts import HEAD, two_threads

pytest.importorskip("clang.cindex")

LOCKED = "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);"
RW = "pthread_rwlock_t l;"
PROGRAMS = {
    "a mutex": two_threads(LOCKED, LOCKED, "pthread_join(a, 0); pthread_join(b, 0); assert(x == 2);"),
    "no mutex": two_threads("x = x + 1;", LOCKED, "pthread_join(a, 0); pthread_join(b, 0); assert(x == 2);"),
    "a try fails": two_threads(LOCKED, "int r = pthread_mutex_trylock(&m); assert(r == 0);"),
    "a try": two_threads(LOCKED, "int r = pthread_mutex_trylock(&m); assert(r == 0 || r == 16);"),
    "joined twice": two_threads("x = 1;", "", "pthread_join(a, 0); int r = pthread_join(a, 0); assert(r == 3);"),
    "not joined": two_threads("x = 1;", "", "pthread_join(b, 0); assert(x == 1);"),
    "a result": two_threads("return &x;", "", "void *r; pthread_join(a, &r); assert(r == &x);"),
    "no thread": two_threads("", "", "int r = pthread_join(77, 0); assert(r == 3);"),
    "itself": two_threads("", "", "int r = pthread_join(pthread_self(), 0); assert(r == 35);"),
    "equal": two_threads("", "", "assert(!pthread_equal(a, b) && pthread_equal(a, a));"),
    "an end": two_threads("x = 1; pthread_exit(0); x = 2;", "", "pthread_join(a, 0); assert(x == 1);"),
    "a semaphore": two_threads(
        "x = 1; sem_post(&s);", "sem_wait(&s); assert(x == 1);", before="sem_init(&s, 0, 0);"
    ).replace("int x, y;", "int x, y; sem_t s;"),
    "an empty semaphore": two_threads(
        "sem_post(&s);", "int r = sem_trywait(&s); assert(r == 0);", before="sem_init(&s, 0, 0);"
    ).replace("int x, y;", "int x, y; sem_t s;"),
    "readers": two_threads(
        "pthread_rwlock_rdlock(&l); assert(x == y); pthread_rwlock_unlock(&l);",
        "pthread_rwlock_wrlock(&l); x = 1; y = 1; pthread_rwlock_unlock(&l);",
    ).replace("int x, y;", f"int x, y; {RW}"),
    "readers that write": two_threads(
        "pthread_rwlock_rdlock(&l); assert(x == y); pthread_rwlock_unlock(&l);",
        "pthread_rwlock_rdlock(&l); x = 1; y = 1; pthread_rwlock_unlock(&l);",
    ).replace("int x, y;", f"int x, y; {RW}"),
    "a busy mutex": two_threads(LOCKED, "int r = pthread_mutex_destroy(&m); assert(r == 0);"),
    "a section": two_threads(
        "__VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin(); assert(x == y); __VERIFIER_atomic_end();",
    ),
    "half a section": two_threads(
        "__VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end();", "int a = x; assert(a == y);"
    ),
    "an argument": f"""{HEAD}
void *one(void *p) {{ int *q = p; *q = *q + 1; return 0; }}
int main(void) {{ pthread_t a; int n = 4; pthread_create(&a, 0, one, &n); pthread_join(a, 0); assert(n == 5);
return 0; }}
""",
    "an end without a join": two_threads("x = 1;", "", "assert(x == 0);"),
    "blocked after a step": two_threads("x = 1; __VERIFIER_assume(0);", "", "assert(x == 0);"),
    "a call": two_threads("bump(); bump();", "", "pthread_join(a, 0); assert(x == 2);").replace(
        "void *one", "void bump(void) { x = x + 1; }\nvoid *one", 1
    ),
    "a call that is interrupted": two_threads(
        "bump();", "bump();", "pthread_join(a, 0); pthread_join(b, 0); assert(x == 2);"
    ).replace("void *one", "void bump(void) { x = x + 1; }\nvoid *one", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_interleavings_say_what_states_say(name: str) -> None:
    said = knaster.check(PROGRAMS[name], file="a.c", property="reach", engine="explicit")
    again = knaster.check(PROGRAMS[name], file="a.c", property="reach", engine="interleaved")
    assert again.verdict is said.verdict is not knaster.Verdict.UNKNOWN
    rounds = knaster.check(PROGRAMS[name], file="a.c", property="reach", engine="rounds", rounds=3)
    assert (rounds.verdict is knaster.Verdict.FALSE) is (said.verdict is knaster.Verdict.FALSE)
    assert rounds.verdict is not knaster.Verdict.TRUE


@pytest.mark.parametrize("engine", ["interleaved", "rounds"])
def test_unlocking_what_is_not_held(engine: str) -> None:
    text = two_threads("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", "pthread_mutex_unlock(&m);")
    result = knaster.check(text, file="a.c", property="safety", engine=engine)
    said = {target.name: type(answer).__name__ for target, answer in result.answers}
    assert said == {
        "lock:11": "Reachable",
        "lock:12": "Reachable",
        "call:14:1": "Unreachable",
        "call:14:32": "Unreachable",
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (two_threads("pthread_mutexattr_t t; pthread_mutexattr_init(&t);", ""), "'pthread_mutexattr_init'"),
        (two_threads("", "", "pthread_exit(0);"), "'pthread_exit' in main"),
        (two_threads("int *p2 = (int *)p; p2 = (int *)8;", ""), "a number is made a pointer"),
    ],
)
def test_what_is_not_known_is_refused_by_name(text: str, why: str) -> None:
    result = knaster.check(text, file="a.c", property="safety", engine="interleaved")
    assert result.verdict is knaster.Verdict.UNKNOWN and why in result.reason


def test_a_start_that_control_does_not_get_to() -> None:
    """It was no thread, and looking for its number was an internal error."""
    text = two_threads("", "", "return 0; pthread_create(&a, 0, one, 0); assert(x == 1);")
    for engine in ("interleaved", "rounds", "modular"):
        result = knaster.check(text, file="a.c", property="reach", engine=engine)
        assert result.verdict is not knaster.Verdict.FALSE and "threads are not" not in result.reason
