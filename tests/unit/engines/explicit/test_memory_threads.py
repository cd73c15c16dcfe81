"""Threads of C: each undefined step has its own answer, whatever else is asked."""

from __future__ import annotations

from typing import Any

import pytest

from knaster import Reachable, check
from knaster.base.errors import UsageError

pytest.importorskip("clang.cindex")
TEXT = """#include <pthread.h>
#include <stdlib.h>
int *shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *reader(void *arg) {
  int limit = *(int *)arg;
  pthread_mutex_lock(&m);
  int x = shared[limit];
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  return (void *)(long)(10 / (x - 3));
}
int main(void) {
  int n = 2; pthread_t t;
  shared = calloc(3, sizeof *shared);
  shared[2] = 3;
  pthread_create(&t, NULL, reader, &n);
  n = 1;
  free(shared);
  pthread_join(t, NULL);
  return 0;
}
"""


def _reached(text: str, target: str | None = None) -> set[str]:
    result = check(text, target, file="p.c") if target else check(text, file="p.c", property="safety")
    assert all(answer.checked for _, answer in result.answers), result
    return {target.name for target, answer in result.answers if isinstance(answer, Reachable)}


def test_each_undefined_step_has_its_own_answer() -> None:
    """The division comes after the second unlock: a run goes on there for whoever asks for the division."""
    assert _reached(TEXT) == {"dead:8", "lock:10", "division:11"}


@pytest.mark.parametrize(
    ("target", "reached"), [("lock:10", {"lock:10"}), ("lock:9", set()), ("division:11", {"division:11"})]
)
def test_one_of_them(target: str, reached: set[str]) -> None:
    assert _reached(TEXT, target) == reached


def test_without_mistakes() -> None:
    text = TEXT.replace("free(shared);\n", "").replace("return 0;", "free(shared); return 0;").replace("- 3", "- 4")
    assert _reached(text.replace("  pthread_mutex_unlock(&m);\n", "", 1)) == set()


def test_names_of_objects_need_no_target() -> None:
    result = check(TEXT, file="p.c", property="safety")
    lines = {target.line for target, _ in result.answers if target.kind in ("null", "bounds")}
    assert lines == {6, 8, 16}  # not where `&m` and `&t` are given to words of threads


def test_a_line_without_such_a_step() -> None:
    with pytest.raises(UsageError, match="'bounds' is asked for at lines 6, 8, 16"):
        check(TEXT, "bounds:9", file="p.c")


LAST = """#include <pthread.h>
#include <assert.h>
int a, c;
void *f(void *p) { a = 1; int r = c; assert(r == 0); return 0; }
void *g(void *p) { c = 1; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
  pthread_join(t, 0); pthread_join(u, 0);
}
"""


@pytest.mark.parametrize(
    ("bound", "verdict"),
    [
        ({"switches": 1}, "UNKNOWN"),
        ({"switches": 2}, "FALSE"),  # g, then f: not the same as f after its first step, then g
        ({"rounds": 1}, "UNKNOWN"),
        ({"rounds": 2}, "FALSE"),
        ({"preemptions": 0}, "FALSE"),  # main waits, and whoever runs after it costs nothing
        ({"delays": 0}, "UNKNOWN"),
        ({"delays": 1}, "FALSE"),
    ],
)
def test_who_ran_last_and_who_waits_count(bound: dict[str, int], verdict: str) -> None:
    given: dict[str, Any] = dict(bound)
    assert check(LAST, file="p.c", property="reach", **given).verdict.name == verdict
