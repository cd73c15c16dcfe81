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
    targets    no configuration is there

A started thread takes the first lane that is free.  It may be forgotten where there are at least as many lanes for
started threads as switches: no run within the bound runs more of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from knaster_check.boolean.circuit import FALSE, TRUE, Circuit, Functions, Literal, Valuation, View
from knaster_check.boolean.circuit_steps import entry_values, result_values, step
from knaster_check.boolean.lanes import ENDED, UNUSED, Point, read_lane
from knaster_check.boolean.obligations import Obligations
from knaster_check.program import UNBEGUN, Assign, Assume, Call, Procedure, Program, Return, Target, Thread
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with, truth_of
from knaster_check.table import Tick, Verdict

Sets = list[dict[tuple[Point, bool], int]]  # of one layer, by lane
_CLOSED = ("started", "nodes", "sets", "shared", "lanes")
_BOUNDED = ("started", "nodes", "layers", "shared", "lanes", "forgets", "kind")


class Arrival(NamedTuple):
    """Where a step leads: the point, whether inside a section, under which premises, and what changes."""

    point: Point
    section: bool
    premises: list[Literal]
    change: dict[int, Literal]


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


class Configurations:
    """The sets of a proof, for a program."""

    def __init__(self, program: Program, data: Any, obligations: Obligations) -> None:
        self.program, self.obligations, self.circuit = program, obligations, Circuit()
        self.closed = isinstance(data, dict) and "sets" in data
        object_with(data, _CLOSED if self.closed else _BOUNDED, "'configurations'")
        self.started = number_of(data["started"], "started")
        self.shared: dict[str, int] = object_with(data["shared"], program.globals, "'shared'")
        rows = list_of(data["lanes"], "lanes", len(program.threads) + self.started)
        self.lanes = [read_lane(program, row) for row in rows]
        self._check_variables()
        self.functions = Functions(data["nodes"])
        self.layers = [
            self._sets(row) for row in ([data["sets"]] if self.closed else list_of(data["layers"], "layers"))
        ]
        expect(bool(self.layers), "there are no sets")
        self.forgets = not self.closed and truth_of(data["forgets"], "forgets")
        self.bound = None if self.closed else _bound(data["kind"], len(self.layers), self.started)
        enough = self.bound is not None and self.bound[0] == "switches" and self.started >= self.bound[1]
        expect(enough or not self.forgets, "threads are forgotten that may matter")
        self.base = {place: self.circuit.variable() for place in self._variables()}
        self.views = [self._view(lane, {}) for lane in range(len(self.lanes))]

    def _view(self, lane: int, change: Mapping[int, Literal]) -> View:
        """Return the sets of a lane, with some variables changed; where it stands itself they do not say."""
        hidden = set(self.lanes[lane].bits)
        places = {place: literal for place, literal in {**self.base, **change}.items() if place not in hidden}
        return View(self.circuit, self.functions, places)

    def _variables(self) -> Iterator[int]:
        yield from self.shared.values()
        for lane in self.lanes:
            yield from lane.bits
            for places in lane.depths:
                yield from places

    def _check_variables(self) -> None:
        used = [number_of(place, "a variable") for place in self._variables()]
        expect(len(set(used)) == len(used), "two things have one variable")

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
            raise Unsupported(f"there is no check for '{target.name}' yet")
        for layer in self.layers:
            for lane, own in enumerate(layer):
                for (point, _), function in own.items():
                    if point[1:] == target[1:]:
                        premises = [self.views[lane].of(function)]
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
            leaving = [-self.base[self.shared[self.program.atomic]]] if self.program.atomic is not None else []
            leaving.append(self.whole(number, left, True))
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
            failed = bool(point[1]) and point[2] in self.program.procedures[point[1]].failures
            if not section and not (leaving and failed):
                found = self.circuit.choose(self.code(lane, point), self.views[lane].of(function), found)
        return found

    def over(self, lane: int) -> Literal:
        """Return where a thread has ended or was not started."""
        found = FALSE
        for point in self.lanes[lane].points:
            if self.has_ended(point):
                found = self.circuit.choose(self.code(lane, point), TRUE, found)
        return found

    def has_ended(self, point: Point) -> bool:
        """Tell whether a thread at a point is over, or not there yet."""
        calls, name, location = point
        return point in (ENDED, UNUSED) or (not calls and location == self.program.procedures[name].exit)

    def bits(self, lane: int, point: Point) -> dict[int, Literal]:
        """Return the bits of the number of a point."""
        own = self.lanes[lane]
        expect(point in own.points, "a point is missing", f"'{point[1]}', location {point[2]}")
        code = own.points.index(point)
        return {bit: TRUE if code >> index & 1 else FALSE for index, bit in enumerate(own.bits)}

    def code(self, lane: int, point: Point) -> Literal:
        """Return that a thread stands at a point."""
        bits = self.bits(lane, point).items()
        return self.circuit.every(self.base[bit] if value == TRUE else -self.base[bit] for bit, value in bits)

    def globals(self) -> dict[str, Literal]:
        """Return the values of the globals."""
        return {name: self.base[place] for name, place in self.shared.items()}

    def places(self, lane: int, procedure: Procedure, depth: int) -> dict[str, int]:
        """Return which variable of the sets holds each variable of an activation, and the globals."""
        own = self.lanes[lane].depths[depth] if depth < len(self.lanes[lane].depths) else ()
        expect(len(own) >= len(procedure.frame), "an activation has too few variables", f"'{procedure.name}'")
        return {**self.shared, **dict(zip(procedure.frame, own, strict=False))}

    def after(self, lane: int, point: Point, section: bool) -> Iterator[Arrival]:
        """Yield every step of a thread that stands at a point."""
        calls, name, location = point
        if self.has_ended(point):
            return
        here, depth, circuit = self.program.procedures[name], len(calls), self.circuit
        places = self.places(lane, here, depth)
        now = {variable: self.base[place] for variable, place in places.items()}
        if location == UNBEGUN:
            change = {places[variable]: circuit.variable() for variable in here.locals + here.results}
            begun = {variable: change.get(place, self.base[place]) for variable, place in places.items()}
            yield Arrival((calls, name, here.entry), False, [circuit.value(here.enforce, begun)], change)
            return
        if location == here.exit:
            yield self._back(lane, point, section, now)
        for number, edge in enumerate(here.edges):
            if edge.source == location:
                for arrival in self._take(lane, point, section, number, places, now):
                    yield arrival._replace(section=arrival.section and not self.has_ended(arrival.point))

    def _take(
        self, lane: int, point: Point, section: bool, number: int, places: Mapping[str, int], now: Valuation
    ) -> Iterator[Arrival]:
        calls, name, _ = point
        here, circuit = self.program.procedures[name], self.circuit
        edge = here.edges[number]
        there: Point = (calls, name, edge.target)
        match edge.action:
            case Assume() | Assign() | Return() as action:
                condition, changes = step(circuit, here, action, now)
                premises = [condition, circuit.value(here.enforce, {**now, **changes})]
                yield Arrival(there, section, premises, {places[x]: literal for x, literal in changes.items()})
            case Call(called) as call:
                callee = self.program.procedures[called]
                inner = self.places(lane, callee, len(calls) + 1)
                start = {x: circuit.variable() for x in callee.locals + callee.results}
                start |= entry_values(circuit, callee, call, now, ())
                enforced = circuit.value(callee.enforce, {**self.globals(), **start})
                entered: Point = ((*calls, (name, number)), called, callee.entry)
                yield Arrival(entered, section, [enforced], {inner[x]: literal for x, literal in start.items()})
            case Thread("end_thread"):
                yield Arrival(ENDED, False, [], {})
            case Thread(operation) as action:
                expect(operation not in ("wait", "broadcast"), f"nothing is known of '{operation}'")
                enforced = circuit.value(here.enforce, now)
                if operation == "start_thread":
                    yield from self._start(lane, Arrival(there, section, [enforced], {}), here, action, now)
                else:
                    yield Arrival(there, operation == "atomic_begin", [enforced], {})
            case action:
                raise Refused(f"nothing is known of '{type(action).__name__.lower()}'")

    def _start(self, lane: int, arrival: Arrival, here: Procedure, action: Thread, now: Valuation) -> Iterator[Arrival]:
        """Yield what it does to start a thread: it takes the first lane that is free."""
        if self.forgets:
            yield arrival
        arguments = [self.circuit.value(argument, now) for argument in action.arguments]
        premises = arrival.premises
        for other in range(len(self.program.threads), len(self.lanes)):
            if other == lane:
                continue
            if action.procedure is not None:
                callee = self.program.procedures[action.procedure]
                begins: Point = ((), callee.name, UNBEGUN)
                places = self.places(other, callee, 0)
                change = {places[x]: literal for x, literal in zip(callee.parameters, arguments, strict=True)}
            else:
                assert action.location is not None
                begins = ((), here.name, action.location)
                places = self.places(other, here, 0)
                change = {places[x]: now[x] for x in here.frame}
            free = self.code(other, UNUSED)
            yield arrival._replace(premises=[*premises, free], change={**change, **self.bits(other, begins)})
            premises = [*premises, -free]
        if not self.forgets:
            yield Arrival(UNUSED, False, premises, {})

    def _back(self, lane: int, point: Point, section: bool, now: Valuation) -> Arrival:
        """Return the step from the exit of a callee into its caller."""
        calls, name, _ = point
        below, number = calls[-1]
        caller, callee = self.program.procedures[below], self.program.procedures[name]
        edge = caller.edges[number]
        assert isinstance(edge.action, Call)
        places = self.places(lane, caller, len(calls) - 1)
        changes = result_values(edge.action, callee, now)
        after = {**{x: self.base[place] for x, place in places.items()}, **changes}
        there: Point = (calls[:-1], below, edge.target)
        premises = [self.circuit.value(caller.enforce, after)]
        change = {places[x]: literal for x, literal in changes.items()}
        return Arrival(there, section and not self.has_ended(there), premises, change)


def _bound(kind: object, layers: int, started: int) -> tuple[str, int]:
    expect(kind == "switches" or (kind == "rounds" and not started), "the bound is of another kind")
    return (str(kind), layers - 1 if kind == "switches" else layers)
