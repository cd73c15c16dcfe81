"""Threads over integers: proofs for every number of switches where states have no end, and runs that fail."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.proofs.memory.reduced_threads import ReducedThreads
from support.c_thread_texts import COUNTER

pytest.importorskip("clang.cindex")

FLAG = """#include <assert.h>
#include <pthread.h>
int any(void);
int data, ready, n;
void *producer(void *p) { int i; for (i = 0; i < n; i++) data = data + 1; ready = 1; return 0; }
int main(void) {
    pthread_t a;
    n = any();
    if (n < 0) return 0;
    pthread_create(&a, 0, producer, 0);
    if (ready) assert(data == n);
    assert(data <= n);
    return 0;
}
"""


@pytest.mark.parametrize("text", [COUNTER, FLAG])
def test_unbounded_inputs(text: str) -> None:
    result = knaster.check(text, file="a.c", property="reach", engine="interleaved")
    assert result.verdict is knaster.Verdict.TRUE
    for _, answer in result.answers:
        assert isinstance(answer, knaster.Unreachable) and answer.checked and answer.bound is None
        assert isinstance(answer.proof, ReducedThreads) and answer.proof.bound is None


def test_the_same_without_the_lock_fails() -> None:
    text = COUNTER.replace("pthread_mutex_lock(&m); x", "x", 1).replace(
        "y = y + n; pthread_mutex_unlock(&m);", "y = y + n;", 1
    )
    result = knaster.check(text, file="a.c", property="reach", engine="interleaved")
    assert result.verdict is knaster.Verdict.FALSE and result.trace is not None


@pytest.mark.slow
def test_auto_asks_it_where_states_have_no_end() -> None:
    result = knaster.check(FLAG, file="a.c", property="reach")
    assert result.verdict is knaster.Verdict.TRUE and str(result.stats["method"]).startswith("interleaved")


def test_bounds_are_not_its_question() -> None:
    with pytest.raises(UsageError, match="does not count switches"):
        knaster.check(FLAG, file="a.c", property="reach", engine="interleaved", switches=2)
