"""Visible closure: a set is closed only where every rule, and every symbol that a pop uncovers, leads into it."""

from __future__ import annotations

from knaster.pushdown.formats.cuba import Visible, read_concurrent
from knaster.pushdown.switching.visible_closure import VisibleRules

SYSTEM = read_concurrent("2\nPDA 0 2\n0 0 -> 0 1 2\n0 1 -> 1 -\nPDA 5 5\n1 5 -> 0 5\n", "a.pds")
RULES = VisibleRules(SYSTEM)
START = SYSTEM.first


def test_a_pop_uncovers_what_was_put_below() -> None:
    uncovered = set(RULES.steps(Visible(0, (1, 5))))
    assert uncovered == {Visible(1, (None, 5)), Visible(1, (2, 5))}
    assert set(RULES.steps(START)) == {Visible(0, (1, 5))}
    assert not set(RULES.steps(Visible(0, (None, 5))))


def test_a_set_without_one_of_its_steps_is_not_closed() -> None:
    possible = RULES.overapproximate(START)
    assert RULES.are_all(possible, START, possible)
    for missing in possible:
        assert not RULES.are_all(possible - {missing}, START, possible)
    assert RULES.are_all({START, Visible(0, (1, 5))}, START, {START, Visible(0, (1, 5))})
