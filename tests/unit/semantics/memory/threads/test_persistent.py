"""Threads that move alone: fewer states where nobody is concerned, and the same things found."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.semantics.memory.threads.exploration import ThreadExploration
from knaster.semantics.memory.threads.footprints import POINTER_READ, POINTER_WRITE, Footprints

pytest.importorskip("clang.cindex")
TEXT = """#include <pthread.h>
int x, y, z, *p;
void *f(void *a) { x = 1; x = 2; x = 3; x = 4; return 0; }
void *g(void *a) { y = 1; y = 2; y = 3; y = 4; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); return z; }
"""


def count(text: str, alone: bool) -> int:
    exploration = ThreadExploration(load(text, file="p.c"), (), frozenset(), None, 10_000)
    if not alone:
        exploration.persistent = None
    assert list(exploration.found(lambda: None)) == []
    return len(exploration.states)


def test_threads_that_share_nothing_need_no_order() -> None:
    together, alone = count(TEXT, False), count(TEXT, True)
    assert together > 50
    assert alone < 20


def test_threads_that_share_something_do() -> None:
    text = TEXT.replace("y", "x")
    assert count(text, True) > 30


def test_what_may_still_be_used() -> None:
    program = load(TEXT.replace("return z;", "p = &z; return *p;"), file="p.c")
    footprints = Footprints(program)
    first = program.procedure("f")
    own = footprints.at("f", first.entry)
    assert own & footprints.conflicts("x", False)
    assert not own & footprints.conflicts("y", True)
    assert not footprints.at("f", first.exit)
    assert footprints.at("main", program.procedure("main").entry) & POINTER_READ
    assert footprints.conflicts("z", False) & POINTER_WRITE
    assert not footprints.conflicts("x", False) & POINTER_WRITE
