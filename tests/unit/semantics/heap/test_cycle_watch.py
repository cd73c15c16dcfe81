"""Cycles of a thread that chooses nothing: the same frame, statics and cells again, up to the names of cells."""

from __future__ import annotations

from knaster.program.types import Reference, Value
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.cycle_watch import CycleWatch


def configuration(value: Value, depth: int = 1, slot: int = 0) -> Configuration:
    heap: dict[Reference, tuple[Value, ...]] = {value: (slot,)} if isinstance(value, Reference) else {}
    return Configuration({}, heap, [[Frame("main", 0, False, {"x": value}) for _ in range(depth)]])


def test_the_same_again_after_a_mark() -> None:
    watch = CycleWatch(1)
    assert not watch.is_back(31, configuration(1))  # nobody looks yet
    assert not watch.is_back(32, configuration(1))  # the mark
    assert not watch.is_back(33, configuration(2))
    assert watch.is_back(34, configuration(1))


def test_names_of_cells_do_not_matter_and_their_slots_do() -> None:
    watch = CycleWatch(1)
    watch.is_back(32, configuration(Reference("C", 1)))
    assert not watch.is_back(33, configuration(Reference("C", 2), slot=7))
    assert watch.is_back(34, configuration(Reference("C", 2)))


def test_whoever_left_a_frame_below_begins_anew() -> None:
    watch = CycleWatch(1)
    watch.is_back(32, configuration(1, depth=2))
    assert not watch.is_back(33, configuration(5, depth=1))
    assert not watch.is_back(34, configuration(1, depth=2))


def test_each_thread_is_watched_by_its_number() -> None:
    (one,), (other,) = configuration(1).threads, configuration(2).threads
    watch = CycleWatch(2)
    for count, second in ((32, other), (33, one)):
        assert not watch.is_back(count, Configuration({}, {}, [one, second, []]))
    assert watch.is_back(34, Configuration({}, {}, [one, other, []]))
    for count in (31, 32, 33):
        assert not CycleWatch(3).is_back(count, Configuration({}, {}, [one, other, []]))
