"""Abilities: where each thread can move, and where a run rests, as sets of configurations.

A thread can move where some way through its next step or section does not block: it leaves the section, fails in it, or
goes on in it for ever.  Where inside sections that is, is a greatest fixed point; it is asked outside sections only.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.bdd.store import Bdd, exists, minus
from knaster.engines.threads.states.letters import Letters
from knaster.engines.threads.states.steps import Key, Moves
from knaster.program.layout.lanes import UNBEGUN, Point
from knaster.program.model import Concurrent, ThreadOperation


class Abilities:
    """Who can move in which configurations outside sections."""

    def __init__(self, moves: Moves, letters: Letters, check: Callable[[], None]) -> None:
        self.moves, self.store, self.letters, self._check = moves, moves.store, letters, check
        atomic = moves.program.atomic
        self.lock = self.store.false if atomic is None else self.store.var(moves.lanes.shared[atomic])
        self._open: dict[tuple[int, Key], Bdd] = {}  # inside a section: where there is a way on that does not block
        self.able = [self._able(lane) for lane in range(len(moves.lanes.lanes))]
        stuck = self.store.true
        for states in self.able:
            stuck = minus(stuck, states)
        self.rests = minus(stuck, self.lock) | letters.over

    def has_sections(self) -> bool:
        """Tell whether a thread is ever alone."""
        begin = ThreadOperation.ATOMIC_BEGIN
        edges = (edge for procedure in self.moves.program.procedures for edge in procedure.edges)
        sections = any(isinstance(e.action, Concurrent) and e.action.operation is begin for e in edges)
        return sections or self.moves.program.atomic is not None

    def _able(self, lane: int) -> Bdd:
        if self.has_sections():
            self._find_open(lane)
        found = self.store.false
        for point in self.moves.lanes.lanes[lane].points:
            if point.location != UNBEGUN:
                found |= self._steps(lane, Key(point, False)) & self.moves.code(lane, point)
                continue
            for move in self.moves.leaving_key(lane, Key(point, False)):
                begun = move.relation.preimage(self._steps(lane, move.target))
                found |= self._before(lane, point, begun) & self.moves.code(lane, point)
        return minus(found, self.letters.failed)

    def _find_open(self, lane: int) -> None:
        """Find from where inside a section a thread can go on."""
        points = [point for point in self.moves.lanes.lanes[lane].points if point.location != UNBEGUN]
        keys = [Key(point, section) for point in reversed(points) for section in (False, True)]
        self._open |= {(lane, key): self.store.true for key in keys}
        changed = True
        while changed:
            changed = False
            for key in keys:
                self._check()
                states = self._steps(lane, key)
                changed |= states != self._open[lane, key]
                self._open[lane, key] = states

    def _steps(self, lane: int, key: Key) -> Bdd:
        """Return from where a step of a thread leads out of sections, or into one in which it can go on."""
        able = self.store.false
        for move in self.moves.leaving_key(lane, key):
            able |= self._before(lane, key.point, move.relation.preimage(self._goal(lane, move.target)))
        return able

    def _goal(self, lane: int, key: Key) -> Bdd:
        if self.letters.is_failing(key.point) or not self.has_sections():
            return self.store.true
        inside = self._open[lane, key]
        return inside if key.section else inside | ~self.lock

    def _before(self, lane: int, point: Point, states: Bdd) -> Bdd:
        """Return a set without the variables that do not exist at a point."""
        own = self.moves.lanes.lanes[lane]
        kept = set(own.existing_variables(self.moves.program, point))
        return exists(states, self.store.cube(v for places in own.depths for v in places if v not in kept))
