"""Path edges and summary edges: from the relations of a program, all that its runs from the entry of main reach.

Ball and Rajamani, Bebop: A Symbolic Model Checker for Boolean Programs, SPIN 2000, Figure 3.  Differences: the
worklist is ordered (callees first, reverse post-order inside a procedure); a vertex passes on only the path edges
that are new since its last visit (Figure 3 passes all); a summary is kept once per procedure and lifted to each call
site that was reached; the two optimisations that section 3.3 plans are in `views.symbolic.frame`.

Notation: v vertex, a number that is also its priority; PathEdges(v), SummaryEdges(c) as in the paper.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from knaster.base.limits import Budget
from knaster.base.records import dataclass
from knaster.bdd.relation import Relation
from knaster.bdd.store import Bdd, minus
from knaster.program.model import Call, Edge, Location, Place
from knaster.program.traversal import callees_first, reverse_postorder
from knaster.views.symbolic.frame import Entrance, Frame

if TYPE_CHECKING:
    from knaster.evidence.proofs.path_edges import Certificate
    from knaster.views.symbolic.symbolic_program import SymbolicProgram

Vertex = int


@dataclass(slots=True)
class _CallSite:
    """A call c that was reached: Transfer_c, and SummaryEdges(c) as far as they are known."""

    frame: Frame
    edge: Edge
    vertex: Vertex
    return_point: Vertex
    callee: Frame
    first: Vertex
    entrance: Entrance
    summary_edges: Relation


_Step = tuple[Vertex, Relation | None] | _CallSite  # None: the state does not change


class Summaries:
    """PathEdges and SummaryEdges of a program, grown as entries are demanded."""

    def __init__(self, symbolic: SymbolicProgram, budget: Budget, takes: Callable[[Edge], bool] | None = None) -> None:
        """Prepare the edges that `takes` accepts, all by default; the others are taken by whoever calls `inject`."""
        self.symbolic = symbolic
        self.budget = budget
        self.takes = takes
        self.visits = 0
        self._first: dict[str, Vertex] = {}
        self._position: dict[str, list[int]] = {}
        self._where: list[tuple[Frame, Location, Sequence[Edge]]] = []
        for procedure in callees_first(symbolic.program):
            frame, leaving = symbolic.frames[procedure.name], procedure.leaving
            order = reverse_postorder(procedure)
            position = [0] * procedure.size
            self._first[procedure.name] = len(self._where)
            self._position[procedure.name] = position
            for rank, location in enumerate(order):
                position[location] = rank
                self._where.append((frame, location, leaving.get(location, ())))
        none = symbolic.store.false
        self._path_edges: list[Bdd] = [none] * len(self._where)
        self._new: list[Bdd | None] = [None] * len(self._where)
        self._steps: list[list[_Step] | None] = [None] * len(self._where)
        self._sites: dict[str, list[_CallSite]] = {name: [] for name in symbolic.frames}
        self._summary: dict[str, Bdd] = dict.fromkeys(symbolic.frames, none)
        self._history: dict[str, list[tuple[int, Bdd]]] = {name: [] for name in symbolic.frames}  # all until a time
        self.births = 0  # how often new summaries were found, which is also the time of their birth
        self._wanted: frozenset[Vertex] = frozenset()
        self._is_found = False
        self._worklist: list[Vertex] = []

    def vertex(self, procedure: str, location: Location) -> Vertex:
        """Return the vertex of a location."""
        return self._first[procedure] + self._position[procedure][location]

    def path_edges(self, procedure: str, location: Location) -> Bdd:
        """Return PathEdges(v): ENTRY and NOW of everything that happens at a location, as far as it is known."""
        return self._path_edges[self.vertex(procedure, location)]

    def summary(self, procedure: str, before: int | None = None) -> Bdd:
        """Return the summaries of a procedure in the copies of `SymbolicProgram.summary`; those born before a time."""
        if before is None:
            return self._summary[procedure]
        history = self._history[procedure]
        place = bisect_left(history, before, key=itemgetter(0))
        return history[place - 1][1] if place else self.symbolic.store.false

    def birth(self, procedure: str, some: Bdd) -> int:
        """Return when the first of some summaries was found; it was derived from summaries born before it alone."""
        none = self.symbolic.store.false
        history = self._history[procedure]
        return history[bisect_left(history, True, key=lambda entry: entry[1] & some != none)][0]

    def certificate(self) -> Certificate:
        """Return all path edges.  Requires: nothing is left to do."""
        from knaster.evidence.proofs.path_edges import Certificate, Vocabulary

        assert not self._worklist
        frames = self.symbolic.frames
        return Certificate(
            self.symbolic.program,
            self.symbolic.store,
            {name: Vocabulary(frame.slots, frame.rigid, frame.echoed) for name, frame in frames.items()},
            {
                name: tuple(self.path_edges(name, location) for location in range(frame.procedure.size))
                for name, frame in frames.items()
            },
        )

    def visited_places(self) -> frozenset[Place]:
        """Return every place that some run reaches, as far as it is known."""
        none = self.symbolic.store.false
        return frozenset(
            (frame.procedure.name, location)
            for (frame, location, _), edges in zip(self._where, self._path_edges, strict=True)
            if edges != none
        )

    def demand(self, procedure: str, entered: Bdd) -> None:
        """Ask for everything that follows from entering a procedure with these valuations (NOW)."""
        frame = self.symbolic.frames[procedure]
        self._propagate(self.vertex(procedure, frame.procedure.entry), self.symbolic.echo(frame, entered))

    def inject(self, procedure: str, location: Location, path_edges: Bdd) -> None:
        """Ask for everything that follows from these path edges at a location."""
        self._propagate(self.vertex(procedure, location), path_edges)

    def run(self, targets: Iterable[Vertex] = ()) -> bool:
        """Work until nothing is new, or until one of the targets has a path edge; tell whether one has."""
        self._wanted = frozenset(targets)
        self._is_found = any(self._path_edges[v] != self.symbolic.store.false for v in self._wanted)
        propagate = self._propagate
        while self._worklist and not self._is_found:
            self.visits += 1
            if self.visits & 31 == 0:
                self._look_up()
            v = heapq.heappop(self._worklist)
            new = self._new[v]
            assert new is not None
            self._new[v] = None
            frame, location, _ = self._where[v]
            if location == frame.procedure.exit:
                self._leave(frame, new)
                continue
            for step in self._steps[v] or self._make_steps(v):
                if type(step) is tuple:
                    target, relation = step
                    propagate(target, new if relation is None else relation.image(new))
                else:
                    assert isinstance(step, _CallSite)
                    self._call(step, new)
        return self._is_found

    def _propagate(self, v: Vertex, path_edges: Bdd) -> None:
        """Propagate(v, p) of Figure 3."""
        false = self.symbolic.store.false
        known = self._path_edges[v]
        if known is false or known == false:
            new = joined = path_edges
        else:
            new, joined = minus(path_edges, known), known | path_edges
        if new == false:
            return
        self._path_edges[v] = joined
        self._is_found |= v in self._wanted
        waiting = self._new[v]
        if waiting is None:
            self._new[v] = new
            heapq.heappush(self._worklist, v)
        else:
            self._new[v] = waiting | new

    def _call(self, site: _CallSite, new: Bdd) -> None:
        """Case v ∈ Call_B: enter the callee, and jump over it by the summary edges known so far."""
        self._propagate(site.first, self.symbolic.echo(site.callee, site.entrance.image(new)))
        self._propagate(site.return_point, site.summary_edges.image(new))

    def _leave(self, frame: Frame, new: Bdd) -> None:
        """Case v ∈ Exit_B: lift new summaries to every call site that was reached."""
        name, store = frame.procedure.name, self.symbolic.store
        summary = minus(self.symbolic.summary(frame, new), self._summary[name])
        if summary == store.false:
            return
        self._summary[name] |= summary
        self.births += 1
        self._history[name].append((self.births, self._summary[name]))
        for site in self._sites[name]:
            lifted = self.symbolic.lift(site.frame, site.edge, summary)
            site.summary_edges = site.summary_edges.unite(lifted)
            self._propagate(site.return_point, lifted.image(self._path_edges[site.vertex]))

    def _make_steps(self, v: Vertex) -> list[_Step]:
        """Return what leaves v, with its transfer functions; made when v is first reached."""
        frame, _, edges = self._where[v]
        first, position = self._first[frame.procedure.name], self._position[frame.procedure.name]
        true = self.symbolic.store.true
        steps: list[_Step] = []
        for edge in edges if self.takes is None else filter(self.takes, edges):
            target = first + position[edge.target]
            if isinstance(edge.action, Call):
                callee = self.symbolic.frames[edge.action.procedure]
                name = callee.procedure.name
                lifted = self.symbolic.lift(frame, edge, self._summary[name])
                entry = self.vertex(name, callee.procedure.entry)
                site = _CallSite(frame, edge, v, target, callee, entry, self.symbolic.entrance(frame, edge), lifted)
                self._sites[name].append(site)
                steps.append(site)
            else:
                relation = self.symbolic.internal(frame, edge)
                changes = relation.forgotten is not None or relation.constraint != true
                steps.append((target, relation if changes else None))
        self._steps[v] = steps
        return steps

    def _look_up(self) -> None:
        """Between two visits: heed the budget, collect garbage, say how far we are."""
        self.budget.check()
        if self.visits & 1023 == 0:
            self.symbolic.store.collect()
            self.budget.tell(f"{self.visits:,} steps taken, {len(self._worklist):,} places to look at again")
