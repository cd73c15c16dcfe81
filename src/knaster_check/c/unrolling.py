"""The check of a depth: loops and recursion end within it, so every run ends, and none that short reaches a target.

All runs are walked through at once, as in `walk`, into every call.  In an activation, edges that lead back, whichever
loop they belong to, are taken at most `depth` times in all, and a procedure that calls itself, directly or not, is
called at most so often inside itself: whoever takes an edge back or makes a call once more *needs more*.  Without the
edges back there is no cycle, so each copy of a location, with the number of edges back before it, comes after those
that lead there.  One obligation: it is impossible to pass a target, or to need more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knaster_check.c.claims import expect_plain
from knaster_check.c.invariants import Obligation
from knaster_check.c.nodes import Node, all_of, any_of, build
from knaster_check.c.solvers import Solvers
from knaster_check.c.walk import Arrival, Place, Walk
from knaster_check.graphs import components, finish
from knaster_check.program import Call, Edge, Procedure, Program, Target
from knaster_check.refused import Unsupported, expect, number_of, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.work import STEP

MOST_EDGES = 60_000  # that are walked
MOST_CALLS = 100  # inside each other


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target; that every run ends where there is none."""
    expect_plain(program)
    expect(all(target.procedure for target in targets), "a depth excludes places, and a target has none")
    depth = number_of(object_with(document["unrolling"], ("depth",), "'unrolling'")["depth"], "the depth")
    unrolling = Unrolling(program, depth, {(target.procedure, target.location) for target in targets}, tick)
    unrolling.run()
    solvers = Solvers(tick)
    why = "a run may reach a target, or need more than the depth"
    solvers.refute(Obligation(any_of(unrolling.wrong), f"'{program.threads[0]}'", why))
    return Verdict("unreachable" if targets else "ends", targets, answered=solvers.answered)


class Unrolling:
    """The walk through all runs; `wrong` has where they pass a target or need more."""

    def __init__(self, program: Program, depth: int, targets: set[Place], tick: Tick) -> None:
        self.program, self.depth, self.targets, self.tick = program, depth, targets, tick
        self.walk = Walk(program, (), tick)
        self.wrong: list[Node] = []
        self.rings = find_rings(program)
        self.order = {name: self._positions(procedure) for name, procedure in program.procedures.items()}
        self._edges = 0

    def _positions(self, procedure: Procedure) -> dict[int, int]:
        """Return the position of each location, smaller than those of its successors but for edges back."""

        def following(location: int) -> list[int]:
            return [edge.target for edge in self.walk.leaving.get((procedure.name, location), ())]

        return {location: number for number, location in enumerate(reversed(finish(procedure.entry, following)))}

    def run(self) -> None:
        """Walk through all runs."""
        main = self.program.procedures[self.program.threads[0]]
        state = self.walk.any_state(main.name)
        begun, defined = build(self.program.init, state)
        self._activation(Arrival((main.name, main.entry), all_of([begun, *defined]), state), 0, 0)

    def _activation(self, start: Arrival, inside: int, calls: int) -> list[Arrival]:
        """Walk through an activation, so deep inside its own kind and inside calls; return how it ends."""
        procedure = self.program.procedures[start.place[0]]
        order = self.order[procedure.name]
        coming: dict[int, list[Arrival]] = {procedure.entry: [start]}
        ends: list[Arrival] = []
        for _ in range(self.depth + 1):
            again: dict[int, list[Arrival]] = {}  # after one more edge back
            for location in order if coming else ():
                if location not in coming:
                    continue
                arrival = self.walk.meet((procedure.name, location), coming.pop(location))
                self.wrong += [arrival.flag] if arrival.place in self.targets else []
                ends += [arrival] if location == procedure.exit else []
                for edge, after in self._steps(arrival, inside, calls):
                    leads = again if order[edge.target] <= order[location] else coming
                    leads.setdefault(edge.target, []).append(after)
            coming = again
        self.wrong += [arrival.flag for arrivals in coming.values() for arrival in arrivals]
        return [self.walk.meet((procedure.name, procedure.exit), ends)] if ends else []

    def _steps(self, arrival: Arrival, inside: int, calls: int) -> Iterator[tuple[Edge, Arrival]]:
        """Yield where each edge leads."""
        for taken, edge in self.walk.ways(arrival):
            self.tick(STEP)
            self._edges += 1
            # mutant(>): one more or less
            if self._edges > MOST_EDGES or calls > MOST_CALLS:
                raise Unsupported("the program is too large at that depth")
            if not isinstance(edge.action, Call):
                yield edge, self.walk.step(taken, edge, self.walk.inputs(edge))
            else:
                yield from ((edge, after) for after in self._call(taken, edge, inside, calls))

    def _call(self, arrival: Arrival, edge: Edge, inside: int, calls: int) -> Iterator[Arrival]:
        """Yield what comes after a call; note where it is one too many."""
        call = self.walk.enter(arrival, edge, self.walk.inputs(edge))
        ring = self.rings.get(call.callee.name)
        nested = inside + 1 if ring is not None and ring == self.rings.get(arrival.place[0]) else 0
        if nested > self.depth:
            self.wrong.append(call.flag)
            return
        for last in self._activation(self.walk.entry(call), nested, calls + 1):
            yield self.walk.leave(arrival, call, last)


def find_rings(program: Program) -> dict[str, int]:
    """Return the procedures that call themselves, directly or not, with a number for those that call each other."""
    calls = {
        name: [edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)]
        for name, procedure in program.procedures.items()
    }
    return {name: number for number, ring in enumerate(components(calls)) for name in ring}
