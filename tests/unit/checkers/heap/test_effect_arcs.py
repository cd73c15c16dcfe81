"""The graph of a table of effects: components with an accepting arc, through steps and calls."""

from __future__ import annotations

from knaster.checkers.heap.effect_arcs import Arcs
from knaster.checkers.heap.endless_regions import EFFECT, ROW, Outcome


def made() -> Arcs:
    """Row 0 of root 0 steps to row 1, which calls root 1; that returns, and comes back to row 0."""
    arcs = Arcs()
    arcs.firsts = {0: 0, 1: 0}
    arcs.step((0, 0), None, Outcome(ROW, 1, False, 2))
    arcs.call((0, 1), 1)
    arcs.step((1, 0), 1, Outcome(EFFECT, 0, False, 1))
    return arcs


def test_a_cycle_through_a_call_that_returns() -> None:
    arcs = made()
    assert arcs.endless_component(None) is None
    arcs.back((0, 1), 0, Outcome(ROW, 0, False, 3))
    assert set(arcs.endless_component(None) or ()) == {(0, 0), (0, 1)}
    assert arcs.endless_component(lambda row: row == (0, 0)) is not None
    assert arcs.endless_component(lambda row: row == (1, 0)) is None
    (arc,) = arcs.leaving[0, 1]
    assert arc.effect == 0 and arc.steps == 4


def test_a_cycle_through_calls_that_do_not_return() -> None:
    arcs = made()
    arcs.call((1, 0), 0)
    assert set(arcs.endless_component(None) or ()) == {(0, 0), (0, 1), (1, 0)}
    assert arcs.endless_component(lambda row: row == (0, 1)) is not None
    assert arcs.endless_component(lambda row: row in ((0, 0), (1, 0))) is None  # arcs into calls do not accept
