"""Inputs of runs with memory: those of every thread, in the order in which they are read."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.evidence.traces.memory_inputs import lapses_in

pytest.importorskip("clang.cindex")
TWO_THREADS = """#include <pthread.h>
#include <assert.h>
int x;
int __VERIFIER_nondet_int(void);
void *f(void *a) {
  int v = __VERIFIER_nondet_int();
  if (v > 3) x = v + 2147483640;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int u = __VERIFIER_nondet_int();
  pthread_join(t, 0);
  assert(x != -2147483647 || u != 2);
}
"""


def test_inputs_of_all_threads_are_told() -> None:
    result = check(TWO_THREADS, file="p.c")
    assert sorted((one.line, one.value) for one in result.inputs) == [(6, 9), (13, 2)]


def test_an_overflow_of_another_thread_is_told() -> None:
    result = check(TWO_THREADS, file="p.c")
    assert result.trace is not None
    assert lapses_in(result.program, result.trace) == [("overflow", 7)]


def test_the_step_that_fails_reads_its_input() -> None:
    text = "int __VERIFIER_nondet_int(void);\nint main(void) { int a[2]; int *p = a; return p[0] / (*p + 1); }"
    result = check(text, file="p.c", property="safety")
    assert result.verdict.name == "FALSE"
    assert [one.value for one in result.inputs] == [-1]
