"""Which variables of the sets of a proof hold a thread, and where threads can stand (`configurations`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from knaster_check.program import UNBEGUN, Call, Program
from knaster_check.refused import expect, list_of, number_of, object_with

Point = tuple[tuple[tuple[str, int], ...], str, int]
UNUSED: Point = ((), "", 0)  # no thread yet
ENDED: Point = ((), "", 1)  # by `end_thread`


class Lane(NamedTuple):
    """Which variables of the sets hold a thread; its points are numbered."""

    points: tuple[Point, ...]
    bits: tuple[int, ...]
    depths: tuple[tuple[int, ...], ...]


def read_lanes(program: Program, data: Mapping[str, Any]) -> tuple[dict[str, int], list[Lane]]:
    """Return the variables of the globals and the lanes of a file, of which some are for threads that are started."""
    shared: dict[str, int] = object_with(data["shared"], program.globals, "'shared'")
    count = len(program.threads) + number_of(data["started"], "started")
    return shared, [read_lane(program, row) for row in list_of(data["lanes"], "lanes", count)]


def read_lane(program: Program, data: object) -> Lane:
    """Return a lane of a file; its points are stacks that calls can lead to."""
    row = object_with(data, ("points", "bits", "depths"), "a lane")
    points = tuple(_point(program, point) for point in list_of(row["points"], "points"))
    bits = tuple(list_of(row["bits"], "bits"))
    expect(len(set(points)) == len(points) <= 1 << min(len(bits), 64), "two points have one number")
    return Lane(points, bits, tuple(tuple(list_of(places, "a depth")) for places in list_of(row["depths"], "depths")))


def _point(program: Program, data: object) -> Point:
    calls, name, location = list_of(data, "a point", 3)
    if data in ([[], "", 0], [[], "", 1]):
        return ((), "", location)
    waiting = []
    for call in list_of(calls, "the calls of a point"):
        caller, number = list_of(call, "a call", 2)
        expect(caller in program.procedures, "a point is nowhere")
        edges = program.procedures[caller].edges
        action = edges[number_of(number, "a call", len(edges))].action
        expect(isinstance(action, Call), "a point waits for no call")
        waiting.append((caller, number))
    _check_calls(program, waiting, name)
    size = program.procedures[name].size
    expect(location == UNBEGUN or number_of(location, "a point", size) >= 0, "a point is nowhere")
    expect(location != UNBEGUN or not waiting, "a point is nowhere")
    return (tuple(waiting), name, location)


def _check_calls(program: Program, waiting: Sequence[tuple[str, int]], name: object) -> None:
    """Refuse a point whose calls do not lead to each other and to its procedure."""
    expect(name in program.procedures, "a point is nowhere")
    following = [*(caller for caller, _ in waiting[1:]), name]
    for (caller, number), entered in zip(waiting, following, strict=False):
        action = program.procedures[caller].edges[number].action
        expect(isinstance(action, Call) and action.procedure == entered, "a point waits for another call")
