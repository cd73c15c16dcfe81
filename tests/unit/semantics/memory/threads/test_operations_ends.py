"""Numbers of threads, threads on their own, and whether a thread can be cancelled."""

from __future__ import annotations

import pytest

from knaster import check

pytest.importorskip("clang.cindex")

HEAD = """#include <assert.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>
int x, y;
pthread_mutex_t m;
pthread_cond_t c;
"""
START = "pthread_t t; pthread_create(&t, 0, f, 0);"
CASES: dict[str, tuple[str, str, str]] = {  # the program, the property, and what is to be said
    "who is who": (
        """
void *f(void *a) { return 0; }
int main() { START pthread_t s = pthread_self(); assert(pthread_equal(s, pthread_self()) && !pthread_equal(s, t)); }
""",
        "reach",
        "TRUE",
    ),
    "nobody waits for a thread that is on its own": (
        """
void *f(void *a) { while (!x); return 0; }
int main() { START
  assert(pthread_detach(t) == 0 && pthread_detach(t) == 22 && pthread_detach((pthread_t)99) == 3); }
""",
        "reach",
        "TRUE",
    ),
    "a thread that was awaited": (
        """
void *f(void *a) { return 0; }
int main() { START pthread_join(t, 0); assert(pthread_detach(t) != 0); }
""",
        "reach",
        "TRUE",
    ),
    "what was said of cancelling": (
        """
int main() {
  int k = 7; pthread_mutex_lock(&m);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &k); assert(k == PTHREAD_CANCEL_ENABLE);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &k); assert(k == PTHREAD_CANCEL_DISABLE);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &k); assert(k == PTHREAD_CANCEL_ENABLE); }
""",
        "reach",
        "TRUE",
    ),
    "a thread that cannot be cancelled": (
        """
void *f(void *a) { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); pthread_testcancel(); x = 1; return 0; }
int main() { START pthread_cancel(t); pthread_join(t, 0); assert(x == 1); }
""",
        "reach",
        "TRUE",
    ),
    "a thread that can be cancelled again": (
        """
void *f(void *a) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_testcancel(); x = 1; return 0; }
int main() { START pthread_cancel(t); pthread_join(t, 0); assert(x == 1); }
""",
        "reach",
        "FALSE",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_can_happen(name: str) -> None:
    body, asked, expected = CASES[name]
    result = check(HEAD + body.replace("START", START), file="p.c", property=asked)
    assert result.verdict.name == expected, result.reason
    assert all(answer.checked for _, answer in result.answers)
