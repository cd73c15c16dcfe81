"""Runs that take some edges: from a program and sets of edges, a program that remembers from which it took one.

As `through`, for many edges at once: for each set a new global is false at the start and becomes true before each edge
of it, by a step of its own behind which nothing but the edge stands; at each target a new location is reached where all
of them are true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from knaster.base.records import replace
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.algebra import conjunction
from knaster.program.expression import FALSE, TRUE, Compare, Comparison, Expr, Not, Var
from knaster.program.kind import Kind
from knaster.program.model import Assign, Assume, Edge, Location, Procedure, Program
from knaster.transform.formulae import Fresh, all_of
from knaster.transform.reduction import Effect, Reduction, remove_added_steps


def remember_edges(program: Program, sets: Sequence[Collection[Edge]], targets: Iterable[Target]) -> Reduction:
    """Return a program that reaches its targets iff the given one, which is sequential, does so by an edge of each set.

    No edge is in two of the sets.
    """
    fresh = Fresh(program)
    seen = tuple(fresh.name("seen") for _ in sets)
    asked = tuple(targets)
    wanted = {id(edge): name for name, edges in zip(seen, sets, strict=True) for edge in edges}
    grown = {own.name: _Growth(own, wanted, all_of(map(Var, seen))) for own in program.procedures}
    arrivals = {replace(t, location=grown[t.procedure].add_arrival(t.location)): t for t in asked}
    remembering = replace(
        program,
        globals=(*program.globals, *seen),
        procedures=tuple(grown[own.name].finish() for own in program.procedures),
        init=_start(program, seen),
    )

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return arrivals[target], remove_added_steps(trace, program, remembering, arrivals[target])

    return Reduction(program, remembering, Reach(tuple(arrivals), first=True), Effect.EXACT, back, arrivals)


def _start(program: Program, seen: Sequence[str]) -> Expr:
    if program.kind is Kind.BOOLEAN:
        return all_of([program.init, *(Not(Var(name)) for name in seen)])
    return conjunction([program.init, *(Compare(Comparison.EQUAL, Var(name), FALSE) for name in seen)])


class _Growth:
    """A procedure with new locations: one before each edge that is to be remembered, and arrivals at targets."""

    def __init__(self, own: Procedure, wanted: Mapping[int, str], complete: Expr) -> None:
        self.own, self.complete, self.size = own, complete, own.size
        self.edges: list[Edge] = []
        self.arrivals: list[Location] = []
        self.opened: set[Location] = set()  # places that are left for an arrival
        for edge in own.edges:
            source = edge.source
            if id(edge) in wanted:
                source = self._new()
                self.edges.append(Edge(edge.source, Assign((wanted[id(edge)],), (TRUE,)), source, edge.span))
            self.edges.append(replace(edge, source=source, origin=edge))

    def _new(self) -> Location:
        self.size += 1
        return self.size - 1

    def add_arrival(self, target: Location) -> Location:
        """Return a new location that is reached from a target, or with it, where all that is wanted was seen."""
        location = self._new()
        self.arrivals.append(location)
        if target not in self.own.failures or target == self.own.entry:
            self.opened.add(target)
            self.edges.append(Edge(target, Assume(self.complete), location, self.own.span))
            return location
        for edge in [edge for edge in self.edges if edge.target == target]:
            assert isinstance(edge.action, Assume)  # of an assertion that fails
            action = Assume(all_of([edge.action.condition, self.complete]))
            self.edges.append(replace(edge, action=action, target=location))
        return location

    def finish(self) -> Procedure:
        """Return the procedure."""
        edges = tuple(sorted(self.edges, key=lambda edge: edge.source))
        failures = tuple(location for location in self.own.failures if location not in self.opened)
        return replace(self.own, edges=edges, failures=(*failures, *self.arrivals))
