"""Relations of the steps of threads on sets of configurations, from the lanes of a program.

While a thread runs, its control point is known; a *key* is that point and whether it is inside an atomic section.  A
set of configurations at a key is a BDD over the globals, the activations, and the control points of all other threads.

Local variables that no longer matter where a thread stands are *idle*: a set says nothing about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, replace
from knaster.bdd.relation import Relation, make_relation
from knaster.bdd.store import Bdd, Store, and_exists
from knaster.program.expression import TRUE, Expr, Var
from knaster.program.layout.lanes import ENDED, UNBEGUN, UNUSED, Lane, Lanes, Point
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Procedure, Return, ThreadOperation
from knaster.program.thread_liveness import live_across, live_locals
from knaster.views.symbolic.formula_sets import Reading, equation, possible


class Key(NamedTuple):
    """Where the running thread stands, and whether it is inside a section."""

    point: Point
    section: bool


@dataclass(frozen=True, slots=True)
class Start:
    """A thread is started in a lane that is free: `free` becomes `begins`, its parameters as `passed` says."""

    free: Bdd
    begins: Bdd
    passed: Bdd
    bits: Bdd  # the cube of the bits of the lane's control point
    own: Bdd  # the cube of the variables of its activation

    def image(self, states: Bdd) -> Bdd:
        """Return the states after the step."""
        return and_exists(states, self.free, self.bits) & self.begins & self.passed

    def preimage(self, states: Bdd) -> Bdd:
        """Return the states before the step."""
        return and_exists(and_exists(states, self.begins, self.bits), self.passed, self.own) & self.free


@dataclass(frozen=True, slots=True)
class Move:
    """A step of the running thread: its edge (None: it comes back or begins), and the lane of a thread it starts.

    `relation` is what it does, exactly; `idle` are the variables that no longer matter afterwards, in both copies.
    """

    target: Key
    edge: Edge | None
    relation: Relation | Start
    lane: int | None = None
    idle: Bdd | None = None

    def image(self, states: Bdd) -> Bdd:
        """Return the states after the step, without the values of what no longer matters."""
        if self.idle is None:
            return self.relation.image(states)
        if isinstance(self.relation, Start):
            return self.relation.image(states).exists(self.idle)
        forgotten = self.idle if self.relation.forgotten is None else self.relation.forgotten & self.idle
        return self.relation._replace(forgotten=forgotten).image(states)


class Moves:
    """The steps of every thread of a program."""

    def __init__(self, lanes: Lanes, store: Store) -> None:
        self.lanes = lanes
        self.store = store
        self.program = lanes.program
        self.procedures = {procedure.name: procedure for procedure in self.program.procedures}
        self.leaving: dict[tuple[str, int], list[int]] = {}
        for procedure in self.program.procedures:
            for number, edge in enumerate(procedure.edges):
                self.leaving.setdefault((procedure.name, edge.source), []).append(number)
        self._moves: dict[tuple[int, Key], list[Move]] = {}
        self._relations: dict[tuple[int, int, int], Relation] = {}
        self._codes: dict[tuple[int, int], Bdd] = {}
        self._live = {procedure.name: live_locals(procedure) for procedure in self.program.procedures}
        self._idle: dict[tuple[int, Point], frozenset[int]] = {}

    def code(self, lane: int, point: Point) -> Bdd:
        """Return that a thread stands at a point."""
        number = self.lanes.lanes[lane].codes[point]
        if (lane, number) not in self._codes:
            bits = self.lanes.lanes[lane].bits
            values = {bit: bool(number >> index & 1) for index, bit in enumerate(bits)}
            self._codes[lane, number] = self.store.assignment(values)
        return self._codes[lane, number]

    def has_ended(self, point: Point) -> bool:
        """Tell whether a thread at this point is over, or not there yet."""
        if point in (ENDED, UNUSED):
            return True
        return not point.calls and point.location == self.procedures[point.procedure].exit

    def may_leave(self, key: Key) -> bool:
        """Tell whether another thread may run when this one stands at a key: no section, no failed assertion."""
        point = key.point
        if key.section or point.location == UNBEGUN:
            return False
        return not point.procedure or point.location not in self.procedures[point.procedure].failures

    def leaving_key(self, lane: int, key: Key) -> list[Move]:
        """Return the steps of a thread from a key."""
        known = self._moves.get((lane, key))
        if known is None:
            known = self._moves[lane, key] = [self._forget_idle(lane, move) for move in self._make(lane, key)]
        return known

    def _forget_idle(self, lane: int, move: Move) -> Move:
        idle = self.idle(lane, move.target.point)
        both = [copy for variable in sorted(idle) for copy in (variable, variable + 1)]
        return replace(move, idle=self.store.cube(both)) if both else move

    def idle(self, lane: int, point: Point) -> frozenset[int]:
        """Return the variables of a thread's activations that do not matter where it stands at a point."""
        if (lane, point) not in self._idle:
            self._idle[lane, point] = frozenset(self._idle_at(lane, point))
        return self._idle[lane, point]

    def _idle_at(self, lane: int, point: Point) -> Iterator[int]:
        own = self.lanes.lanes[lane]
        if self.has_ended(point):
            yield from own.existing_variables(self.program, point)
            return
        for depth, (name, number) in enumerate(point.calls):
            edge = self.procedures[name].edges[number]
            assert isinstance(edge.action, Call)
            kept = live_across(edge.action, self._live[name][edge.target])
            yield from (v for local, v in own.frame(self.program, name, depth).items() if local not in kept)
        if point.location != UNBEGUN:
            kept = self._live[point.procedure][point.location]
            frame = own.frame(self.program, point.procedure, point.depth)
            yield from (variable for local, variable in frame.items() if local not in kept)

    def _make(self, lane: int, key: Key) -> Iterator[Move]:
        point = key.point
        if self.has_ended(point):
            return
        here = self.procedures[point.procedure]
        if point.location == UNBEGUN:
            begun = Relation(self._enforcement(here, self._read(lane, here, 0)))
            yield Move(Key(point._replace(location=here.entry), False), None, begun)
        elif point.location == here.exit:
            yield self._back(lane, key, here)
        for number in self.leaving.get(point.place, ()):
            edge = here.edges[number]
            match edge.action:
                case Call():
                    callee = self.procedures[edge.action.procedure]
                    after = Point((*point.calls, (here.name, number)), callee.name, callee.entry)
                    yield Move(Key(after, key.section), edge, self._entry(lane, here, point.depth, edge.action))
                case Concurrent():
                    yield from self._concurrent(lane, key, here, edge)
                case _:
                    yield self._move(key, here, edge, self._internal(lane, here, point.depth, number))

    def _move(self, key: Key, here: Procedure, edge: Edge, relation: Relation | Start, section: bool | None = None,
              lane: int | None = None) -> Move:  # fmt: skip
        after = key.point._replace(location=edge.target)
        inside = key.section if section is None else section
        return Move(Key(after, inside and not self.has_ended(after)), edge, relation, lane)

    def _concurrent(self, lane: int, key: Key, here: Procedure, edge: Edge) -> Iterator[Move]:
        action = edge.action
        assert isinstance(action, Concurrent)
        depth = key.point.depth
        stays = Relation(self._enforcement(here, self._read(lane, here, depth)))
        match action.operation:
            case ThreadOperation.ATOMIC_BEGIN:
                yield self._move(key, here, edge, stays, True)
            case ThreadOperation.ATOMIC_END:
                yield self._move(key, here, edge, stays, False)
            case ThreadOperation.END:
                own = {variable for variables in self.lanes.lanes[lane].depths for variable in variables}
                gone = make_relation(self.store, self.store.true, own, {})
                yield Move(Key(ENDED, False), edge, gone)
            case ThreadOperation.START:
                for other in self.lanes.started_lanes:
                    if other != lane:
                        starting = self._start_of(lane, here, depth, action, other, stays.constraint)
                        yield self._move(key, here, edge, starting, lane=other)
                if self.lanes.forgets:
                    yield self._move(key, here, edge, stays)
            case operation:
                raise InternalError(f"'{operation.value}' should have been refused")

    def _start_of(self, lane: int, here: Procedure, depth: int, action: Concurrent, other: int, before: Bdd) -> Start:
        """Return what it does to start a thread in a lane, the first that is free."""
        read, new = self._read(lane, here, depth), self.lanes.lanes[other]
        free = self.code(other, UNUSED)
        for earlier in self.lanes.started_lanes:
            if earlier < other and earlier != lane:
                free &= ~self.code(earlier, UNUSED)
        passed = self.store.true
        if action.procedure is not None:
            callee = self.procedures[action.procedure]
            point = Point((), callee.name, UNBEGUN)
            for parameter, argument in action.bindings(callee):
                variable = self.store.var(new.frame(self.program, callee.name, 0)[parameter])
                passed &= equation(self.store, variable, argument, read)
        else:
            assert action.location is not None
            point = Point((), here.name, action.location)
            for name, place in new.frame(self.program, here.name, 0).items():
                passed &= self.store.var(place).equiv(read(Var(name)))
        own = [variable for variables in new.depths for variable in variables]
        cube = self.store.cube
        return Start(free & before, self.code(other, point), passed, cube(new.bits), cube(own))

    def _internal(self, lane: int, here: Procedure, depth: int, number: int) -> Relation:
        key = (lane, depth, id(here.edges[number]))
        if key not in self._relations:
            match here.edges[number].action:
                case Assume(condition):
                    read = self._read(lane, here, depth)
                    relation = Relation(possible(self.store, condition, read) & self._enforcement(here, read))
                case Assign(targets, values, constraint):
                    relation = self._assignment(lane, here, depth, targets, values, constraint)
                case Return(values):
                    relation = self._assignment(lane, here, depth, here.results, values, TRUE)
                case action:
                    raise InternalError(f"{action} is no internal step")
            self._relations[key] = relation
        return self._relations[key]

    def _assignment(
        self, lane: int, here: Procedure, depth: int, targets: Sequence[str], values: Sequence[Expr], constraint: Expr
    ) -> Relation:
        read = self._read(lane, here, depth)
        places = self._places(lane, here, depth)
        following = {name: self.store.var(places[name] + 1) for name in targets}
        relation = self.store.true
        for name, value in zip(targets, values, strict=True):
            relation &= equation(self.store, following[name], value, read)

        def after(variable: Var) -> Bdd:
            name = variable.name
            return following[name] if name in following else self.store.var(places[name])

        def both(variable: Var) -> Bdd:
            return after(variable) if variable.primed else read(variable)

        if constraint is not TRUE:
            relation &= possible(self.store, constraint, both)
        relation &= self._enforcement(here, after)
        written = [places[name] for name in targets]
        return make_relation(self.store, relation, set(written), {place + 1: place for place in written})

    def _entry(self, lane: int, here: Procedure, depth: int, call: Call) -> Relation:
        callee = self.procedures[call.procedure]
        read, inside = self._read(lane, here, depth), self._read(lane, callee, depth + 1)
        relation = self._enforcement(callee, inside)
        for parameter, argument in call.bindings(callee):
            relation &= equation(self.store, inside(Var(parameter)), argument, read)
        return Relation(relation)

    def _back(self, lane: int, key: Key, callee: Procedure) -> Move:
        name, number = key.point.calls[-1]
        caller = self.procedures[name]
        edge, depth = caller.edges[number], key.point.depth
        assert isinstance(edge.action, Call)
        places = self._places(lane, caller, depth - 1)
        results = self._read(lane, callee, depth)
        pairs = edge.action.results(callee)
        following = {target: self.store.var(places[target] + 1) for target, _ in pairs}
        relation = self.store.true
        for target, result in pairs:
            relation &= following[target].equiv(results(Var(result)))

        def after_return(variable: Var) -> Bdd:
            target = variable.name
            return following[target] if target in following else self.store.var(places[target])

        relation &= self._enforcement(caller, after_return)
        written = [places[target] for target in following]
        gone = {*written, *self.lanes.lanes[lane].depths[depth]}
        change = make_relation(self.store, relation, gone, {place + 1: place for place in written})
        after = Point(key.point.calls[:-1], name, edge.target)
        return Move(Key(after, key.section and not self.has_ended(after)), None, change)

    def _enforcement(self, procedure: Procedure, read: Reading) -> Bdd:
        if procedure.enforce is TRUE:
            return self.store.true
        return possible(self.store, procedure.enforce, read)

    def _places(self, lane: int, procedure: Procedure, depth: int) -> dict[str, int]:
        own: Lane = self.lanes.lanes[lane]
        return {**self.lanes.shared, **own.frame(self.program, procedure.name, depth)}

    def _read(self, lane: int, procedure: Procedure, depth: int) -> Reading:
        places = self._places(lane, procedure, depth)
        return lambda variable: self.store.var(places[variable.name])
