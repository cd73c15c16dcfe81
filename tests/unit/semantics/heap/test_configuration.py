"""Configurations: a copy changes on its own, and a state shows what one activation sees."""

from __future__ import annotations

from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration, Frame, StateWithHeap

CELL = Reference("C", 1)


def make() -> Configuration:
    return Configuration({"s": 1}, {CELL: (0,)}, [[Frame("main", 3, False, {"x": 2})]], {"C": 1})


def test_a_copy_changes_on_its_own() -> None:
    first = make()
    other = first.copy()
    assert other == first
    other.statics["s"] = 9
    other.heap[CELL] = (9,)
    other.threads[0][0].values["x"] = 9
    other.made["C"] = 9
    other.threads.append([])
    assert first == make()


def test_what_an_activation_sees() -> None:
    here = make()
    state = here.state(here.threads[0][0])
    assert dict(state) == {"s": 1, "x": 2} and len(state) == 2 and state.heap == {CELL: (0,)}
    here.heap[CELL] = (5,)
    assert state.heap == {CELL: (0,)}
    assert state == StateWithHeap({"s": 1, "x": 2}, {CELL: (0,)}) != StateWithHeap({"s": 1, "x": 2}, {})
