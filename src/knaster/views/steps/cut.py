"""Cuts a program into steps: pieces of its graph without cycles, each from a cut point to the next one.

A step has two readings.  As *paths* (`views.steps.paths`) it is a set of straight lines, each a guard and an update
over expressions; as a *formula* (`views.steps.formulas`) it is one function of the state before it, with joins merged.
Steps and calls are composed into chains from one chosen cut point to the next (`views.steps.chains`).  A program is cut
once for a task (`Task.cut`); each reading is made when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from knaster.base.records import dataclass, field
from knaster.program.expression import FALSE
from knaster.program.model import Assume, Call, Edge, Location, Place, Procedure, Program
from knaster.views.steps.points import (
    Points,
    Ways,
    cut_points,
    edge_ways,
    inlined_procedures,
    kept_points,
    without_expressions,
)

if TYPE_CHECKING:
    from knaster.smt.translate import Translation
    from knaster.views.steps.formulas import Formulas
    from knaster.views.steps.paths import Paths


@dataclass(frozen=True, slots=True)
class Step:
    """All that can happen between two cut points, or one call: the positions of its edges in `Procedure.edges`."""

    procedure: str
    source: Location
    target: Location
    edges: frozenset[int] = field(compare=False)
    calls: tuple[str, ...] = ()  # whom it calls: one procedure that is not inlined, or those that are

    @property
    def ends(self) -> tuple[Place, Place]:
        """Where it begins, and where it ends."""
        return (self.procedure, self.source), (self.procedure, self.target)


class CutProgram:
    """A program, its cut points, the procedures that are parts of the steps of their callers, and its steps."""

    def __init__(self, program: Program, points: Points, inlined: Collection[str] = ()) -> None:
        self.program = program
        self.points = points
        self.inlined = frozenset(inlined)
        self.regions = {(name, at): _Region(self, name, at) for name, own in points.items() for at in own}

    @cached_property
    def edges_from(self) -> Mapping[str, Mapping[Location, list[tuple[int, Edge]]]]:
        """The edges that leave each location of each procedure, with their positions."""
        return {procedure.name: _edges_by_source(procedure) for procedure in self.program.procedures}

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps that are no calls, in the order of their sources and targets."""
        return tuple(step for region in self.regions.values() for step in region.steps())

    @cached_property
    def calls(self) -> tuple[Step, ...]:
        """The calls of procedures that are not inlined."""
        return tuple(
            Step(procedure.name, edge.source, edge.target, frozenset({position}), (edge.action.procedure,))
            for procedure in self.program.procedures
            if procedure.name not in self.inlined
            for position, edge in enumerate(procedure.edges)
            if isinstance(edge.action, Call) and edge.action.procedure not in self.inlined
        )

    @cached_property
    def between(self) -> Mapping[tuple[Place, Location], Step]:
        """The steps by their ends."""
        return {((step.procedure, step.source), step.target): step for step in self.steps}

    @cached_property
    def ways(self) -> Ways:
        """Steps and calls by their sources: where one goes on, and whom one calls."""
        ways: dict[str, dict[Location, list[tuple[Location, str | None]]]] = {n: {} for n in self.points}
        for step in self.steps:
            ways[step.procedure].setdefault(step.source, []).append((step.target, None))
        for call in self.calls:
            ways[call.procedure].setdefault(call.source, []).append((call.target, call.calls[0]))
        return ways

    @cached_property
    def chained_procedures(self) -> tuple[str, ...]:
        """The procedures whose calls are parts of chains, callees first; never the entry procedure."""
        return inlined_procedures(self.program, self.ways)

    @cached_property
    def kept_points(self) -> Mapping[str, frozenset[Location]]:
        """The fewest cut points between which there are few chains."""
        return kept_points(self.program, self.ways, frozenset(self.chained_procedures))

    @cached_property
    def paths(self) -> Paths:
        """The steps as paths; raise `TooLarge` where there are too many."""
        from knaster.views.steps.walk import read_paths

        return read_paths(self)

    def formulas(self, translation: Translation) -> Formulas:
        """Return the steps as formulas in one arithmetic; raise `Unsuitable` where it has none for them."""
        from knaster.views.steps.joins import read_formulas

        return read_formulas(self, translation)


def cut_program(program: Program, targets: Iterable[Place] = (), inlined: Collection[str] = ()) -> CutProgram:
    """Return a program cut at the usual points and at targets."""
    return CutProgram(program, cut_points(program, targets, inlined), inlined)


def inlined_paths(program: Program, apart: Collection[str] = ()) -> frozenset[str]:
    """Return the procedures that are inlined where steps are read as paths."""
    ways = edge_ways(program)
    return frozenset(inlined_procedures(program, ways, {*apart, *without_expressions(program)}))


class _Region:
    """What lies behind a cut point and before the next ones: the steps that begin there."""

    def __init__(self, cut: CutProgram, procedure: str, source: Location) -> None:
        self.cut = cut
        self.procedure = procedure
        self.source = source

    @cached_property
    def order(self) -> list[Location]:
        """The cut point and the locations behind it before the next cut points, each after those before it."""
        leaving, cuts = self.cut.edges_from[self.procedure], frozenset(self.cut.points[self.procedure])
        finished: list[Location] = []
        seen = {self.source}
        stack = [(self.source, iter(leaving.get(self.source, ())))]
        while stack:
            location, edges = stack[-1]
            for _, edge in edges:
                if edge.target not in cuts and edge.target not in seen and not self._ends(edge):
                    seen.add(edge.target)
                    stack.append((edge.target, iter(leaving.get(edge.target, ()))))
                    break
            else:
                finished.append(location)
                stack.pop()
        return finished[::-1]

    def _ends(self, edge: Edge) -> bool:
        """Tell whether an edge is none of a step: a call that is not inlined."""
        return isinstance(edge.action, Call) and edge.action.procedure not in self.cut.inlined

    def steps(self) -> list[Step]:
        """Return the steps, by their targets; edges that nobody can pass lead nowhere."""
        leaving, before = self.cut.edges_from[self.procedure], dict[Location, frozenset[int]]()
        before[self.source] = frozenset()
        ended: dict[Location, frozenset[int]] = {}
        for location in self.order:
            here = before.get(location)
            if here is None:
                continue
            for position, edge in leaving.get(location, ()):
                if self._ends(edge) or edge.action == Assume(FALSE):
                    continue
                found = before if edge.target in self._inner else ended
                found[edge.target] = found.get(edge.target, frozenset()) | here | {position}
        return [self._step(target, ended[target]) for target in sorted(ended)]

    @cached_property
    def _inner(self) -> frozenset[Location]:
        return frozenset(self.order) - {self.source}

    def _step(self, target: Location, edges: frozenset[int]) -> Step:
        every = self.cut.program.procedure(self.procedure).edges
        actions = (every[position].action for position in sorted(edges))
        called = tuple(dict.fromkeys(action.procedure for action in actions if isinstance(action, Call)))
        return Step(self.procedure, self.source, target, edges, called)


def _edges_by_source(procedure: Procedure) -> dict[Location, list[tuple[int, Edge]]]:
    leaving: dict[Location, list[tuple[int, Edge]]] = {}
    for position, edge in enumerate(procedure.edges):
        leaving.setdefault(edge.source, []).append((position, edge))
    return leaving
