"""Stacks of a program as configurations of its control flow."""

from __future__ import annotations

import knaster
from knaster.frontends.text.stack_traces import Frame
from knaster.views.weighted.control_flow import control_flow, places_of, returns_of, stacks_of

TEXT = "void main() begin\nf();\nf();\nend\nvoid f() begin\nskip;\nend\n"


def test_frames_are_sets_of_symbols() -> None:
    program = knaster.parse(TEXT)
    assert places_of(program, Frame("f", 6)) == [("f", 0)] and places_of(program, Frame("f", 2)) == []
    assert [each[:2] for each in returns_of(program, Frame("main", 3), "f")] == [("main", 2)]
    assert len(returns_of(program, Frame("main"), "f")) == 2 and not returns_of(program, Frame("main"), "main")


def test_a_stack_that_fits_nowhere() -> None:
    program = knaster.parse(TEXT)
    assert stacks_of(program, [Frame("f", 6), Frame("f")]) is None
    open_, closed = stacks_of(program, [Frame("f", 6)]), stacks_of(program, [Frame("f", 6), Frame("main")])
    assert open_ is not None and closed is not None and len(open_.edges) == 2 and len(closed.edges) == 3


def test_calls_and_returns_match() -> None:
    graph = control_flow(knaster.parse(TEXT))
    assert graph.jovp().at(("main", 2)) and set(graph.procedures) == {"main", "f"}
