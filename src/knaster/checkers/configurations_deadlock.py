"""Checks that no configuration of a proof about threads is a deadlock, without the engine that made the proof.

A configuration is one where another thread may run, some thread has not ended, and none can step; a thread before
`atomic_begin` can step only where there is a way through its section.
"""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, exists, minus, rename
from knaster.checkers.thread_steps import Steps
from knaster.evidence.proofs.configurations import Configurations
from knaster.evidence.questions.question import Target
from knaster.views.symbolic.lanes import UNBEGUN, UNUSED, Point


def certify_deadlock(proof: Configurations, steps: Steps, target: Target, budget: Budget) -> None:
    """Raise `InternalError` where a configuration of the proof is a deadlock, or the target is something else."""
    if target.kind != "deadlock" or proof.lanes.forgets:
        raise InternalError(f"the certificate says nothing of '{target.name}'")
    stuck = _Stuck(steps, budget).everywhere()
    if proof.program.atomic is not None:
        stuck = minus(stuck, steps.shared[proof.program.atomic])
    for layer in proof.layers:
        for lane, sets in enumerate(layer):
            for (point, section), states in sets.items():
                if section or point.location == UNBEGUN or not steps.may_leave(point):
                    continue
                if states & steps.code(lane, point) & stuck != proof.store.false:
                    raise InternalError(f"the certificate does not exclude '{target.name}'")


class _Stuck:
    """Where no thread can step."""

    def __init__(self, steps: Steps, budget: Budget) -> None:
        self.steps = steps
        self.store = steps.store
        self.budget = budget

    def everywhere(self) -> Bdd:
        """Return the configurations in which some thread has not ended and none can step."""
        all_over, stuck = self.store.true, self.store.true
        for lane in range(len(self.steps.lanes.lanes)):
            all_over &= self.steps.over(lane)
            stuck = minus(stuck, self._moving(lane))
        return minus(stuck, all_over)

    def _moving(self, lane: int) -> Bdd:
        """Return where a thread can step."""
        through = self._through(lane)
        moving = self.store.false
        for point in self.steps.lanes.lanes[lane].points:
            able = self._able(lane, point, False, through) if point.location != UNBEGUN else self.store.false
            if point.location == UNBEGUN:  # it begins and steps
                for begun, _, premise, _ in self.steps.after(lane, point, False, self.store.true):
                    able |= self._existing(lane, point, premise & self._able(lane, begun, False, through))
            moving |= able & self.steps.code(lane, point)
        return moving

    def _through(self, lane: int) -> dict[Point, Bdd]:
        """Return from where inside a section a thread can get out of it; nothing else is inside."""
        points = [point for point in self.steps.lanes.lanes[lane].points if point.location != UNBEGUN]
        through = dict.fromkeys(points, self.store.false)
        changed = True
        while changed:
            changed = False
            for point in reversed(points):
                self.budget.check()
                able = self._able(lane, point, True, through)
                changed |= able != through[point]
                through[point] = able
        return through

    def _able(self, lane: int, point: Point, section: bool, through: dict[Point, Bdd]) -> Bdd:
        """Return the configurations from which a step leads out of sections, or to where there is a way out."""
        able = self.store.false
        for there, inside, premise, change in self.steps.after(lane, point, section, self.store.true):
            if there == UNUSED:
                continue
            if inside:
                goal = through[there]
                premise &= rename(goal, self.store.substitution(change)) if change else goal
            able |= self._existing(lane, point, premise)
        return able

    def _existing(self, lane: int, point: Point, states: Bdd) -> Bdd:
        """Return a set without what is chosen in a step, and without variables that do not exist at its point."""
        own = self.steps.lanes.lanes[lane]
        kept = set(own.existing_variables(self.steps.program, point))
        gone = [place for places in own.depths for place in places if place not in kept]
        return exists(states, self.store.cube([*gone, *self.steps.choices]))
