"""The replay of runs of threads with memory: another order of steps, or another thread, is no run."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.runs.replay_memory_threads import reasons_to_wait, replay_threads
from knaster.evidence.answers.answer import Reachable, Result
from knaster.evidence.traces.trace import Segment, Trace

pytest.importorskip("clang.cindex")
TEXT = """#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m, n;
void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); x = x + 1; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&n); pthread_mutex_lock(&m); x = x + 1;
  assert(x != 1); return 0; }
"""


def run_of(property: str) -> tuple[Result, Trace]:
    result = check(TEXT, file="p.c", property=property)
    ((_, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    return result, answer.trace


def test_a_deadlock_says_where_each_thread_waits() -> None:
    result, trace = run_of("deadlock")
    target = result.answers[0][0]
    failure = replay_threads(result.program, trace, target)
    assert failure is not None and failure.kind == "deadlock"
    assert reasons_to_wait(result.program, trace) == [
        "thread 1 waits in main at line 8",
        "thread 2 waits in f at line 5",
    ]


def test_other_runs_are_refused() -> None:
    result, trace = run_of("deadlock")
    target = result.answers[0][0]
    shorter = replace(trace, segments=trace.segments[:-1])
    turned = replace(trace, segments=trace.segments[::-1])
    other = replace(trace, segments=(*trace.segments[:-1], Segment(3, trace.segments[-1].paths)))
    for wrong in (shorter, turned, other):
        with pytest.raises(InternalError):
            replay_threads(result.program, wrong, target)


def test_a_run_to_a_place() -> None:
    result, trace = run_of("reach")
    target = result.answers[0][0]
    assert replay_threads(result.program, trace, target) is None
    with pytest.raises(InternalError):
        replay_threads(result.program, trace, replace(target, location=0))
