"""The order of control points: every cycle goes back, and what has no loop never does."""

from __future__ import annotations

from knaster.frontends.boolean import parse
from knaster.program.layout.lanes import make_lanes
from knaster.program.layout.point_order import point_order

OTHER = "void main_2() begin skip; end\n"


def backs(body: str) -> int:
    program = parse(f"void main_1() begin {body} end void f() begin skip; skip; end {OTHER}", "a.bp", "default", None)
    lane = make_lanes(program, 0, False).lanes[0]
    order = point_order(program, lane)
    assert sorted(order.values()) == list(range(len(lane.points)))
    main = program.procedure("main_1")
    outer = {point.location: number for point, number in order.items() if not point.calls}
    return sum(outer[edge.target] <= outer[edge.source] for edge in main.edges)


def test_a_loop_goes_back_once() -> None:
    assert backs("while (*) do skip; skip; od") == 1
    assert backs("L: goto L;") >= 1


def test_without_a_loop_nothing_goes_back() -> None:
    assert backs("if (*) then f(); else skip; fi f(); skip;") == 0
