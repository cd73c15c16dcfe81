"""The check of configurations of threads: by implications, without the engine that made them and without its relations.

As in `path_edges`, each step is one implication: what is known before it implies, for every value of every choice, that
the configuration after it belongs to the set of where it leads.  The configuration after the step is substituted.

    start      every initial configuration is in the first layer, with each thread running
    steps      every layer is closed under each step of the thread that runs
    switches   what may be switched from is in the next layer with any other thread running (closed: in the same one)
    targets    hold no configuration at all; of a deadlock: no configuration is one

A started thread takes the first lane that is free.  Where `forgets` is set it may also be forgotten; that is allowed in
a proof for K switches with at least K lanes for started threads, because no run within K switches runs more of them.

A deadlock is a configuration where another thread may run, some thread has not ended, and none can step; a thread
before `atomic_begin` can step only where there is a way through its section.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, exists, minus, rename
from knaster.checkers.threads.thread_steps import Steps
from knaster.evidence.proofs.threads.configurations import Configurations, Layer
from knaster.evidence.questions.question import Target
from knaster.program.layout.lanes import UNBEGUN, UNUSED, Point
from knaster.program.model import Program


def check_configurations(proof: Configurations, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` unless the proof shows that no target is reachable, within its bound if it has one."""
    if proof.program is not program or proof.lanes.program is not program:
        raise InternalError("the certificate is one of another program")
    checker = _Checker(proof, budget)
    checker.check_form()
    for target in targets:
        checker.check_target(target)
    checker.check_start()
    for number, layer in enumerate(proof.layers):
        checker.check_steps(layer)
        checker.check_switches(number)


class _Checker:
    """A proof under examination."""

    def __init__(self, proof: Configurations, budget: Budget) -> None:
        self.proof = proof
        self.program = proof.program
        self.lanes = proof.lanes.lanes
        self.store = proof.store
        self.budget = budget
        self.steps = Steps(proof.lanes, proof.store)

    def check_form(self) -> None:
        """The sets are about the threads of the program, and no two variables or points are the same."""
        proof, lanes = self.proof, self.proof.lanes
        used = [*lanes.shared.values()]
        for number, lane in enumerate(self.lanes):
            expected = self.program.threads[number] if number < len(self.program.threads) else None
            if lane.entry != expected or len(set(lane.codes.values())) < len(lane.points):
                raise InternalError("the certificate is about other threads")
            if any(lane.points[code] != point for point, code in lane.codes.items()) or len(lane.points) > 1 << len(
                lane.bits
            ):
                raise InternalError("the certificate mixes places up")
            used += [*lane.bits, *(place for places in lane.depths for place in places)]
        if len(set(used)) < len(used) or set(lanes.shared) != set(self.program.globals):
            raise InternalError("the certificate mixes variables up")
        if not proof.layers or any(len(layer) != len(self.lanes) for layer in proof.layers):
            raise InternalError("the certificate has no sets for some thread")
        bound = proof.bound
        enough = bound is not None and bound.kind == "switches" and len(lanes.started_lanes) >= bound.number
        if (lanes.forgets and not enough) or (proof.closed and len(proof.layers) != 1):
            raise InternalError("the certificate forgets threads that may matter")

    def check_target(self, target: Target) -> None:
        """No configuration is at a target, or stuck."""
        if not target.has_place:
            _check_deadlock(self.proof, self.steps, target, self.budget)
            return
        for layer in self.proof.layers:
            for sets in layer:
                for (point, _), states in sets.items():
                    if point.place == target.place and states != self.store.false:
                        raise InternalError(f"the certificate does not exclude '{target.name}'")

    def check_start(self) -> None:
        """Every initial configuration is in the first layer."""
        shared, code = self.steps.shared, self.steps.code
        start = self.steps.value(self.program.init, shared, shared, self.steps.fresh())
        for number, lane in enumerate(self.lanes):
            start &= code(number, UNUSED if lane.entry is None else Point((), lane.entry, UNBEGUN))
        for number, lane in enumerate(self.lanes):
            if lane.entry is not None:
                known = self._at(self.proof.layers[0], number, Point((), lane.entry, UNBEGUN), False)
                self._require(start, known, "an initial configuration is missing")

    def check_switches(self, number: int) -> None:
        """What one thread leaves is there with every other thread running."""
        proof, rounds = self.proof, self.proof.kind == "rounds"
        whole = [self._whole(number, lane, leaving=False) for lane in range(len(self.lanes))]
        later = None if proof.closed or number + 1 == len(proof.layers) else number + 1
        for left in range(len(self.lanes)):
            given = self._whole(number, left, leaving=True)
            for entered in range(len(self.lanes)):
                if entered == left:
                    continue  # mutant: it begins anew in the next layer, and gets there again
                premise = minus(given, self.steps.over(entered))
                if proof.closed or (rounds and entered > left):  # mutant(>): they differ here
                    self._require(premise, whole[entered], "a switch leads out of it")
                elif later is not None:
                    self._require(premise, self._whole(later, entered, leaving=False), "a switch leads out of it")

    def _whole(self, number: int, lane: int, leaving: bool) -> Bdd:
        """Return the configurations of a layer with one thread running; with `leaving`, those where it may stop."""
        found = self.store.false
        for (point, section), states in self.proof.layers[number][lane].items():
            if section or (leaving and not self.steps.may_leave(point)):
                continue
            found |= states & self.steps.code(lane, point)
        if leaving and self.program.atomic is not None:
            found = minus(found, self.steps.shared[self.program.atomic])
        return found

    def check_steps(self, layer: Layer) -> None:
        """Every step of the thread that runs stays in the layer."""
        for lane, sets in enumerate(layer):
            for (point, section), states in sets.items():
                if states == self.store.false:
                    continue  # mutant: of an empty set nothing is asked
                self.budget.check()
                for there, inside, premise, change in self.steps.after(lane, point, section, states):
                    if there == UNUSED:
                        self._require(premise, self.store.false, "more threads are started than it knows")
                        continue  # mutant: the premise is empty, and the rest asks it again
                    known = self._at(layer, lane, there, inside)
                    if change:
                        known = rename(known, self.store.substitution(change))
                    where = f"location {there.location} of '{there.procedure}'"
                    self._require(premise, known, f"a step to {where} leads out of it")

    def _at(self, layer: Layer, lane: int, point: Point, section: bool) -> Bdd:
        return layer[lane].get((point, section), self.store.false)

    def _require(self, premise: Bdd, conclusion: Bdd, message: str) -> None:
        if minus(premise, conclusion) != self.store.false:
            raise InternalError(f"the certificate does not hold: {message}")


def _check_deadlock(proof: Configurations, steps: Steps, target: Target, budget: Budget) -> None:
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
            stuck = minus(stuck, self._where_it_moves(lane))
        return minus(stuck, all_over)

    def _where_it_moves(self, lane: int) -> Bdd:
        """Return where a thread can step."""
        through = self._through(lane)
        moving = self.store.false
        for point in self.steps.lanes.lanes[lane].points:
            able = self._able(lane, point, False, through) if point.location != UNBEGUN else self.store.false
            if point.location == UNBEGUN:  # it begins and steps
                for begun, _, premise, _ in self.steps.after(lane, point, False, self.store.true):
                    able |= self._without_choices(lane, point, premise & self._able(lane, begun, False, through))
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
                continue  # mutant: `check_steps` refuses sets with such a step
            if inside:
                goal = through[there]
                premise &= rename(goal, self.store.substitution(change)) if change else goal
            able |= self._without_choices(lane, point, premise)
        return able

    def _without_choices(self, lane: int, point: Point, states: Bdd) -> Bdd:
        """Return a set without what is chosen in a step, and without variables that do not exist at its point."""
        own = self.steps.lanes.lanes[lane]
        kept = set(own.existing_variables(self.steps.program, point))
        gone = [place for places in own.depths for place in places if place not in kept]
        return exists(states, self.store.cube([*gone, *self.steps.choices]))
