"""Monitors: which event fits, and which move counts."""

from __future__ import annotations

from knaster.automata.monitor import Event
from knaster.automata.monitor_files import read_monitor


def test_patterns_have_stars_alone() -> None:
    assert Event("call", "read_*").fits("read_line")
    assert not Event("call", "read").fits("read_line")
    assert Event("line", "a[?] = *").fits("a[?] = 1")
    assert not Event("line", "a[?]").fits("ab")


def test_the_first_move_that_fits_counts_and_errors_stay() -> None:
    monitor = read_monitor("start A\nerror E\nA -> B : call f\n* -> E : call f\nB -> A : call g\n")
    called = frozenset([Event("call", "f")])
    assert monitor.step("A", called) == "B"
    assert monitor.step("B", called) == "E"
    assert monitor.step("E", frozenset([Event("call", "g")])) == "E"
    assert monitor.step("A", frozenset()) == "A"
