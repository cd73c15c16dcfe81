"""From a place of which a proof says something to the next such places, edge by edge, over all ways at once.

A run *arrives* at a location where a flag is true, with a state.  An edge leads on where its formulas are defined and
pass; of several edges out of a location each has a name of its own that lets it be taken, so which one is remains open.
Where ways meet, the flags say whose state it is.  A call of a procedure of which the proof speaks is stepped over, by
what it says; of another one it is walked through; one that cannot be (loops, recursion) must not be called.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from knaster_check.c.nodes import TRUE, Names, Node, all_of, any_of, apply, build, choices, general, typed
from knaster_check.graphs import finish
from knaster_check.program import TRUE as PASSES
from knaster_check.program import Assign, Assume, Call, Edge, Formula, Procedure, Program, Return
from knaster_check.refused import Refused, Unsupported
from knaster_check.work import Tick

State = Mapping[str, Node]
Place = tuple[str, int]
MOST = 20_000  # edges on the way from one place to the next ones


class Arrival(NamedTuple):
    """A run at a place: where the flag is true, with a state."""

    place: Place
    flag: Node
    state: State


class Entry(NamedTuple):
    """A call on the way: where it is, whom it calls, where it happens, and with which globals and arguments."""

    edge: Edge
    callee: Procedure
    flag: Node
    given: State


class Region:
    """What a walk finds: arrivals at the next places, all arrivals before, and calls that are not walked through."""

    def __init__(self) -> None:
        self.ends: list[Arrival] = []
        self.passed: list[Arrival] = []
        self.calls: list[Entry] = []


class Walk:
    """Walks through one program, and steps over calls of the procedures that are `spoken` of.

    `returns` says what is known after such a call, over what it was given and what it leaves; `known` what is known at
    an arrival on the way.
    """

    def __init__(self, program: Program, spoken: Collection[str], tick: Tick) -> None:
        self.program = program
        self.spoken = frozenset(spoken)
        self.tick = tick
        self.names = Names()
        self.leaving: dict[Place, list[Edge]] = {}
        for procedure in program.procedures.values():
            if procedure.enforce != PASSES:
                raise Unsupported("'enforce' is nothing for invariants", f"'{procedure.name}'")
            for edge in procedure.edges:
                self.leaving.setdefault((procedure.name, edge.source), []).append(edge)
        self.inside = find_inside(program, self.spoken)
        self.returns: Callable[[Procedure, State, State], Node] = lambda callee, given, left: TRUE
        self.known: Callable[[Arrival], Node] = lambda arrival: TRUE
        self._edges = 0

    def any_state(self, name: str, only: Iterable[str] | None = None) -> dict[str, Node]:
        """Return any state of a procedure, perhaps of some variables only."""
        types = {**self.program.types, **self.program.procedures[name].types}
        return self.names.fresh_state(types if only is None else {each: types[each] for each in only})

    def region(self, start: Arrival, stops: Collection[int]) -> Region:
        """Return what a run may get to from an arrival before it has passed another of some locations."""
        self._edges = 0
        found = Region()
        found.ends = self._walk(start, stops, found, self.known)
        return found

    def _walk(
        self, start: Arrival, stops: Collection[int], found: Region, known: Callable[[Arrival], Node]
    ) -> list[Arrival]:
        name, first = start.place
        coming: dict[int, list[Arrival]] = {}
        for location in self._order(name, first, stops):
            arrival = start
            if location != first:
                if location not in coming:
                    continue
                arrival = self.meet((name, location), coming.pop(location))
                arrival = arrival._replace(flag=all_of([arrival.flag, known(arrival)]))
            found.passed.append(arrival)
            for taken, edge in self.ways(arrival):
                for after in self.after(taken, edge, found):
                    coming.setdefault(edge.target, []).append(after)
        return [self.meet((name, location), coming[location]) for location in sorted(coming)]

    def ways(self, arrival: Arrival) -> Iterator[tuple[Arrival, Edge]]:
        """Yield each edge out of an arrival, with the arrival where it is taken: which one is remains open."""
        edges = self.leaving.get(arrival.place, [])
        for edge in edges:
            taken = arrival.flag if len(edges) == 1 else all_of([arrival.flag, self.names.fresh("go", ("bool",))])
            yield arrival._replace(flag=taken), edge

    def _order(self, name: str, first: int, stops: Collection[int]) -> list[int]:
        """Return the locations before the stops, each after those before it; refuse a cycle among them."""

        def following(location: int) -> list[int]:
            return [edge.target for edge in self.leaving.get((name, location), ()) if edge.target not in stops]

        found = finish(first, following)
        position = {location: number for number, location in enumerate(found)}
        for location in found:
            for other in following(location):
                if position[other] >= position[location]:
                    raise Refused(f"the proof says nothing about location {other}, which is in a cycle", f"'{name}'")
        return found[::-1]

    def meet(self, place: Place, arrivals: Sequence[Arrival]) -> Arrival:
        """Return one arrival for several: the first one whose flag is true."""
        *others, last = arrivals
        state = dict(last.state)
        for arrival in reversed(others):
            for name, value in arrival.state.items():
                if value is not state[name]:
                    state[name] = apply(("if",), arrival.flag, value, state[name])
        return Arrival(place, any_of(arrival.flag for arrival in arrivals), state)

    def after(self, arrival: Arrival, edge: Edge, found: Region) -> Iterator[Arrival]:
        """Yield where an edge leads: at most one arrival."""
        self.tick()
        self._edges += 1  # mutant: how large a region may be
        if self._edges > MOST:  # mutant(>): one edge more or less
            raise Unsupported("there are too many edges between the places of the proof")
        if not isinstance(edge.action, Call):
            yield self.step(arrival, edge, self.inputs(edge))
            return
        call = self.enter(arrival, edge, self.inputs(edge))
        if call.callee.name in self.inside:
            entry = self.entry(call)
            stops = {call.callee.exit}
            exits = [entry] if entry.place[1] in stops else self._walk(entry, stops, found, lambda arrival: TRUE)
            found.passed += exits
            yield from (self.leave(arrival, call, last) for last in exits)
            return
        found.calls.append(call)
        if call.callee.name in self.spoken:  # if not, it must not be called
            left = self.any_state(call.callee.name)
            flag = all_of([call.flag, self.returns(call.callee, call.given, left)])
            yield self.leave(arrival, call, Arrival((call.callee.name, call.callee.exit), flag, left))

    def inputs(self, edge: Edge) -> list[Node]:
        """Return a name for each choice of an edge."""
        return [self.names.fresh("input", type) for type in choices(formulas_of(edge))]

    def step(self, arrival: Arrival, edge: Edge, inputs: Sequence[Node]) -> Arrival:
        """Return where an edge leads that is no call."""
        procedure = self.program.procedures[arrival.place[0]]
        state, flags, left = dict(arrival.state), [arrival.flag], list(inputs)

        def value_of(formula: Formula, after: State | None = None) -> Node:
            own = [left.pop(0) for _ in choices([formula])]
            value, defined = build(formula, arrival.state, own, after)
            flags.extend(defined)
            return value

        match edge.action:
            case Assume(condition):
                flags.append(value_of(condition))
            case Assign(targets, values, constraint):
                state.update(self._write(procedure, targets, [value_of(value) for value in values]))
                flags.append(value_of(constraint, state))
            case Return(values):
                state.update(self._write(procedure, procedure.results, [value_of(value) for value in values]))
            case action:
                what = type(action).__name__.lower()
                raise Unsupported(f"no formula says what '{what}' does", f"'{procedure.name}', line {edge.line}")
        return Arrival((procedure.name, edge.target), all_of(flags), state)

    def _write(self, procedure: Procedure, names: Sequence[str], values: Sequence[Node]) -> dict[str, Node]:
        """Return values as those of variables: a number is one of the variable's type."""
        types = {**self.program.types, **procedure.types}
        return {name: store(value, types[name]) for name, value in zip(names, values, strict=True)}

    def enter(self, arrival: Arrival, edge: Edge, inputs: Sequence[Node]) -> Entry:
        """Return a call with its arguments."""
        assert isinstance(edge.action, Call)
        callee = self.program.procedures[edge.action.procedure]
        flags, left, values = [arrival.flag], list(inputs), []
        for argument in edge.action.arguments:
            value, defined = build(argument, arrival.state, [left.pop(0) for _ in choices([argument])])
            flags += defined
            values.append(value)
        given = {name: arrival.state[name] for name in self.program.globals}
        given |= self._write(callee, callee.parameters, values)
        return Entry(edge, callee, all_of(flags), given)

    def entry(self, call: Entry) -> Arrival:
        """Return the arrival at the entry of a callee; its locals and results have any value."""
        rest = self.any_state(call.callee.name, (*call.callee.locals, *call.callee.results))
        return Arrival((call.callee.name, call.callee.entry), call.flag, {**rest, **call.given})

    def leave(self, arrival: Arrival, call: Entry, last: Arrival) -> Arrival:
        """Return the arrival after a call whose callee is at its exit; results come after globals."""
        assert isinstance(call.edge.action, Call)
        procedure = self.program.procedures[arrival.place[0]]
        state = {**arrival.state, **{name: last.state[name] for name in self.program.globals}}
        for target, result in zip(call.edge.action.targets, call.callee.results, strict=False):
            if target is not None:
                state |= self._write(procedure, [target], [last.state[result]])
        return Arrival((procedure.name, call.edge.target), last.flag, state)


def store(value: Node, type: tuple[object, ...]) -> Node:
    """Return a value that a variable of a type has; `terms` refuses a number that does not fit."""
    value = typed(value, general(type))
    return Node(("fits", type), value.type, (value,)) if type[0] == "int" else value


def formulas_of(edge: Edge) -> tuple[Formula, ...]:
    """Return the formulas of an edge that may have choices, in the order in which they are evaluated."""
    match edge.action:
        case Assume(condition):
            return (condition,)
        case Assign(_, values, constraint):
            return (*values, constraint)
        case Return(values):
            return values
        case Call(_, arguments, _, _, _):
            return arguments
    return ()


def find_inside(program: Program, spoken: Collection[str]) -> frozenset[str]:
    """Return the procedures that calls are walked through: the proof does not speak of them, nor have they cycles."""
    calls = {
        name: [edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)]
        for name, procedure in program.procedures.items()
    }
    found: dict[str, bool] = {}
    for root in calls:
        for name in finish(root, calls.__getitem__):  # callees first, but for recursion
            if name not in found:
                others = [callee for callee in calls[name] if callee not in spoken]
                plain = name not in spoken and not _has_cycle(program.procedures[name])
                found[name] = plain and all(found.get(callee, False) for callee in others)
    return frozenset(name for name, inside in found.items() if inside)


def _has_cycle(procedure: Procedure) -> bool:
    leaving: dict[int, list[int]] = {}
    for edge in procedure.edges:
        leaving.setdefault(edge.source, []).append(edge.target)
    found = finish(procedure.entry, lambda location: leaving.get(location, []))
    position = {location: number for number, location in enumerate(found)}
    return any(position[other] >= position[location] for location in found for other in leaving.get(location, ()))
