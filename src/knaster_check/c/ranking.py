"""Measures: what has to be true so that every run ends.

A. M. Turing, Checking a Large Routine (1949); R. W. Floyd, Assigning Meanings to Programs (1967).  A run that never
ends stays in a cycle of the program for ever: it steps over calls that return, and enters one that does not.  Every
cycle has a point of the proof.  From point to point of a cycle, and into the entry of a procedure that belongs to it, a
component of the measure decreases that was at least 0, and none before it increases.  The invariants are checked too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from knaster_check.c.claims import expect_plain, read_claims, read_place, say
from knaster_check.c.invariants import Invariants, Obligation
from knaster_check.c.nodes import INTEGER, TRUE, ZERO, Node, all_of, any_of, apply
from knaster_check.c.solvers import Solvers
from knaster_check.c.walk import Arrival, Place, State
from knaster_check.formula import read_formula
from knaster_check.graphs import components
from knaster_check.program import Call, Formula, Program, Target
from knaster_check.refused import expect, list_of, object_with, truth_of
from knaster_check.table import Tick, Verdict

Measures = Mapping[Place, tuple[Formula, ...]]


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that every run ends."""
    expect_plain(program)
    expect(not targets, "measures exclude no target")
    data = object_with(document["ranking"], ("invariants", "measures", "ahead"), "'ranking'")
    claims = read_claims(data["invariants"], program)
    measures: dict[Place, tuple[Formula, ...]] = {}
    for row in list_of(data["measures"], "measures"):
        name, location, parts = list_of(row, "a measure", 3)
        place = read_place(name, location, program)
        expect(place not in measures, f"there are two measures at location {location}", f"'{name}'")
        measures[place] = tuple(read_formula(part) for part in list_of(parts, "a measure"))
    solvers = Solvers(tick)
    making = Invariants(claims, tick)
    for obligation in making.obligations(()):
        solvers.refute(obligation)
    for obligation in Ranking(making, measures, truth_of(data["ahead"], "'ahead'")).obligations():
        solvers.refute(obligation)
    return Verdict("ends", answered=solvers.answered)


class Ranking:
    """The obligations of measures, whose invariants hold."""

    def __init__(self, invariants: Invariants, measures: Measures, ahead: bool) -> None:
        self.invariants = invariants
        self.claims = invariants.claims
        self.walk = invariants.walk
        self.measures = measures
        self.ahead = ahead  # only steps that another one can follow have to decrease the measure
        self.graph = self._graph()
        self.cycle = self._cycles()

    def _graph(self) -> dict[Place, list[Place]]:
        """Return what follows what: over edges, and into calls; of procedures that a run may be in."""
        graph: dict[Place, list[Place]] = {}
        for name in (*self.claims.requires, *sorted(self.walk.inside)):
            procedure = self.claims.program.procedures[name]
            graph |= {(name, location): [] for location in range(procedure.size)}
            for edge in procedure.edges:
                graph[name, edge.source].append((name, edge.target))
                if isinstance(edge.action, Call):
                    callee = self.claims.program.procedures[edge.action.procedure]
                    graph[name, edge.source].append((callee.name, callee.entry))
        return {place: [other for other in after if other in graph] for place, after in graph.items()}

    def _cycles(self) -> dict[Place, int]:
        """Return the number of the cycle of each place that is in one; refuse a cycle without a point of the proof."""
        for part in components({place: after for place, after in self.graph.items() if place not in self.measures}):
            raise_at = f"'{part[0][0]}'"
            expect(False, f"the proof has no measure for a cycle through location {part[0][1]}", raise_at)
        return {place: number for number, part in enumerate(components(self.graph)) for place in part}

    def obligations(self) -> Iterator[Obligation]:
        """Yield that every step of a cycle decreases the measure."""
        for point in self.measures:
            if point in self.cycle:
                entry, start = self.invariants.begin(*point)
                before = self._measure(point, entry, start.state)
                for given, end in self._steps(start, entry):
                    after = self._measure(end.place, given, end.state)
                    expect(len(before) == len(after), "two measures of one cycle have not the same length")
                    flag = all_of([end.flag, self._goes_on(end, given)]) if self.ahead else end.flag
                    why = f"the measure may not decrease from location {point[1]} on"
                    yield self.invariants.obligation(flag, _decreases(before, after), f"'{point[0]}'", why)

    def _steps(self, start: Arrival, entry: State) -> Iterator[tuple[State, Arrival]]:
        """Yield where the steps from a point end that stay in its cycle, with the entry values there."""
        name, cycle = start.place[0], self.cycle[start.place]
        self.walk.known = lambda arrival: self._known(arrival, entry)
        region = self.walk.region(start, [location for own, location in self.measures if own == name])
        self.walk.known = lambda arrival: TRUE
        for end in region.ends:
            if self.cycle.get(end.place) == cycle:
                yield entry, end._replace(flag=all_of([end.flag, self._known(end, entry)]))
        for call in region.calls:
            end = self.walk.entry(call)
            if self.cycle.get(end.place) == cycle:
                expect(end.place in self.measures, "the proof has no measure at its entry", f"'{end.place[0]}'")
                yield call.given, end._replace(flag=all_of([end.flag, self._known(end, call.given)]))

    def _known(self, arrival: Arrival, entry: State) -> Node:
        """Return what the invariants say of an arrival."""
        return self.claims.invariant(arrival.place, entry, arrival.state) if arrival.place in self.claims.at else TRUE

    def _goes_on(self, end: Arrival, entry: State) -> Node:
        """Return that another step of the cycle can be taken."""
        return any_of(after.flag for _, after in self._steps(end._replace(flag=TRUE), entry))

    def _measure(self, place: Place, entry: State, now: State) -> list[Node]:
        found = [say(formula, entry, now) for formula in self.measures[place]]
        expect(all(part.type == INTEGER for part in found), "a measure is no number", f"'{place[0]}'")
        return found


def _decreases(before: Sequence[Node], after: Sequence[Node]) -> Node:
    """Return that a component was at least 0 and is smaller, and none before it is larger."""
    ways: list[Node] = []
    kept: list[Node] = []
    for last, new in zip(before, after, strict=True):
        smaller = [apply(("compare", "<"), new, last), apply(("compare", ">="), last, ZERO)]
        ways.append(all_of([*kept, *smaller]))
        kept.append(apply(("compare", "<="), new, last))
    return any_of(ways)
