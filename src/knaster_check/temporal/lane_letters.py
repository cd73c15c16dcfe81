"""What holds in configurations of threads, as formulas over the variables of sets: atoms, ends, who can move or rests.

It says of sets what `thread_graph` says of single configurations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from knaster_check.boolean.circuit import FALSE, TRUE, Literal
from knaster_check.boolean.lane_moves import find_ways_on
from knaster_check.boolean.lane_steps import LaneSteps
from knaster_check.boolean.lanes import Point
from knaster_check.boolean.obligations import Obligations
from knaster_check.program import UNBEGUN
from knaster_check.temporal.letters import Meaning


class LaneLetters:
    """Where atoms hold, runs are over or rest, and threads can move, outside sections."""

    def __init__(self, steps: LaneSteps, meanings: Mapping[str, Meaning], obligations: Obligations) -> None:
        self.steps, self.circuit, self.obligations = steps, steps.circuit, obligations
        self.threads = range(len(steps.lanes))
        failures = [self._at(thread, filter(steps.has_failed, steps.lanes[thread].points)) for thread in self.threads]
        self.failed = self._any(failures)
        ended = self.circuit.every(steps.over(thread) for thread in self.threads)
        self.over = self._any([self.failed, ended])
        self.atoms = {atom: self._atom(meaning) for atom, meaning in meanings.items()}

    @cached_property
    def can_move(self) -> list[Literal]:
        """Where each thread can move."""
        found = [find_ways_on(self.steps, thread, self.obligations) for thread in self.threads]
        return [self.circuit.both(able, -self.failed) for able in found]

    @cached_property
    def resting(self) -> Literal:
        """Where a run that comes there stays for ever."""
        nobody = self.circuit.every(-able for able in self.can_move)
        return self._any([self.over, self.circuit.both(nobody, -self.steps.lock())])

    def _atom(self, meaning: Meaning) -> Literal:
        if meaning.condition is not None:
            return self.circuit.value(meaning.condition, self.steps.globals())
        if meaning.ended:
            return self.over
        found = [
            self._at(thread, (point for point in self.steps.lanes[thread].points if self._stands_at(point, meaning)))
            for thread in self.threads
            if meaning.thread in (None, thread + 1)
        ]
        return self.circuit.both(self._any(found), -self.over)

    def _stands_at(self, point: Point, meaning: Meaning) -> bool:
        _, name, location = point
        if not name:
            return False
        procedure = self.steps.program.procedures[name]
        location = procedure.entry if location == UNBEGUN else location
        return location != procedure.exit and (name, location) in meaning.places

    def _at(self, thread: int, points: Iterable[Point]) -> Literal:
        return self._any(self.steps.code(thread, point) for point in points)

    def _any(self, literals: Iterable[Literal]) -> Literal:
        found = FALSE
        for literal in literals:
            found = self.circuit.choose(literal, TRUE, found)
        return found
