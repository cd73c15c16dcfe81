"""Sets by control point: what is taken apart is put together again."""

from __future__ import annotations

from knaster.bdd.store import Store
from knaster.engines.threads.states.points import join_points, split_by_point
from knaster.engines.threads.states.steps import Moves
from knaster.frontends.boolean import parse
from knaster.program.layout.lanes import make_lanes


def test_apart_and_together() -> None:
    program = parse(
        "decl x; void main_1() begin x := 1; skip; end void main_2() begin skip; end\n", "a", "default", None
    )
    lanes = make_lanes(program, 0, False)
    store = Store(lanes.size, 1 << 12)
    moves, lane = Moves(lanes, store), lanes.lanes[0]
    x = store.var(lanes.shared["x"])
    states = store.false
    for number, point in enumerate(lane.points):
        states |= moves.code(0, point) & (x if number % 2 else ~x)
    parts = dict(split_by_point(store, lane, states))
    assert parts == {point: (x if number % 2 else ~x) for number, point in enumerate(lane.points)}
    assert join_points(store, lane, parts) == states
    assert dict(split_by_point(store, lane, store.false)) == {}
