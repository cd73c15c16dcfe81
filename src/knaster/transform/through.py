"""Runs through a place: from a program and a place, a program that remembers whether it stood there.

A new global is false at the start and becomes true at the place; at each target a new location is reached where it is
true.  The new location is reachable iff some execution of the program stands at the place and later (or at the same
time) at the target; a trace of the new program without the new steps is one of the old.

The place is split: what led to it still does, a new step sets the global, and what left it leaves the new location
behind that step.  A failure has no way out, so a target that is one is arrived at by a copy of the step into it.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.records import replace
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import TRUE, Binary, Not, Operator, Var
from knaster.program.model import Assign, Assume, Edge, Location, Place, Procedure, Program
from knaster.transform.reduction import Effect, Reduction, remove_added_steps


def remember_place(program: Program, place: Place, targets: Iterable[Target]) -> Reduction:
    """Return a program that reaches its targets iff the given one does so through a place, where a statement stands."""
    seen = _fresh(program)
    asked = tuple(targets)
    changed = sorted({place[0], *(target.procedure for target in asked)})
    grown = {name: _Growth(program.procedure(name), seen, place[1] if name == place[0] else None) for name in changed}
    arrivals = {replace(t, location=grown[t.procedure].add_arrival(t.location)): t for t in asked}
    remembering = replace(
        program,
        globals=(*program.globals, seen),
        procedures=tuple(grown[p.name].finish() if p.name in grown else p for p in program.procedures),
        init=Binary(Operator.AND, program.init, Not(Var(seen))),
    )

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return arrivals[target], remove_added_steps(trace, program, remembering, arrivals[target])

    return Reduction(program, remembering, Reach(tuple(arrivals), first=True), Effect.EXACT, back, arrivals)


class _Growth:
    """A procedure with new locations: the place behind its own step, and arrivals at targets."""

    def __init__(self, procedure: Procedure, seen: str, place: Location | None) -> None:
        self.procedure = procedure
        self.seen = seen
        self.place = place
        self.behind = procedure.size  # of the place; the arrivals follow
        self.arrivals: list[Location] = []
        self.edges = [replace(edge, source=self.source_of(edge.source), origin=edge) for edge in procedure.edges]
        if place is not None:
            self.edges.append(Edge(place, Assign((seen,), (TRUE,)), self.behind, procedure.span))

    def source_of(self, location: Location) -> Location:
        """Return where that which leaves a location leaves from."""
        return self.behind if location == self.place else location

    def add_arrival(self, target: Location) -> Location:
        """Return a new location that is reached from a target, or with it, where the place was seen."""
        location = self.behind + 1 + len(self.arrivals)
        self.arrivals.append(location)
        if target not in self.procedure.failures:
            self.edges.append(Edge(self.source_of(target), Assume(Var(self.seen)), location, self.procedure.span))
            return location
        for edge in self.procedure.edges:
            if edge.target == target:
                assert isinstance(edge.action, Assume)  # of an assertion that fails
                action = Assume(Binary(Operator.AND, edge.action.condition, Var(self.seen)))
                self.edges.append(Edge(self.source_of(edge.source), action, location, edge.span, edge))
        return location

    def finish(self) -> Procedure:
        """Return the procedure."""
        edges = tuple(sorted(self.edges, key=lambda edge: edge.source))
        return replace(self.procedure, edges=edges, failures=(*self.procedure.failures, *self.arrivals))


def _fresh(program: Program) -> str:
    """Return a name that no variable of the program has."""
    taken = {*program.globals, *(name for procedure in program.procedures for name in procedure.frame)}
    name = "seen"
    while name in taken:
        name += "_"
    return name
