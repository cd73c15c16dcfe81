"""Matching of calls with roots: two cells never match one, classes and lengths are compared, effects are renamed."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.zing import parse
from knaster_check import Refused, read_program
from knaster_check.heap.matching import Effect, Root, apply_effect, held_outside, match_root
from knaster_check.heap.memory import UNREAD, Memory
from knaster_check.program import Reference

MODEL = (
    "class C { bool b; }; class D { bool b; }; class Main { static C g; activate static void main() { g = null; } };"
)
PROGRAM = read_program(program_to_kernel(parse(MODEL)))
ONE, TWO, OTHER = Reference("C", 1), Reference("C", 2), Reference("D", 3)


def root(formals: tuple[Any, ...], cells: dict[Reference, Any], statics: tuple[Any, ...] = (UNREAD,)) -> Root:
    """Return a root of main with some entry."""
    return Root(PROGRAM.procedures[PROGRAM.threads[0]], False, formals, statics, cells, None, (), ())


def memory(heap: dict[Reference, Any], g: Any = None) -> Memory:
    """Return a memory."""
    return Memory({"g": g}, heap, [], 9)


def test_cells_are_told_apart() -> None:
    two = root((ONE, TWO), {ONE: (True,), TWO: (True,)})
    heap = {ONE: (True,), TWO: (True,), OTHER: (True,)}
    assert match_root(two, (TWO, ONE), memory(heap)) == {ONE: TWO, TWO: ONE}
    assert match_root(two, (ONE, ONE), memory(heap)) is None  # two cells match one
    assert match_root(root((ONE, ONE), {ONE: (True,)}), (ONE, TWO), memory(heap)) is None
    assert match_root(root((ONE,), {ONE: (True,)}), (OTHER,), memory(heap)) is None  # another class


def test_values_are_compared() -> None:
    one = root((ONE,), {ONE: (True,)})
    assert match_root(one, (ONE,), memory({ONE: (False,)})) is None
    assert match_root(one, (ONE,), memory({ONE: (1,)})) is None  # 1 is not true
    assert match_root(one, (ONE,), memory({ONE: (True, True)})) is None  # another length
    assert match_root(one, (None,), memory({})) is None
    assert match_root(one, (ONE,), memory({ONE: (UNREAD,)})) is None  # the caller does not know it
    assert match_root(root((UNREAD,), {}), (ONE,), memory({ONE: (False,)})) == {}
    assert match_root(root((), {}, (None,)), (), memory({ONE: ()}, ONE)) is None


def test_an_effect_is_renamed() -> None:
    new = Reference("C", 5)
    effect = Effect((new, ONE), None, (new,), {ONE: (False,), new: (True,)})
    into = memory({TWO: (True,)})
    results = apply_effect(root((ONE,), {ONE: (True,)}), effect, {ONE: TWO}, into, PROGRAM.cells)
    assert results == [Reference("C", 10), TWO] and into.heap == {TWO: (False,), Reference("C", 10): (True,)}
    assert into.statics == {"g": Reference("C", 10)}
    with pytest.raises(Refused, match="does not see"):
        apply_effect(root((), {}), Effect((TWO,), None, (UNREAD,), {}), {}, into, PROGRAM.cells)


def test_what_a_caller_can_use_later() -> None:
    heap = {ONE: (TWO,), TWO: (OTHER,), OTHER: ()}
    assert held_outside([ONE], [], {Reference("D", 7): OTHER}, heap) == {Reference("D", 7)}
    assert held_outside([], [TWO], {Reference("C", 7): TWO}, heap) == {Reference("C", 7)}
    assert held_outside([None, (ONE, 3)], [], {}, heap) == set()


def test_what_a_callee_sees_is_not_looked_through() -> None:
    heap = {ONE: (TWO,), TWO: (), OTHER: (ONE,)}
    seen = {Reference("C", 7): ONE, Reference("C", 8): TWO}
    assert held_outside([OTHER], [], seen, heap) == {Reference("C", 7)}
    assert held_outside([OTHER], [TWO], seen, heap) == set(seen)


def test_what_an_effect_does_not_know_stays() -> None:
    one, into = root((ONE,), {ONE: (True,)}), memory({TWO: (True,)})
    effect = Effect((), None, (UNREAD,), {ONE: UNREAD})
    assert apply_effect(one, effect, {ONE: TWO}, into, PROGRAM.cells) == [] and into.heap == {TWO: (True,)}
