"""First hits: each target is reached by its first turn, and the run there goes back over the parents."""

from __future__ import annotations

from knaster.semantics.heap.decisions import Turn
from knaster.semantics.heap.failure import ASSERTION, DEADLOCK
from knaster.views.heap.first_hits import Watch
from support.zing_text import read

PROGRAM = read("assert(false);")
NUMBER = [procedure.name for procedure in PROGRAM.procedures].index("main")
MAIN = PROGRAM.procedures[NUMBER]


def turn(thread: int) -> Turn:
    return Turn(thread, 1, ())


def test_the_first_turn_counts() -> None:
    watch = Watch(PROGRAM, [("stuck", ("", 0), DEADLOCK)])
    watch.parents = [(-1, turn(9)), (0, turn(1)), (1, turn(2))]
    watch.here = 2
    watch.fail(DEADLOCK, turn(3))
    watch.here = 0
    watch.fail(DEADLOCK, turn(4))
    watch.fail(ASSERTION, turn(5))
    assert watch.hits == {"stuck": (2, turn(3))}
    assert watch.decisions("stuck") == (turn(1), turn(2), turn(3))


def test_places_and_assertions() -> None:
    watch = Watch(PROGRAM, [("start", ("main", 0), ""), ("wrong", ("", 0), ASSERTION)])
    assert not watch.meet((NUMBER, 0), 1, 2, (3,)) and watch.hits == {"start": (0, Turn(1, 2, (3,)))}
    assert watch.meet((NUMBER, MAIN.failures[0]), 1, 4, ()) and watch.hits["wrong"] == (0, Turn(1, 4, ()))
