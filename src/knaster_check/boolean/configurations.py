"""The check of configurations: why threads without recursion reach no target, whatever the switches or within a bound.

A configuration has the globals and, for each thread, a *lane*: where it stands and the variables of its activations.
Where it stands is a *point*, a whole stack of places: [[[procedure, edge of the call], ...], procedure, location].
The file says which variable of the sets is what: `shared` for globals, and in `lanes` for each thread its `points`, the
`bits` of the number of its point, and the variables at each of the `depths` of its stack.  A set is known by the thread
that runs, its point, and whether it is inside a section.  It says that every configuration that a run can be in is in
it, with some values of the variables of activations that do not exist.

    start      every initial configuration, with each thread running
    steps      what is in a set is, after each step of the thread that runs, in the set of where that leads
    switches   what may be left is in the sets of every other thread that has not ended; in the next layer (`layers[k]`
               has the runs of at most k switches) or, where there is one layer for all, in the same
    targets    no configuration is there; of a deadlock: where another thread may run, all have ended or one can step

A started thread takes the first lane that is free.  It may be forgotten where there are at least as many lanes for
started threads as switches: no run within the bound runs more of them; of deadlocks nothing is known then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.boolean.circuit import FALSE, Functions, Literal, View
from knaster_check.boolean.lane_moves import find_ways_out
from knaster_check.boolean.lane_steps import LaneSteps
from knaster_check.boolean.lanes import UNUSED, Point, read_lanes
from knaster_check.boolean.obligations import Obligations
from knaster_check.program import UNBEGUN, Program, Target
from knaster_check.refused import expect, list_of, number_of, object_with, truth_of
from knaster_check.table import Tick, Verdict

Sets = list[dict[tuple[Point, bool], int]]  # of one layer, by lane
_CLOSED = ("started", "nodes", "sets", "shared", "lanes")
_BOUNDED = ("started", "nodes", "layers", "shared", "lanes", "forgets", "kind")


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target, within the bound of the proof if it has one."""
    expect(program.kind == "boolean", "it is a proof about Boolean programs")
    expect(bool(targets), "the proof excludes no target")
    proof = Configurations(program, document["configurations"], Obligations(tick))
    for target in targets:
        proof.check_excluded(target)
    proof.check_start()
    for number, layer in enumerate(proof.layers):
        proof.check_steps(layer)
        proof.check_switches(number)
    return Verdict("unreachable", targets, proof.bound, proof.obligations.answered)


class Configurations(LaneSteps):
    """The sets of a proof, for a program."""

    def __init__(self, program: Program, data: Any, obligations: Obligations) -> None:
        closed = isinstance(data, dict) and "sets" in data
        object_with(data, _CLOSED if closed else _BOUNDED, "'configurations'")
        shared, lanes = read_lanes(program, data)
        super().__init__(program, shared, lanes, not closed and truth_of(data["forgets"], "forgets"))
        self.obligations, self.closed, self.started = obligations, closed, len(lanes) - len(program.threads)
        self.functions = Functions(data["nodes"])
        self.layers = [self._sets(row) for row in ([data["sets"]] if closed else list_of(data["layers"], "layers"))]
        expect(bool(self.layers), "there are no sets")
        self.bound = None if closed else _bound(data["kind"], len(self.layers), self.started)
        enough = self.bound is not None and self.bound[0] == "switches" and self.started >= self.bound[1]
        expect(enough or not self.forgets, "threads are forgotten that may matter")
        self.views = [self._view(lane, {}) for lane in range(len(self.lanes))]

    def _view(self, lane: int, change: Mapping[int, Literal]) -> View:
        """Return the sets of a lane, with some variables changed; where it stands itself they do not say."""
        hidden = set(self.lanes[lane].bits)
        places = {place: literal for place, literal in {**self.base, **change}.items() if place not in hidden}
        return View(self.circuit, self.functions, places)

    def _sets(self, data: object) -> Sets:
        found: Sets = []
        for lane, row in zip(self.lanes, list_of(data, "sets", len(self.lanes)), strict=True):
            own: dict[tuple[Point, bool], int] = {}
            for entry in list_of(row, "the sets of a thread"):
                code, section, function = list_of(entry, "a set", 3)
                point = lane.points[number_of(code, "a point", len(lane.points))]
                key = (point, bool(number_of(section, "a section", 2)))
                expect(key not in own, "a point has two sets")
                own[key] = self.functions.number(function)
            found.append(own)
        return found

    def check_excluded(self, target: Target) -> None:
        """Refuse where a configuration is at a target."""
        if not target.procedure:
            return self._check_deadlock(target)
        for layer in self.layers:
            for lane, own in enumerate(layer):
                for (point, _), function in own.items():
                    if point[1:] == target[1:]:
                        premises = [self.views[lane].of(function)]
                        self.obligations.require(self.circuit, premises, FALSE, "it is not excluded", target.name)
        return None

    def _check_deadlock(self, target: Target) -> None:
        expect(target.name == "deadlock" and not self.forgets, "the proof says nothing of it", target.name)
        able = [find_ways_out(self, lane, self.obligations) for lane in range(len(self.lanes))]
        rest = self.circuit.every([-literal for literal in able] + [-self.lock()])
        stuck = self.circuit.both(rest, -self.circuit.every(self.over(lane) for lane in range(len(self.lanes))))
        for layer in self.layers:
            for lane, own in enumerate(layer):
                for (point, section), function in own.items():
                    if section or point[2] == UNBEGUN or self.has_failed(point):
                        continue
                    premises = [self.views[lane].of(function), self.code(lane, point), stuck]
                    self.obligations.require(self.circuit, premises, FALSE, "it is not excluded", target.name)

    def check_start(self) -> None:
        """Refuse where an initial configuration is missing."""
        first = [((), name, UNBEGUN) for name in self.program.threads] + [UNUSED] * self.started
        start = [self.circuit.value(self.program.init, self.globals())]
        start += [self.code(lane, point) for lane, point in enumerate(first)]
        for lane in range(len(self.program.threads)):
            known = self.views[lane].of(self.layers[0][lane].get((first[lane], False), 0))
            self.obligations.require(self.circuit, start, known, "an initial configuration is missing")

    def check_steps(self, layer: Sets) -> None:
        """Refuse where a step of the thread that runs leads out of a layer."""
        for lane, own in enumerate(layer):
            for (point, section), function in own.items():
                known = self.views[lane].of(function)
                for there, inside, premises, change in self.after(lane, point, section) if known != FALSE else ():
                    place = f"'{there[1]}', location {there[2]}"
                    if there == UNUSED:
                        reason, conclusion = "more threads are started than there are lanes", FALSE
                    else:
                        conclusion = self._view(lane, change).of(own.get((there, inside), 0))
                        reason = "a step leads out of the sets"
                    self.obligations.require(self.circuit, [known, *premises], conclusion, reason, place)

    def check_switches(self, number: int) -> None:
        """Refuse where a switch leads out of the layers."""
        last = number + 1 == len(self.layers)
        for left in range(len(self.lanes)):
            leaving = [-self.lock(), self.whole(number, left, True)]
            for entered in range(len(self.lanes)):
                # mutant(>): they differ, as the next line says
                same = self.closed or (self.bound is not None and self.bound[0] == "rounds" and entered > left)
                if entered == left or (last and not same):
                    continue
                premises = [*leaving, -self.over(entered)]
                conclusion = self.whole(number if same else number + 1, entered, False)
                self.obligations.require(self.circuit, premises, conclusion, "a switch leads out of the sets")

    def whole(self, number: int, lane: int, leaving: bool) -> Literal:
        """Return the configurations in which a thread runs outside sections; with `leaving`, in which it may stop."""
        found = FALSE
        for (point, section), function in self.layers[number][lane].items():
            if not section and not (leaving and self.has_failed(point)):
                found = self.circuit.choose(self.code(lane, point), self.views[lane].of(function), found)
        return found


def _bound(kind: object, layers: int, started: int) -> tuple[str, int]:
    expect(kind == "switches" or (kind == "rounds" and not started), "the bound is of another kind")
    return (str(kind), layers - 1 if kind == "switches" else layers)
