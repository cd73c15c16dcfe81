"""Finds the configurations in which nobody can move: some thread has not ended, and none can step.

A thread before `atomic_begin` can step only where there is a way through its section; which those are is a least fixed
point over the places inside sections.
"""

from __future__ import annotations

from knaster.bdd.store import Bdd, and_exists, exists, minus
from knaster.engines.threads.states.steps import Key, Moves
from knaster.program.layout.lanes import UNBEGUN, Point
from knaster.program.model import Concurrent, ThreadOperation

_BEGIN = ThreadOperation.ATOMIC_BEGIN


class Deadlocks:
    """The deadlocks of a program, by where the thread stands that has run last."""

    def __init__(self, moves: Moves) -> None:
        """Prepare; requires that no started thread is forgotten."""
        self.moves = moves
        self.store = moves.store
        self._through: dict[tuple[int, Point], Bdd] = {}
        lanes = range(len(moves.lanes.lanes))
        stuck, over = self.store.true, self.store.true
        for lane in lanes:
            self._find_ways_out(lane)
            stuck = minus(stuck, self._can_step(lane))
            over &= self._over(lane)
        stuck = minus(stuck, over)
        atomic = moves.program.atomic
        self._stuck = stuck if atomic is None else minus(stuck, self.store.var(moves.lanes.shared[atomic]))
        self._by_point: dict[tuple[int, Point], Bdd] = {}

    def at(self, lane: int, key: Key) -> Bdd:
        """Return the deadlocks in which the thread of a lane has run last and stands at a key."""
        if not self.moves.may_leave(key):
            return self.store.false
        place = lane, key.point
        if place not in self._by_point:
            bits = self.store.cube(self.moves.lanes.lanes[lane].bits)
            self._by_point[place] = and_exists(self._stuck, self.moves.code(lane, key.point), bits)
        return self._by_point[place]

    def _over(self, lane: int) -> Bdd:
        over = self.store.false
        for point in self.moves.lanes.lanes[lane].points:
            if self.moves.has_ended(point):
                over |= self.moves.code(lane, point)
        return over

    def _can_step(self, lane: int) -> Bdd:
        """Return where the thread of a lane can step."""
        moving = self.store.false
        for point in self.moves.lanes.lanes[lane].points:
            able = self._can_leave(lane, Key(point, False))
            if point.location == UNBEGUN:  # it begins and steps
                able = self.store.false
                for move in self.moves.leaving_key(lane, Key(point, False)):
                    able |= self._before(lane, point, move.relation.preimage(self._can_leave(lane, move.target)))
            moving |= able & self.moves.code(lane, point)
        return moving

    def _has_sections(self) -> bool:
        edges = (edge for procedure in self.moves.program.procedures for edge in procedure.edges)
        return any(isinstance(e.action, Concurrent) and e.action.operation is _BEGIN for e in edges)

    def _find_ways_out(self, lane: int) -> None:
        """Find from where inside a section the thread of a lane can get out."""
        points = [point for point in self.moves.lanes.lanes[lane].points if point.location != UNBEGUN]
        if not self._has_sections():
            return
        self._through |= {(lane, point): self.store.false for point in points}
        changed = True
        while changed:
            changed = False
            for point in reversed(points):
                able = self._can_leave(lane, Key(point, True))
                changed |= able != self._through[lane, point]
                self._through[lane, point] = able

    def _can_leave(self, lane: int, key: Key) -> Bdd:
        """Return from where a step leads out of sections, or into one with a way out."""
        able = self.store.false
        for move in self.moves.leaving_key(lane, key):
            goal = self._through[lane, move.target.point] if move.target.section else self.store.true
            able |= self._before(lane, key.point, move.relation.preimage(goal))
        return able

    def _before(self, lane: int, point: Point, states: Bdd) -> Bdd:
        """Return a set without the variables that do not exist at a point."""
        own = self.moves.lanes.lanes[lane]
        kept = set(own.existing_variables(self.moves.program, point))
        return exists(states, self.store.cube(v for places in own.depths for v in places if v not in kept))
