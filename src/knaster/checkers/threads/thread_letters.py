"""What holds in sets of configurations of threads, for the check of fair sets: atoms, ends, who can move, who rests.

Written from the definitions, over the steps of `thread_steps`.  A thread can move where some way through its next step
or section does not block: it leaves the section, fails there, or goes on in it for ever: a greatest fixed point.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, exists, minus, rename
from knaster.checkers.threads.thread_steps import Arrival, Steps
from knaster.evidence.questions.letters import Meaning, Meanings
from knaster.program.layout.lanes import UNBEGUN, UNUSED, Point

Key = tuple[bool, Point]  # whether inside a section, and where a thread stands


class ThreadLetters:
    """Where atoms hold, runs are over or rest, and threads can move; about configurations outside sections."""

    def __init__(self, steps: Steps, meanings: Meanings, budget: Budget) -> None:
        self.steps, self.store, self.budget = steps, steps.store, budget
        self.threads = range(len(steps.lanes.lanes))
        self.lock = self.store.false
        if steps.program.atomic is not None:
            self.lock = steps.shared[steps.program.atomic]
        self.failed, self.over = self.store.false, self.store.true
        for thread in self.threads:
            self.over &= steps.over(thread)
            points = filter(self.has_failed, steps.lanes.lanes[thread].points)
            self.failed |= self._at(thread, points)
        self.over |= self.failed
        self.atoms = {text: self._atom(meaning) for text, meaning in meanings.items()}
        self._arrivals: dict[tuple[int, Key], list[Arrival]] = {}
        self.can_move = [minus(self._moving(thread), self.failed) for thread in self.threads]
        nobody = self.store.true
        for states in self.can_move:
            nobody = minus(nobody, states)
        self.resting = self.over | minus(nobody, self.lock)

    def has_failed(self, point: Point) -> bool:
        """Tell whether a thread at a point has failed an assertion."""
        return not self.steps.may_leave(point)

    def arrivals(self, thread: int, key: Key) -> list[Arrival]:
        """Return the steps of a thread from a key, from whatever configuration."""
        if (thread, key) not in self._arrivals:
            section, point = key
            self._arrivals[thread, key] = list(self.steps.after(thread, point, section, self.store.true))
        return self._arrivals[thread, key]

    def absent(self, thread: int, point: Point) -> Bdd:
        """Return the cube of the variables of a thread that do not exist where it stands at a point."""
        own = self.steps.lanes.lanes[thread]
        kept = set(own.existing_variables(self.steps.program, point))
        return self.store.cube(place for places in own.depths for place in places if place not in kept)

    def _atom(self, meaning: Meaning) -> Bdd:
        if meaning.condition is not None:
            shared = self.steps.shared
            return self.steps.value(meaning.condition, shared, shared, self.steps.fresh())
        if meaning.ended:
            return self.over
        found = self.store.false
        for thread in self.threads:
            if meaning.thread is None or meaning.thread == thread + 1:
                points = self.steps.lanes.lanes[thread].points
                found |= self._at(thread, (point for point in points if self._stands_at(point, meaning)))
        return minus(found, self.over)

    def _stands_at(self, point: Point, meaning: Meaning) -> bool:
        if not point.procedure:
            return False
        procedure = self.steps.procedures[point.procedure]
        location = procedure.entry if point.location == UNBEGUN else point.location
        return location != procedure.exit and (procedure.name, location) in meaning.places

    def _at(self, thread: int, points: Iterable[Point]) -> Bdd:
        found = self.store.false
        for point in points:
            found |= self.steps.code(thread, point)
        return found

    def _moving(self, thread: int) -> Bdd:
        points = self.steps.lanes.lanes[thread].points
        ways = self._ways_on(thread)
        found = self.store.false
        for point in points:
            able = self._steps_on(thread, (False, point), ways)
            if point.location == UNBEGUN:  # it begins and steps at once
                able = self.store.false
                for begun in self.arrivals(thread, (False, point)):
                    able |= begun.premise & self._steps_on(thread, (False, begun.point), ways)
                able = self._before(thread, point, able)
            found |= able & self.steps.code(thread, point)
        return found

    def _ways_on(self, thread: int) -> dict[Key, Bdd]:
        """Return from where inside a section, or with the lock, a thread can go on."""
        todo: list[Key] = [(False, point) for point in self.steps.lanes.lanes[thread].points]
        ways: dict[Key, Bdd] = dict.fromkeys(todo, self.store.true)
        for key in todo:  # grows
            for there in self.arrivals(thread, key):
                after = there.section, there.point
                if there.point != UNUSED and after not in ways:
                    ways[after] = self.store.true
                    todo.append(after)
        alone = [key for key in todo if key[0] or self.lock != self.store.false]
        changed = True
        while changed:
            changed = False
            for key in reversed(alone):
                self.budget.check()
                able = self._steps_on(thread, key, ways)
                changed |= able != ways[key]
                ways[key] = able
        return ways

    def _steps_on(self, thread: int, key: Key, ways: dict[Key, Bdd]) -> Bdd:
        able = self.store.false
        for there in self.arrivals(thread, key):
            if there.point == UNUSED:
                continue
            goal = self.store.true
            if not self.has_failed(there.point):
                inside = ways[there.section, there.point]
                goal = inside if there.section else inside | ~self.lock
            able |= there.premise & (rename(goal, self.store.substitution(there.change)) if there.change else goal)
        return self._before(thread, key[1], able)

    def _before(self, thread: int, point: Point, states: Bdd) -> Bdd:
        return exists(exists(states, self.store.cube(self.steps.choices)), self.absent(thread, point))
