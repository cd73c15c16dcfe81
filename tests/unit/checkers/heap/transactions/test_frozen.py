"""Frozen memories: old cells keep their names, new ones are numbered as they are met, a callee's come back."""

from __future__ import annotations

from knaster.checkers.heap.transactions.frozen import Activation, Memory, freeze, merge, rename
from knaster.program.types import Reference

OLD, KEPT = Reference("C", 1), Reference("C", 2)


def cell(number: int, kind: str = "C") -> Reference:
    return Reference(kind, number)


def test_cells_inside_of_values_are_renamed() -> None:
    names = {cell(7): cell(3)}
    assert rename((1, (cell(7), cell(8)), None), names) == (1, (cell(3), cell(8)), None)


def test_new_cells_are_numbered_as_they_are_met_and_garbage_is_dropped() -> None:
    heap = {OLD: (cell(9),), KEPT: (0,), cell(9): (cell(5),), cell(5): (4,), cell(6): (cell(9),), cell(8): (1,)}
    started = (Activation("p", 0, True, (cell(8),)),)
    memory, names = freeze((KEPT, 3), heap, started, frozenset({OLD, KEPT}), (cell(5), 1))
    assert names == {cell(5): cell(3), cell(9): cell(4), cell(8): cell(5)}  # what is held, of old cells, of threads
    assert memory == Memory(
        (KEPT, 3),
        ((OLD, (cell(4),)), (KEPT, (0,)), (cell(3), (4,)), (cell(4), (cell(3),)), (cell(5), (1,))),
        (Activation("p", 0, True, (cell(5),)),),
    )


def test_two_memories_that_differ_in_names_alone_are_one() -> None:
    one, _ = freeze((cell(7),), {cell(7): (cell(9),), cell(9): (0,)}, (), frozenset(), ())
    other, _ = freeze((cell(2),), {cell(2): (cell(1),), cell(1): (0,)}, (), frozenset(), ())
    assert one == other


def test_what_a_callee_leaves_comes_back() -> None:
    """The callee began with the caller's cell 4 as its 3, wrote to it, and made one of its own."""
    caller = Memory((OLD,), ((OLD, (0,)), (cell(4), (1,)), (cell(6), (2,))), ())
    callee = Memory(
        (cell(3),), ((OLD, (5,)), (cell(3), (cell(4),)), (cell(4), (7,))), (Activation("p", 1, True, (cell(4), OLD)),)
    )
    memory, names = merge(callee, caller, {cell(3): cell(4)}, frozenset({OLD}))
    assert names == {cell(3): cell(4), cell(4): cell(7)}  # above all cells of the caller
    assert memory == Memory(
        (cell(4),),
        ((OLD, (5,)), (cell(4), (cell(7),)), (cell(6), (2,)), (cell(7), (7,))),
        (Activation("p", 1, True, (cell(7), OLD)),),
    )
