"""Between which bounds each variable lies at every place of a program, whatever the calling context.

Cousot and Cousot (POPL 1977): one state of bounds for each place, joined over all callers, until nothing grows; after
some rounds a bound that still grows goes to the next constant of the program, and then to that of its type.  Conditions
are looked at.  It is no weight: a function on bounds has no finite form; so it stands beside the other domains, and
tells them what is constant and which edges are never taken (a reduced product, Lal 2009, section 1.3.1).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Mapping

from knaster.evidence.answers.facts import Equation, Fact, Range
from knaster.program.expression import Const, Expr, postorder
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return, expressions
from knaster.program.temporaries import is_temporary
from knaster.program.types import Bool, Int, Type
from knaster.views.weighted.flow_graph import initial_values, refuse_others
from knaster.views.weighted.interval_values import Bounds, Interval, hull, interval_of, meet, range_of, refine

PATIENCE = 4  # times that a place grows before its bounds go to constants
LONGEST = 20  # after which they go to those of their types
FURTHEST = 200  # constants of a program that bounds stop at


class IntervalFacts:
    """The bounds of a program."""

    def __init__(self, program: Program) -> None:
        refuse_others(program)
        self.program = program
        self.types = {own.name: program.types_in(own) for own in program.procedures}
        self.bounds: dict[Place, Bounds] = {}
        self._stops = _stops(program)
        self._grown: dict[Place, int] = {}
        self._callers: dict[str, dict[tuple[str, int], Edge]] = {own.name: {} for own in program.procedures}
        self._todo: deque[Place] = deque()
        self._solve()

    def at(self, place: tuple[str, Location]) -> tuple[Fact, ...] | None:
        """Return the bounds of variables that a user has at a place; None where no run comes there."""
        bounds = self.bounds.get(place)
        if bounds is None:
            return None
        own = self.program.procedure(place[0])
        names = (*self.program.globals, *own.parameters, *own.locals)
        shown = [name for name in names if name in bounds and not is_temporary(name)]
        return tuple(self._fact(name, bounds[name]) for name in shown if self._says(own, name, bounds[name]))

    def summary(self, procedure: Procedure) -> tuple[Fact, ...] | None:
        """Return the bounds of results and globals where a procedure returns; None where no call does."""
        bounds = self.bounds.get((procedure.name, procedure.exit))
        if bounds is None:
            return None
        several = len(procedure.results) > 1
        results = {name: f"\\result[{n}]" if several else "\\result" for n, name in enumerate(procedure.results)}
        named = {**results, **{name: name for name in self.program.globals}}
        kept = [name for name in named if name in bounds and self._says(procedure, name, bounds[name])]
        return tuple(self._fact(named[name], bounds[name]) for name in kept)

    def constants(self, place: Place) -> Mapping[str, int]:
        """Return the variables that have one value at a place."""
        bounds = self.bounds.get(place, {})
        return {name: low for name, (low, high) in bounds.items() if low is not None and low == high}

    def is_reached(self, place: Place) -> bool:
        """Tell whether some run may come to a place, as far as bounds say."""
        return place in self.bounds

    def is_taken(self, procedure: Procedure, edge: Edge) -> bool:
        """Tell whether some run may take an edge, as far as bounds say."""
        bounds = self.bounds.get((procedure.name, edge.source))
        if bounds is None:
            return False
        if not isinstance(edge.action, Assume):
            return True
        return refine(edge.action.condition, True, bounds, self.types[procedure.name]) is not None

    def _fact(self, name: str, interval: Interval) -> Fact:
        low, high = interval
        if low is not None and low == high:
            return Equation(-low, ((name, 1),), 1 if self.program.is_boolean else None)
        return Range(name, low, high)

    def _says(self, own: Procedure, name: str, interval: Interval) -> bool:
        type = self.types[own.name][name]
        return isinstance(type, Int | Bool) and interval != range_of(type)

    def _solve(self) -> None:
        main = self.program.procedure(self.program.threads[0])
        start: Bounds = {}
        for name, value in initial_values(self.program.init):
            if isinstance(value, int):
                start[name] = int(value), int(value)
        self._reach((main.name, main.entry), start)
        while self._todo:
            place = self._todo.popleft()
            own = self.program.procedure(place[0])
            for number, edge in enumerate(own.leaving.get(place[1], ())):
                self._step(own, edge, number, self.bounds[place])
            if place[1] == own.exit:
                for (name, source), edge in list(self._callers[own.name].items()):
                    self._come_back(self.program.procedure(name), edge, self.bounds[name, source])

    def _step(self, own: Procedure, edge: Edge, number: int, bounds: Bounds) -> None:
        target = own.name, edge.target
        match edge.action:
            case Assume(condition):
                after = refine(condition, True, bounds, self.types[own.name])
                if after is not None:
                    self._reach(target, after)
            case Assign(targets, values):
                self._reach(target, self._write(own, bounds, zip(targets, values, strict=True)))
            case Return(values):
                self._reach(target, self._write(own, bounds, zip(own.results, values, strict=True)))
            case Call() as call:
                callee = self.program.procedure(call.procedure)
                types = self.types[own.name]
                shared = {name: bounds[name] for name in self.program.globals if name in bounds}
                given = {name: interval_of(value, bounds, types) for name, value in call.bindings(callee)}
                self._callers[callee.name][own.name, edge.source] = edge
                self._reach((callee.name, callee.entry), {**shared, **given})
                self._come_back(own, edge, bounds)

    def _write(self, own: Procedure, bounds: Bounds, pairs: Iterable[tuple[str, Expr]]) -> Bounds:
        types = self.types[own.name]
        after = dict(bounds)
        for name, value in pairs:
            found = interval_of(value, bounds, types)
            after[name] = meet(found, range_of(types[name])) or range_of(types[name])
        return after

    def _come_back(self, caller: Procedure, edge: Edge, bounds: Bounds) -> None:
        assert isinstance(edge.action, Call)
        callee = self.program.procedure(edge.action.procedure)
        end = self.bounds.get((callee.name, callee.exit))
        if end is None:
            return
        after = {name: each for name, each in bounds.items() if name not in self._globals}
        after |= {name: end[name] for name in self._globals if name in end}
        for target, result in edge.action.results(callee):
            after.pop(target, None)
            if result in end:
                after[target] = end[result]
        self._reach((caller.name, edge.target), after)

    @property
    def _globals(self) -> tuple[str, ...]:
        return self.program.globals

    def _reach(self, place: Place, bounds: Bounds) -> None:
        """Join bounds into those of a place, and go on from there where they grow."""
        known = self.bounds.get(place)
        if known is None:
            self.bounds[place] = self._narrower(place, bounds)
            self._todo.append(place)
            return
        joined = {name: hull(each, bounds[name]) for name, each in known.items() if name in bounds}
        if joined == known:
            return
        self._grown[place] = self._grown.get(place, 0) + 1
        if self._grown[place] > PATIENCE:
            step = self._widen if self._grown[place] <= LONGEST else _give_up
            joined = {name: step(known[name], each) for name, each in joined.items()}
        joined = self._narrower(place, joined)
        if joined != known:
            self.bounds[place] = joined
            self._todo.append(place)

    def _widen(self, old: Interval, new: Interval) -> Interval:
        low, high = new
        if low != old[0] and low is not None:
            at = bisect_right(self._stops, low)
            low = self._stops[at - 1] if at else None
        if high != old[1] and high is not None:
            at = bisect_left(self._stops, high)
            high = self._stops[at] if at < len(self._stops) else None
        return low, high

    def _narrower(self, place: Place, bounds: Bounds) -> Bounds:
        """Return the bounds within their types, those alone that say something."""
        types: Mapping[str, Type] = self.types[place[0]]
        kept: Bounds = {}
        for name, each in bounds.items():
            whole = range_of(types.get(name))
            inside = meet(each, whole) or whole
            if inside != whole:
                kept[name] = inside
        return kept


def _give_up(old: Interval, new: Interval) -> Interval:
    return (new[0] if new[0] == old[0] else None), (new[1] if new[1] == old[1] else None)


def _stops(program: Program) -> list[int]:
    """Return the constants of a program and their neighbours, in order."""
    found: set[int] = {0}
    for own in program.procedures:
        for edge in own.edges:
            for expr in expressions(edge.action):
                values = [node.value for node in postorder(expr) if isinstance(node, Const)]
                found |= {value for value in values if type(value) is int}
        if len(found) > FURTHEST:
            break
    return sorted({near for value in found for near in (value - 1, value, value + 1)})
