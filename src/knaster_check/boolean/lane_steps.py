"""The steps of threads without recursion over the variables of some sets: what must be true, and what changes.

A configuration has the globals and, for each thread, a lane (`lanes`).  A step has *premises*, for some values of its
choices, and a *change*: what takes the place of variables in whatever is to hold afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from knaster_check.boolean.circuit import FALSE, TRUE, Circuit, Literal, Valuation
from knaster_check.boolean.circuit_steps import entry_values, result_values, step
from knaster_check.boolean.lanes import ENDED, UNUSED, Lane, Point
from knaster_check.program import UNBEGUN, Assign, Assume, Call, Procedure, Program, Return, Thread
from knaster_check.refused import Refused, expect, number_of


class Arrival(NamedTuple):
    """Where a step leads: the point, whether inside a section, under which premises, and what changes."""

    point: Point
    section: bool
    premises: list[Literal]
    change: dict[int, Literal]


class LaneSteps:
    """The steps of all threads; with `forgets`, a thread that is started may be forgotten."""

    def __init__(self, program: Program, shared: Mapping[str, int], lanes: Sequence[Lane], forgets: bool) -> None:
        self.program, self.circuit, self.shared, self.lanes = program, Circuit(), shared, lanes
        self.forgets = forgets
        used = [number_of(place, "a variable") for place in self._variables()]
        expect(len(set(used)) == len(used), "two things have one variable")
        self.base = {place: self.circuit.variable() for place in used}

    def _variables(self) -> Iterator[int]:
        yield from self.shared.values()
        for lane in self.lanes:
            yield from lane.bits
            for places in lane.depths:
                yield from places

    def has_failed(self, point: Point) -> bool:
        """Tell whether a thread at a point has failed an assertion."""
        return bool(point[1]) and point[2] in self.program.procedures[point[1]].failures

    def lock(self) -> Literal:
        """Return where the global `atomic` keeps others from running."""
        return FALSE if self.program.atomic is None else self.base[self.shared[self.program.atomic]]

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
                continue  # mutant: its own lane is not free
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
