"""Where a thread can move, as formulas over the variables of some sets: for deadlocks, and for fairness.

A thread that stands before a section can move only where there is a way through it.  Where from inside there is one is
a fixed point over the places of the thread: *out of* sections the least, or *on*, out of them, to an assertion that
fails or for ever inside them, the greatest.  It is found by going around until nothing more changes, which is asked of
a solver; from the choices of a step one after the other is taken away: it may be true or false.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster_check.boolean.circuit import FALSE, TRUE, Literal
from knaster_check.boolean.lane_steps import Arrival, LaneSteps
from knaster_check.boolean.lanes import UNUSED, Point
from knaster_check.boolean.obligations import Obligations
from knaster_check.program import UNBEGUN
from knaster_check.refused import Unsupported

Key = tuple[Point, bool]  # where a thread stands, and whether inside a section
MOST_CHOICES = 16  # of one step, that decide whether it can be taken
MOST_ROUNDS = 100


def find_ways_out(steps: LaneSteps, lane: int, obligations: Obligations) -> Literal:
    """Return where a thread can step, outside sections, so that there is a way out of the section it may enter."""
    return _Ways(steps, lane, obligations, False).anywhere()


def find_ways_on(steps: LaneSteps, lane: int, obligations: Obligations) -> Literal:
    """Return where a thread can step, outside sections, so that it leaves the one it may enter, fails or stays in it.

    Whoever runs while the global `atomic` is true is inside one, too.
    """
    return _Ways(steps, lane, obligations, True).anywhere()


class _Ways:
    """From where inside a section a thread gets out, or goes on."""

    def __init__(self, steps: LaneSteps, lane: int, obligations: Obligations, on: bool) -> None:
        self.steps, self.lane, self.obligations, self.on = steps, lane, obligations, on
        self.circuit, self.lock = steps.circuit, steps.lock() if on else FALSE
        self.base = set(steps.base.values())
        self.arrivals: dict[Key, list[Arrival]] = {}
        self.ways: dict[Key, Literal] = {}
        self._find_keys()
        self._go_around()

    def anywhere(self) -> Literal:
        """Return where the thread can move."""
        found = FALSE
        for point in self.steps.lanes[self.lane].points:
            key = point, False
            able = self._able(key)
            if point[2] == UNBEGUN:  # it begins and steps at once
                begun = [self._before(one, self._able((one.point, False))) for one in self._leaving(key)]
                able = -self.circuit.every(-literal for literal in begun)
            found = self.circuit.choose(self.steps.code(self.lane, point), able, found)
        return found

    def _leaving(self, key: Key) -> list[Arrival]:
        if key not in self.arrivals:
            found = self.steps.after(self.lane, *key)
            self.arrivals[key] = [arrival for arrival in found if arrival.point != UNUSED]
        return self.arrivals[key]

    def _find_keys(self) -> None:
        """Find the places inside sections, each with what there is before anything is known."""
        todo: list[Key] = [(point, False) for point in self.steps.lanes[self.lane].points]
        seen = set(todo)
        for key in todo:  # grows
            if key[1] or self.lock != FALSE:
                self.ways[key] = TRUE if self.on else FALSE
            fresh = dict.fromkeys((arrival.point, arrival.section) for arrival in self._leaving(key))
            todo += [each for each in fresh if each not in seen]
            seen |= fresh.keys()

    def _go_around(self) -> None:
        changed, rounds = True, 0
        while changed:
            changed, rounds = False, rounds + 1
            if rounds > MOST_ROUNDS:  # mutant(>): one round more or less
                raise Unsupported("a section goes around too often")
            for key in reversed(list(self.ways)):
                able, known = self._able(key), self.ways[key]
                pair = (known, able) if self.on else (able, known)
                if pair[0] != pair[1] and not self.obligations.follows(self.circuit, [pair[0]], pair[1]):
                    self.ways[key], changed = able, True

    def _able(self, key: Key) -> Literal:
        """Return from where a step leads out of sections, or to where there is a way."""
        able = [self._before(arrival, self._goal(arrival)) for arrival in self._leaving(key)]
        return -self.circuit.every(-literal for literal in able)

    def _goal(self, arrival: Arrival) -> Literal:
        point, section = arrival.point, arrival.section
        if self.on and self.steps.has_failed(point):
            return TRUE
        if section:
            return self.ways[point, section]
        return TRUE if self.lock == FALSE else self.circuit.choose(self.lock, self.ways[point, section], TRUE)

    def _before(self, arrival: Arrival, goal: Literal) -> Literal:
        """Return from where a step leads to a goal with some choices."""
        places = {self.steps.base[place]: literal for place, literal in arrival.change.items()}
        wanted = self.circuit.every([*arrival.premises, self.circuit.replace(goal, places)])
        for number, choice in enumerate(self._choices(wanted)):
            if number >= MOST_CHOICES:
                raise Unsupported("a step has too many choices")
            true, false = (self.circuit.replace(wanted, {choice: value}) for value in (TRUE, FALSE))
            wanted = self.circuit.choose(true, TRUE, false)
        self.obligations.tick(self.circuit.take_work())
        return wanted

    def _choices(self, literal: Literal) -> Iterator[Literal]:
        return (variable for variable in self.circuit.variables(literal) if variable not in self.base)
