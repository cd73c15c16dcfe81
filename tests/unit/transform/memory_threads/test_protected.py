"""What a mutex protects needs no interruption; what is used once without it does."""

from __future__ import annotations

import pytest

from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load
from knaster.transform.memory_threads.protected import Protection
from knaster.transform.memory_threads.shared_program import SharedProgram, share
from support.c_thread_texts import COUNTER, two_threads

pytest.importorskip("clang.cindex")
LOCKED = "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);"


def _shared(text: str) -> SharedProgram:
    program = load(text, file="a.c")
    return share(program, default_targets(program))


def _protected(text: str) -> frozenset[str]:
    shared = _shared(text)
    return Protection(shared.program, shared.copied, frozenset(shared.shared)).protected


def test_what_everybody_uses_under_a_mutex_is_protected() -> None:
    assert _protected(COUNTER) == {"x", "y"}
    assert _protected(two_threads(LOCKED, LOCKED)) == {"x"}


@pytest.mark.parametrize(
    "second",
    [
        "x = 2;",
        "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x = 2;",
        "if (any()) pthread_mutex_lock(&m); x = 2;",
        "pthread_mutex_unlock(&m); pthread_mutex_lock(&m); x = 2;",
        "pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); x = 2;",
        "if (pthread_mutex_trylock(&m)) x = 2;",
        "pthread_mutex_t *q = any() ? &m : &n; pthread_mutex_lock(q); x = 2;",
    ],
)
def test_what_is_used_without_it_is_not(second: str) -> None:
    text = two_threads(LOCKED, second).replace("int x, y;", "int x, y; pthread_mutex_t n;")
    assert _protected(text) == set()


def test_before_there_are_threads_nobody_needs_a_mutex() -> None:
    assert _protected(two_threads(LOCKED, LOCKED, before="x = any();")) == {"x"}


def test_threads_are_interrupted_after_what_others_notice_alone() -> None:
    shared = _shared(two_threads(LOCKED, LOCKED))
    again = _shared(two_threads("x = x + 1;", "x = x + 1;"))
    assert len(shared.points["one@2"]) == 2  # where it begins, and where the mutex was given back
    assert len(again.points["one@2"]) == 3
