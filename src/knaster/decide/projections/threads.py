"""The projection of a program with threads within a number of switches, and where failing runs switch (Lal 2009, 5.5).

The threads become one sequential program (Lal and Reps, CAV 2008) with all their runs, and runs to the target through
its edges are found as for any other (`runs_through`); each comes back as a run of the threads, and is replayed.  For
the places where a switch matters the smaller program is enough whose threads switch only where somebody notices it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.runs.replay import replay
from knaster.decide.projections.runs_through import cover, edges_on, run_through
from knaster.evidence.answers.projection import SwitchPoint
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Assign, Edge, Place, Program
from knaster.transform.reduction import Reduction
from knaster.transform.threads.schedules import Schedule
from knaster.transform.threads.sequentialize import sequentialize, sequentialize_with_schedule


def cover_threads(program: Program, question: Reach, budget: Budget) -> Iterator[tuple[Target, Trace]]:
    """Yield runs within the bound that together take every edge that some run to a target takes, all replayed."""
    sequential = sequentialize(program, question, everywhere=True)
    edges = [edge for own in sequential.program.procedures for edge in own.edges if edge.origin is not None]

    def lift(target: Target, trace: Trace) -> tuple[Target, Trace]:
        asked, run = sequential.back(target, trace)
        replay(program, run, asked)
        return asked, run

    yield from cover(sequential.program, tuple(sequential.targets), edges, budget, lift)


def switch_points(program: Program, question: Reach, budget: Budget) -> tuple[SwitchPoint, ...]:
    """Return where runs to a target switch, and whether all do; steps that nobody notices may come before or after."""
    sequential, schedule = sequentialize_with_schedule(program, question)
    points = _Points(program, sequential, schedule)
    targets = tuple(sequential.targets)
    runs = cover(sequential.program, targets, list(points.edges.values()), budget)
    met: list[set[Place]] = [points.places_on(trace) for _, trace in runs]
    everywhere = set.intersection(*met) if met else set()
    must = {place for place in everywhere if run_through(points.without(place), targets, [], budget) is None}
    lines = {(own.name, edge.source): edge.span.line for own in program.procedures for edge in own.edges}
    ordered = sorted(set().union(*met), key=lambda place: (lines[place], place))
    return tuple(SwitchPoint(place, lines[place], place in must) for place in ordered)


class _Points:
    """The edges of a sequential program by which a thread is interrupted, and before which statement."""

    def __init__(self, program: Program, sequential: Reduction, schedule: Schedule) -> None:
        self.program = sequential.program
        self.edges: dict[int, Edge] = {}
        self.place: dict[int, Place] = {}
        owner = {id(edge): own.name for own in program.procedures for edge in own.edges}
        for own in self.program.procedures:
            for edge in own.edges:
                origins = [other.origin for other in own.leaving[edge.source] if other.origin is not None]
                if origins and edge.origin is None and _interrupts(edge, schedule):
                    self.edges[id(edge)] = edge
                    self.place[id(edge)] = owner[id(origins[0])], origins[0].source

    def places_on(self, trace: Trace) -> set[Place]:
        """Return the statements before which a run is interrupted."""
        return {self.place[id(edge)] for edge in edges_on(trace) if id(edge) in self.place}

    def without(self, place: Place) -> Program:
        """Return the program in which no thread is interrupted before a statement."""
        procedures = [
            replace(own, edges=tuple(edge for edge in own.edges if self.place.get(id(edge)) != place))
            for own in self.program.procedures
        ]
        return replace(self.program, procedures=tuple(procedures))


def _interrupts(edge: Edge, schedule: Schedule) -> bool:
    """Tell whether an added edge lets another thread run."""
    if not isinstance(edge.action, Assign):
        return False
    written: Sequence[str] = edge.action.targets
    return schedule.k.bits[0] in written and schedule.hit.bits[0] not in written
