"""Machines that go on by themselves: a copy shares nothing with the first that a step may change."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.threads.machine import ThreadedMachine

pytest.importorskip("clang.cindex")
TEXT = """#include <pthread.h>
int x; _Thread_local int y;
void *f(void *a) { x = 1; y = 2; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }
"""
FIXED = {"codes", "program", "layout", "inputs", "strict", "_locals", "span"}  # no step changes them


def test_a_copy_shares_nothing_that_changes() -> None:
    machine = ThreadedMachine(Codes(load(TEXT, file="p.c")), Given(()))
    twin = machine.copy()
    for name, value in vars(machine).items():
        if name not in FIXED and not isinstance(value, int | str | tuple | None):
            assert vars(twin)[name] is not value, name
    assert all(twin.objects[base] is not found for base, found in machine.objects.items())
    assert twin.frames is twin.current.frames


def test_a_copy_goes_on_by_itself() -> None:
    machine = ThreadedMachine(Codes(load(TEXT, file="p.c")), Given(()))
    while len(machine.threads) < 2:
        machine.step()
    twin = machine.copy()
    twin.switch(2)
    while twin.frames:
        twin.step()
    assert twin.threads[1].ended and not machine.threads[1].ended
    assert machine.objects[1].cells == {} != twin.objects[1].cells
    own = [twin.objects[thread.own["y"].base] for thread in twin.threads]
    assert [found.read(0, 4) for found in own] == [0, 2]
