"""Which branches decide what is observed next."""

from __future__ import annotations

from knaster.program.expression import TRUE
from knaster.program.model import Assume, Edge, Procedure
from knaster.transform.cones.observables import MANY, NONE, close_observables, find_first_observed


def graph(*edges: tuple[int, int], exit: int) -> Procedure:
    made = tuple(Edge(source, Assume(TRUE), target) for source, target in sorted(edges))
    return Procedure("p", (), (), (), 0, exit, made)


def test_a_branch_around_what_is_observed_decides() -> None:
    around = graph((0, 1), (0, 2), (1, 2), (2, 3), exit=3)
    assert close_observables(around, {1, 3}) == {0, 1, 3}


def test_a_branch_whose_ways_see_the_same_does_not() -> None:
    diamond = graph((0, 1), (0, 2), (1, 3), (2, 3), exit=3)
    assert close_observables(diamond, {3}) == {3}


def test_a_way_that_ends_does_not_count() -> None:
    filters = graph((0, 1), (0, 2), (2, 3), exit=3)
    assert close_observables(filters, {3}) == {3}
    assert find_first_observed(filters, {3})[1] == NONE


def test_a_loop_around_what_is_observed_decides_and_one_beside_it_does_not() -> None:
    around = graph((0, 1), (0, 2), (1, 0), exit=2)
    assert close_observables(around, {1, 2}) == {0, 1, 2}
    beside = graph((0, 0), (0, 1), (1, 2), exit=2)
    assert close_observables(beside, {1, 2}) == {1, 2}


def test_ways_that_cross_in_a_cycle_are_told_apart() -> None:
    cycle = graph((0, 1), (0, 2), (1, 0), (1, 3), exit=3)
    assert find_first_observed(cycle, {2, 3})[0] == MANY
    closed = close_observables(cycle, {2, 3})
    assert MANY not in find_first_observed(cycle, closed).values()
