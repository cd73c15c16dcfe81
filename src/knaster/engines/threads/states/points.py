"""Sets of configurations by where one thread stands, and together again: by the bits of its control point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.bdd.store import Bdd, Store, and_exists
from knaster.program.layout.lanes import Lane, Point


def split_by_point(store: Store, lane: Lane, states: Bdd) -> Iterator[tuple[Point, Bdd]]:
    """Yield each point at which a thread may stand, with the configurations, which no longer say it."""
    parts = [(states, len(lane.bits), 0)]
    while parts:
        part, left, number = parts.pop()
        if store.is_false(part):
            continue
        if left == 0:
            yield lane.points[number], part
            continue
        bit = lane.bits[left - 1]
        cube, variable = store.cube([bit]), store.var(bit)
        parts.append((and_exists(part, variable, cube), left - 1, number | 1 << left - 1))
        parts.append((and_exists(part, ~variable, cube), left - 1, number))


def join_points(store: Store, lane: Lane, sets: Mapping[Point, Bdd]) -> Bdd:
    """Return the configurations in which a thread stands at one of some points, joined by bits."""
    parts = {lane.codes[point]: states for point, states in sets.items()}
    for bit in lane.bits:
        variable, none = store.var(bit), store.false
        halves = {code >> 1: (parts.get(code & ~1, none), parts.get(code | 1, none)) for code in sorted(parts)}
        parts = {code: variable.ite(one, zero) for code, (zero, one) in halves.items()}
    return parts.get(0, store.false)
