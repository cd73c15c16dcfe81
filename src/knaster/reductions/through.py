"""Executions through a place: a program that remembers whether it stood there.

A new global is false at the start and becomes true at the place; at each target a new location is reached where it is
true.  The new location is reachable iff some execution of the program stands at the place and later (or at the same
time) at the target; a trace of the new program without the new steps is one of the old.

The place is split: what led to it still does, a new step sets the global, and what left it leaves the new location
behind that step.  A failure has no way out, so a target that is one is arrived at by a copy of the step into it.
Locations keep their numbers; the new ones stand just before the exit and after the last failure, as the model wants
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from knaster.program.expression import TRUE, Binary, Not, Operator, Var
from knaster.program.model import Assign, Assume, Edge, Location, Procedure, Program
from knaster.results.projection import Place
from knaster.results.trace import Path, State, Step, Trace
from knaster.results.verdict import Target

Edges = dict[tuple[Location, int], list[Edge]]  # by source and by the identity of the action


@dataclass(frozen=True, slots=True)
class Through:
    """The program that remembers, and where to look for each target."""

    original: Program
    program: Program
    place: Place
    seen: str  # the new global
    targets: tuple[Target, ...]
    _asked: tuple[Target, ...]
    _copies: Mapping[int, Edge]  # the original of each copied step, by the identity of its action

    def back(self, target: Target, trace: Trace) -> tuple[Target, Trace]:
        """Return the target of the original program and the trace without what was added."""
        asked = self._asked[self.targets.index(target)]
        return asked, _without_added(self, trace, asked)


def through(program: Program, place: Place, targets: Iterable[Target]) -> Through:
    """Return a program that reaches its targets iff the given one does so through a place, where a statement stands."""
    asked = tuple(targets)
    changed = {name: program.procedure(name) for name in sorted({place[0], *(target.procedure for target in asked)})}
    seen = _fresh(program)
    grown = {
        name: _Grown(procedure, seen, place[1] if name == place[0] else None) for name, procedure in changed.items()
    }
    found = tuple(replace(target, location=grown[target.procedure].arrival(target.location)) for target in asked)
    procedures = tuple(grown[p.name].finished() if p.name in grown else p for p in program.procedures)
    init = Binary(Operator.AND, program.init, Not(Var(seen)))
    remembering = replace(program, globals=(*program.globals, seen), procedures=procedures, init=init)
    copies = {key: edge for procedure in grown.values() for key, edge in procedure.copies.items()}
    return Through(program, remembering, place, seen, found, asked, copies)


class _Grown:
    """A procedure with new locations: the place behind its own step, and arrivals at targets."""

    def __init__(self, procedure: Procedure, seen: str, place: Location | None) -> None:
        self.procedure = procedure
        self.seen = seen
        self.place = place
        self.shift = 0 if place is None else 1
        self.edges: list[Edge] = []
        self.arrivals: list[Location] = []
        self.copies: dict[int, Edge] = {}
        for edge in procedure.edges:
            self.edges.append(replace(edge, source=self.leaving(edge.source), target=self.moved(edge.target)))
        if place is not None:
            self.edges.append(Edge(place, Assign((seen,), (TRUE,)), procedure.exit, procedure.span))

    def moved(self, location: Location) -> Location:
        """Return the new number of a location."""
        return location + self.shift if location >= self.procedure.exit else location

    def leaving(self, location: Location) -> Location:
        """Return the new number of a location for what leaves it."""
        return self.procedure.exit if location == self.place else self.moved(location)

    def arrival(self, target: Location) -> Location:
        """Return a new location that is reached from a target, or with it, where the place was seen."""
        location = self.procedure.size + self.shift + len(self.arrivals)
        self.arrivals.append(location)
        if target not in self.procedure.failures:
            self.edges.append(Edge(self.leaving(target), Assume(Var(self.seen)), location, self.procedure.span))
            return location
        for edge in self.procedure.edges:
            if edge.target == target:
                assert isinstance(edge.action, Assume)  # of an assertion that fails
                action = Assume(Binary(Operator.AND, edge.action.condition, Var(self.seen)))
                self.copies[id(action)] = edge
                self.edges.append(replace(edge, source=self.leaving(edge.source), action=action, target=location))
        return location

    def finished(self) -> Procedure:
        """Return the procedure."""
        old = self.procedure
        return replace(
            old,
            exit=old.exit + self.shift,
            edges=tuple(sorted(self.edges, key=lambda edge: edge.source)),
            labels=tuple((name, self.moved(location)) for name, location in old.labels),
            failures=(*(self.moved(location) for location in old.failures), *self.arrivals),
        )


def _without_added(reduced: Through, trace: Trace, target: Target) -> Trace:
    """Return the trace of the original program."""
    edges = {p.name: _original_edges(p) for p in reduced.original.procedures}
    known: dict[int, Path] = {}
    todo: list[tuple[Path, bool]] = [(path, False) for path in reversed(trace.paths)]
    while todo:
        path, ready = todo.pop()
        if id(path) in known:
            continue
        inner = [step.inside for step in path.steps if step.inside is not None and id(step.inside) not in known]
        if inner and not ready:
            todo += [(path, True), *((other, False) for other in inner)]
        else:
            known[id(path)] = _path(reduced, path, edges[path.procedure], known)
    return Trace(tuple(known[id(path)] for path in trace.paths), target.location)


def _path(reduced: Through, path: Path, edges: Edges, known: dict[int, Path]) -> Path:
    procedure = reduced.original.procedure(path.procedure)
    is_split = path.procedure == reduced.place[0]
    steps: list[Step] = []
    for step in path.steps:
        if isinstance(step.edge.action, Assign) and step.edge.action.targets == (reduced.seen,):
            continue
        if isinstance(step.edge.action, Assume) and step.edge.action.condition == Var(reduced.seen):
            continue
        copied = reduced._copies.get(id(step.edge.action))
        if copied is not None:
            steps.append(Step(copied, _state(reduced, step.after), None))
            continue
        source = step.edge.source
        if is_split and source == procedure.exit:
            source = reduced.place[1]
        target = step.edge.target - (1 if is_split and step.edge.target > procedure.exit else 0)
        edge = next(edge for edge in edges[source, id(step.edge.action)] if edge.target == target)
        steps.append(
            Step(edge, _state(reduced, step.after), known[id(step.inside)] if step.inside is not None else None)
        )
    return Path(path.procedure, _state(reduced, path.start), tuple(steps))


def _original_edges(procedure: Procedure) -> Edges:
    found: Edges = {}
    for edge in procedure.edges:
        found.setdefault((edge.source, id(edge.action)), []).append(edge)
    return found


def _state(reduced: Through, state: State) -> State:
    return {name: value for name, value in state.items() if name != reduced.seen}


def _fresh(program: Program) -> str:
    """Return a name that no variable of the program has."""
    taken = {*program.globals, *(name for procedure in program.procedures for name in procedure.frame)}
    name = "seen"
    while name in taken:
        name += "_"
    return name
