"""Checks a proof about threads without the engine that made it and without the relations that the engine used.

As in `certify`, each step is one implication: what is known before it implies, for every value of every choice, that
the configuration after it belongs to the set of where it leads.  The configuration after the step is substituted.

    start      every initial configuration is in the first layer, with each thread running
    steps      every layer is closed under each step of the thread that runs
    switches   what may be switched from is in the next layer with any other thread running (closed: in the same one)
    targets    hold no configuration at all

A started thread takes the first lane that is free.  Where `forgets` is set it may also be forgotten; that is allowed in
a proof for K switches with at least K lanes for started threads, because no run within K switches runs more of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from knaster.errors import InternalError
from knaster.limits import Budget
from knaster.program.expression import TRUE, Expr
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Procedure, Program, Return, ThreadOperation
from knaster.results.configurations import Configurations, Layer
from knaster.results.meaning import meaning
from knaster.results.question import Target
from knaster.symbolic.bdd import Bdd, exists, minus, rename
from knaster.symbolic.lanes import ENDED, UNBEGUN, UNUSED, Point

Valuation = Mapping[str, Bdd]
Change = dict[int, Bdd]  # the function that takes the place of a variable


def certify_threads(proof: Configurations, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` unless the proof shows that no target is reachable, within its bound if it has one."""
    if proof.program is not program or proof.lanes.program is not program:
        raise InternalError("the certificate is one of another program")
    checker = _Checker(proof, budget)
    checker.check_form()
    for target in targets:
        for layer in proof.layers:
            for sets in layer:
                for (point, _), states in sets.items():
                    if point.place == target.place and states != proof.store.false:
                        raise InternalError(f"the certificate does not exclude '{target.name}'")
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
        self.procedures = {procedure.name: procedure for procedure in self.program.procedures}
        self.shared = {name: self.store.var(place) for name, place in proof.lanes.shared.items()}
        self._choices: list[int] = []

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
        enough = bound is not None and bound.kind == "switches" and len(lanes.started) >= bound.number
        if (lanes.forgets and not enough) or (proof.closed and len(proof.layers) != 1):
            raise InternalError("the certificate forgets threads that may matter")

    def check_start(self) -> None:
        """Every initial configuration is in the first layer."""
        start = self._value(self.program.init, self.shared, self.shared, self._fresh())
        for number, lane in enumerate(self.lanes):
            start &= self._code(number, UNUSED if lane.entry is None else Point((), lane.entry, UNBEGUN))
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
                    continue
                premise = minus(given, self._over(entered))
                if proof.closed or (rounds and entered > left):
                    self._require(premise, whole[entered], "a switch leads out of it")
                elif later is not None:
                    self._require(premise, self._whole(later, entered, leaving=False), "a switch leads out of it")

    def _whole(self, number: int, lane: int, leaving: bool) -> Bdd:
        """Return the configurations of a layer with one thread running; with `leaving`, those where it may stop."""
        found = self.store.false
        for (point, section), states in self.proof.layers[number][lane].items():
            if section or (leaving and not self._may_leave(point)):
                continue
            found |= states & self._code(lane, point)
        if leaving and self.program.atomic is not None:
            found = minus(found, self.shared[self.program.atomic])
        return found

    def _may_leave(self, point: Point) -> bool:
        return not point.procedure or point.location not in self.procedures[point.procedure].failures

    def _over(self, lane: int) -> Bdd:
        """Return where a thread has ended or has not been started."""
        over = self.store.false
        for point in self.lanes[lane].points:
            if self._has_ended(point):
                over |= self._code(lane, point)
        return over

    def _has_ended(self, point: Point) -> bool:
        if point in (ENDED, UNUSED):
            return True
        return not point.calls and point.location == self.procedures[point.procedure].exit

    def check_steps(self, layer: Layer) -> None:
        """Every step of the thread that runs stays in the layer."""
        for lane, sets in enumerate(layer):
            for (point, section), states in sets.items():
                if states == self.store.false or self._has_ended(point):
                    continue
                self.budget.check()
                procedure = self.procedures[point.procedure]
                if point.location == UNBEGUN:
                    now = self._scope(lane, procedure, 0)
                    begun = point._replace(location=procedure.entry)
                    names = procedure.locals + procedure.results  # they take any value now
                    premise = self._any(states, (self._places(lane, procedure, 0)[name] for name in names))
                    premise &= self._value(procedure.enforce, now, now, self._fresh())
                    self._arrive(layer, lane, begun, False, premise, {})
                elif point.location == procedure.exit:
                    self._check_back(layer, lane, point, section, states)
                for number, edge in enumerate(procedure.edges):
                    if edge.source == point.location:
                        self._check_edge(layer, lane, point, section, states, procedure, number, edge)

    def _check_edge(
        self,
        layer: Layer,
        lane: int,
        point: Point,
        section: bool,
        states: Bdd,
        here: Procedure,
        number: int,
        edge: Edge,
    ) -> None:
        now, choices = self._scope(lane, here, point.depth), self._fresh()
        places = self._places(lane, here, point.depth)
        after = point._replace(location=edge.target)
        match edge.action:
            case Assume(condition):
                premise = states & self._value(condition, now, now, choices)
                premise &= self._value(here.enforce, now, now, choices)
                self._arrive(layer, lane, after, section, premise, {})
            case Assign() | Return():
                targets, values, constraint = _writing(here, edge)
                changes = {x: self._value(e, now, now, choices) for x, e in zip(targets, values, strict=True)}
                following = {**now, **changes}
                premise = states & self._value(constraint, now, following, choices)
                premise &= self._value(here.enforce, following, following, choices)
                self._arrive(layer, lane, after, section, premise, {places[x]: f for x, f in changes.items()})
            case Call(name, arguments):
                callee = self.procedures[name]
                inside = self._places(lane, callee, point.depth + 1)
                passed = {
                    x: self._value(e, now, now, choices) for x, e in zip(callee.parameters, arguments, strict=True)
                }
                start = {**self._scope(lane, callee, point.depth + 1), **passed}
                entered = Point((*point.calls, (here.name, number)), callee.name, callee.entry)
                premise = self._any(states, self.lanes[lane].depths[point.depth + 1])
                premise &= self._value(callee.enforce, start, start, choices)
                self._arrive(layer, lane, entered, section, premise, {inside[x]: f for x, f in passed.items()})
            case Concurrent(operation):
                if operation is ThreadOperation.END:
                    self._arrive(layer, lane, ENDED, False, states, {})
                    return
                premise = states & self._value(here.enforce, now, now, choices)
                if operation in (ThreadOperation.ATOMIC_BEGIN, ThreadOperation.ATOMIC_END):
                    self._arrive(layer, lane, after, operation is ThreadOperation.ATOMIC_BEGIN, premise, {})
                elif operation is ThreadOperation.START:
                    self._check_start_of(layer, lane, after, section, premise, here, edge.action, now, choices)
                else:
                    raise InternalError(f"no certificate covers '{operation.value}'")

    def _check_start_of(
        self,
        layer: Layer,
        lane: int,
        after: Point,
        section: bool,
        premise: Bdd,
        here: Procedure,
        action: Concurrent,
        now: Valuation,
        choices: Iterator[Bdd],
    ) -> None:
        if self.proof.lanes.forgets:
            self._arrive(layer, lane, after, section, premise, {})
        values = [self._value(argument, now, now, choices) for argument in action.arguments]
        for other in self.proof.lanes.started:
            if other == lane:
                continue
            own = self.lanes[other]
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
            free = self._code(other, UNUSED)
            self._arrive(layer, lane, after, section, premise & free, change)
            premise = minus(premise, free)
        if not self.proof.lanes.forgets:
            self._require(premise, self.store.false, "more threads are started than it knows")

    def _check_back(self, layer: Layer, lane: int, point: Point, section: bool, states: Bdd) -> None:
        name, number = point.calls[-1]
        caller, callee = self.procedures[name], self.procedures[point.procedure]
        edge = caller.edges[number]
        assert isinstance(edge.action, Call)
        results = self._scope(lane, callee, point.depth)
        after = self._scope(lane, caller, point.depth - 1)
        places = self._places(lane, caller, point.depth - 1)
        pairs = zip(edge.action.targets, callee.results, strict=False)
        changes = {target: results[result] for target, result in pairs if target is not None}
        following = {**after, **changes}
        premise = states & self._value(caller.enforce, following, following, self._fresh())
        back = Point(point.calls[:-1], name, edge.target)
        self._arrive(layer, lane, back, section, premise, {places[x]: f for x, f in changes.items()})

    def _arrive(self, layer: Layer, lane: int, point: Point, section: bool, premise: Bdd, change: Change) -> None:
        """Check that what follows from a premise, after a change of variables, is in the set of a point."""
        inside = section and not self._has_ended(point)
        known = self._at(layer, lane, point, inside)
        if change:
            known = rename(known, self.store.substitution(change))
        self._require(premise, known, f"a step to location {point.location} of '{point.procedure}' leads out of it")

    def _any(self, states: Bdd, places: Iterable[int]) -> Bdd:
        """Return a set with any values of some variables."""
        return exists(states, self.store.cube(places))

    def _at(self, layer: Layer, lane: int, point: Point, section: bool) -> Bdd:
        return layer[lane].get((point, section), self.store.false)

    def _require(self, premise: Bdd, conclusion: Bdd, message: str) -> None:
        if minus(premise, conclusion) != self.store.false:
            raise InternalError(f"the certificate does not hold: {message}")

    def _code(self, lane: int, point: Point) -> Bdd:
        own = self.lanes[lane]
        if point not in own.codes:
            raise InternalError(f"the certificate knows no location {point.location} of '{point.procedure}'")
        code = own.codes[point]
        return self.store.assignment({bit: bool(code >> index & 1) for index, bit in enumerate(own.bits)})

    def _places(self, lane: int, procedure: Procedure, depth: int) -> dict[str, int]:
        return {**self.proof.lanes.shared, **self.lanes[lane].frame(self.program, procedure.name, depth)}

    def _scope(self, lane: int, procedure: Procedure, depth: int) -> dict[str, Bdd]:
        return {name: self.store.var(place) for name, place in self._places(lane, procedure, depth).items()}

    def _fresh(self) -> Iterator[Bdd]:
        """Yield a new function for each choice of one step; other steps may use the same."""
        used = 0
        while True:
            if used == len(self._choices):
                self._choices += self.store.extend(1)
            yield self.store.var(self._choices[used])
            used += 1

    def _value(self, expr: Expr, before: Valuation, after: Valuation, choices: Iterable[Bdd]) -> Bdd:
        return meaning(self.store, expr, before, after, choices)


def _writing(procedure: Procedure, edge: Edge) -> tuple[tuple[str, ...], tuple[Expr, ...], Expr]:
    match edge.action:
        case Assign(targets, values, constraint):
            return targets, values, constraint
        case Return(values):
            return procedure.results, values, TRUE
        case action:
            raise InternalError(f"{action} writes nothing")
