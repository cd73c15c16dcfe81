"""The steps of a thread on sets of configurations as BDDs, for the check of configurations.

These are not the relations of the engines: a step is a *premise*, what is known before it for some values of its
choices, and a *change*, the functions that take the place of variables in whatever is to hold afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from knaster.base.errors import InternalError
from knaster.base.named_tuples import NamedTuple
from knaster.bdd.store import Bdd, Store, exists, minus
from knaster.checkers.boolean_meaning import meaning
from knaster.program.expression import TRUE, Expr
from knaster.program.layout.lanes import ENDED, UNBEGUN, UNUSED, Lanes, Point
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Procedure, Return, ThreadOperation

Valuation = Mapping[str, Bdd]
Change = dict[int, Bdd]  # the function that takes the place of a variable


class Arrival(NamedTuple):
    """Where a step leads, and whether into a section; UNUSED where a thread is started that there is no lane for."""

    point: Point
    section: bool
    premise: Bdd
    change: Change


class Steps:
    """The steps of all threads over the variables of some lanes."""

    def __init__(self, lanes: Lanes, store: Store) -> None:
        self.lanes = lanes
        self.store = store
        self.program = lanes.program
        self.procedures = {procedure.name: procedure for procedure in self.program.procedures}
        self.shared = {name: store.var(place) for name, place in lanes.shared.items()}
        self.choices: list[int] = []  # the variables of all choices so far

    def code(self, lane: int, point: Point) -> Bdd:
        """Return that a thread stands at a point."""
        own = self.lanes.lanes[lane]
        if point not in own.codes:
            raise InternalError(f"the certificate knows no location {point.location} of '{point.procedure}'")
        code = own.codes[point]
        return self.store.assignment({bit: bool(code >> index & 1) for index, bit in enumerate(own.bits)})

    def has_ended(self, point: Point) -> bool:
        """Tell whether a thread at this point is over, or not there yet."""
        if point in (ENDED, UNUSED):
            return True
        return not point.calls and point.location == self.procedures[point.procedure].exit

    def over(self, lane: int) -> Bdd:
        """Return where a thread has ended or has not been started."""
        over = self.store.false
        for point in self.lanes.lanes[lane].points:
            if self.has_ended(point):
                over |= self.code(lane, point)
        return over

    def may_leave(self, point: Point) -> bool:
        """Tell whether another thread may run when this one stands at a point outside a section."""
        return not point.procedure or point.location not in self.procedures[point.procedure].failures

    def after(self, lane: int, point: Point, section: bool, states: Bdd) -> Iterator[Arrival]:
        """Yield every step of a thread that stands at a point."""
        if self.has_ended(point):
            return
        procedure = self.procedures[point.procedure]
        if point.location == UNBEGUN:
            now = self._scope(lane, procedure, 0)
            names = procedure.locals + procedure.results  # they take any value now
            premise = self._any(states, (self._places(lane, procedure, 0)[name] for name in names))
            premise &= self.value(procedure.enforce, now, now, self.fresh())
            yield Arrival(point._replace(location=procedure.entry), False, premise, {})
        elif point.location == procedure.exit:
            yield self._back(lane, point, section, states)
        for number, edge in enumerate(procedure.edges):
            if edge.source == point.location:
                for arrival in self._take_edge(lane, point, section, states, number):
                    inside = arrival.section and not self.has_ended(arrival.point)
                    yield arrival._replace(section=inside)

    def _take_edge(self, lane: int, point: Point, section: bool, states: Bdd, number: int) -> Iterator[Arrival]:
        here = self.procedures[point.procedure]
        edge = here.edges[number]
        now, choices = self._scope(lane, here, point.depth), self.fresh()
        places = self._places(lane, here, point.depth)
        after = point._replace(location=edge.target)
        match edge.action:
            case Assume(condition):
                premise = states & self.value(condition, now, now, choices)
                yield Arrival(after, section, premise & self.value(here.enforce, now, now, choices), {})
            case Assign() | Return():
                targets, values, constraint = _writes(here, edge)
                changes = {x: self.value(e, now, now, choices) for x, e in zip(targets, values, strict=True)}
                following = {**now, **changes}
                premise = states & self.value(constraint, now, following, choices)
                premise &= self.value(here.enforce, following, following, choices)
                yield Arrival(after, section, premise, {places[x]: f for x, f in changes.items()})
            case Call(name) as call:
                callee = self.procedures[name]
                inside = self._places(lane, callee, point.depth + 1)
                passed = {x: self.value(e, now, now, choices) for x, e in call.bindings(callee)}
                start = {**self._scope(lane, callee, point.depth + 1), **passed}
                entered = Point((*point.calls, (here.name, number)), callee.name, callee.entry)
                premise = self._any(states, self.lanes.lanes[lane].depths[point.depth + 1])
                premise &= self.value(callee.enforce, start, start, choices)
                yield Arrival(entered, section, premise, {inside[x]: f for x, f in passed.items()})
            case Concurrent(operation):
                if operation is ThreadOperation.END:
                    yield Arrival(ENDED, False, states, {})
                    return
                premise = states & self.value(here.enforce, now, now, choices)
                if operation in (ThreadOperation.ATOMIC_BEGIN, ThreadOperation.ATOMIC_END):
                    yield Arrival(after, operation is ThreadOperation.ATOMIC_BEGIN, premise, {})
                elif operation is ThreadOperation.START:
                    reached = Arrival(after, section, premise, {})
                    yield from self._start(lane, reached, here, edge.action, now, choices)
                else:
                    raise InternalError(f"no certificate covers '{operation.value}'")

    def _start(
        self, lane: int, reached: Arrival, here: Procedure, action: Concurrent, now: Valuation, choices: Iterator[Bdd]
    ) -> Iterator[Arrival]:
        """Yield what it does to start a thread: it takes the first lane that is free."""
        premise = reached.premise
        if self.lanes.forgets:
            yield reached
        values = [self.value(argument, now, now, choices) for argument in action.arguments]
        for other in self.lanes.started_lanes:
            if other == lane:
                continue
            own = self.lanes.lanes[other]
            if action.procedure is not None:
                begins = Point((), action.procedure, UNBEGUN)
                frame = own.frame(self.program, action.procedure, 0)
                names = self.procedures[action.procedure].parameters
                change = {frame[name]: value for name, value in zip(names, values, strict=True)}
            else:
                assert action.location is not None
                begins = Point((), here.name, action.location)
                change = {place: now[name] for name, place in own.frame(self.program, here.name, 0).items()}
            for index, bit in enumerate(own.bits):
                change[bit] = self.store.const(bool(own.codes[begins] >> index & 1))
            free = self.code(other, UNUSED)
            yield Arrival(reached.point, reached.section, premise & free, change)
            premise = minus(premise, free)
        if not self.lanes.forgets:
            yield Arrival(UNUSED, False, premise, {})

    def _back(self, lane: int, point: Point, section: bool, states: Bdd) -> Arrival:
        name, number = point.calls[-1]
        caller, callee = self.procedures[name], self.procedures[point.procedure]
        edge = caller.edges[number]
        assert isinstance(edge.action, Call)
        results = self._scope(lane, callee, point.depth)
        after = self._scope(lane, caller, point.depth - 1)
        places = self._places(lane, caller, point.depth - 1)
        changes = {target: results[result] for target, result in edge.action.results(callee)}
        following = {**after, **changes}
        premise = states & self.value(caller.enforce, following, following, self.fresh())
        back = Point(point.calls[:-1], name, edge.target)
        change = {places[x]: f for x, f in changes.items()}
        return Arrival(back, section and not self.has_ended(back), premise, change)

    def _any(self, states: Bdd, places: Iterable[int]) -> Bdd:
        """Return a set with any values of some variables."""
        return exists(states, self.store.cube(places))

    def _places(self, lane: int, procedure: Procedure, depth: int) -> dict[str, int]:
        return {**self.lanes.shared, **self.lanes.lanes[lane].frame(self.program, procedure.name, depth)}

    def _scope(self, lane: int, procedure: Procedure, depth: int) -> dict[str, Bdd]:
        return {name: self.store.var(place) for name, place in self._places(lane, procedure, depth).items()}

    def fresh(self) -> Iterator[Bdd]:
        """Yield a new function for each choice of one step; other steps may use the same."""
        used = 0
        while True:
            if used == len(self.choices):
                self.choices += self.store.extend(1)
            yield self.store.var(self.choices[used])
            used += 1

    def value(self, expr: Expr, before: Valuation, after: Valuation, choices: Iterable[Bdd]) -> Bdd:
        """Return what an expression stands for."""
        return meaning(self.store, expr, before, after, choices)


def _writes(procedure: Procedure, edge: Edge) -> tuple[tuple[str, ...], tuple[Expr, ...], Expr]:
    match edge.action:
        case Assign(targets, values, constraint):
            return targets, values, constraint
        case Return(values):
            return procedure.results, values, TRUE
        case action:
            raise InternalError(f"{action} writes nothing")
