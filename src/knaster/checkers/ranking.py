"""The check of measures: every step from one point to the next decreases them, as one list of obligations.

A. M. Turing, Checking a Large Routine (1949); R. W. Floyd, Assigning Meanings to Programs (1967).  A run that never
ends stays in a cycle of the program for ever: it steps over calls that return, and enters those that do not.  Every
cycle has a point, and so has the entry of every procedure that a cycle enters.  From point to point of a cycle a
component of the measure decreases that was at least 0, and none before it increases.  What is known on the way, and of
a call that returns, are invariants, which are checked as such.  Nothing of the engines is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.base.graphs import components
from knaster.base.limits import Budget
from knaster.checkers.c.names import all_of, any_of
from knaster.checkers.c.obligations import Obligation, claim
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.c.walk import Arc, CallNode, Node, State
from knaster.checkers.invariants import Obligations, check_invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.program.expression import Compare, Comparison, Const, Expr
from knaster.program.model import Call, Place, Program, old


def check_ranking(proof: Ranking, program: Program, budget: Budget) -> str:
    """Return which solvers have answered; raise `InternalError` where the proof does not hold.

    Where no solver answers a question, `OutOfBudget` says so.
    """
    if proof.program != program or proof.invariants.program != program:
        raise InternalError("the proof is of another program")
    first = check_invariants(proof.invariants, program, (), budget)
    steps = Steps(proof, budget)
    solvers = Solvers(steps.walk.names.types, budget)
    solvers.used += first.split(" and ") if first else []
    return solvers.prove(steps.all())


class Steps:
    """The steps of a program between the points of a proof."""

    def __init__(self, proof: Ranking, budget: Budget) -> None:
        self.proof = proof
        self.program = proof.program
        self.invariants = Obligations(proof.invariants, budget)
        self.invariants.claims.passes = True
        self.walk = self.invariants.walk
        self.cycle = self._find_cycles()

    def _find_cycles(self) -> dict[Place, int]:
        """Return the number of the cycle of each place that is in one; refuse a cycle without a point."""
        graph = self._graph()
        for name, location in self.proof.measures:
            if location >= self.program.procedure(name).size:
                raise InternalError(f"location {location} of '{name}' is no place of the program")

        def around(place: Place) -> list[Place]:
            return [other for other in graph[place] if other not in self.proof.measures]

        for part in components([place for place in graph if place not in self.proof.measures], around):
            if len(part) > 1 or part[0] in around(part[0]):
                raise InternalError(f"the proof has no measure for a cycle in '{part[0][0]}'")
        found: dict[Place, int] = {}
        for number, part in enumerate(components(list(graph), graph.__getitem__)):
            # mutant(>): from a place that is on no cycle no step comes back to it
            if len(part) > 1 or part[0] in graph[part[0]]:
                found |= dict.fromkeys(part, number)
        return found

    def _graph(self) -> dict[Place, list[Place]]:
        """Return which places follow which: over edges, over calls, and into procedures that the proof speaks of."""
        graph: dict[Place, list[Place]] = {}
        for name in self.proof.invariants.requires:
            procedure = self.program.procedure(name)
            for location in range(procedure.size):
                graph[name, location] = []
            for edge in procedure.edges:
                graph[name, edge.source].append((name, edge.target))
                if isinstance(edge.action, Call) and edge.action.procedure in self.proof.invariants.requires:
                    callee = self.program.procedure(edge.action.procedure)
                    graph[name, edge.source].append((callee.name, callee.entry))
        return graph

    def all(self) -> Iterator[Obligation]:
        """Yield that every step of a cycle decreases the measure."""
        for point in sorted(self.proof.measures):
            if point in self.cycle:
                yield from self._from(point)

    def _from(self, point: Place) -> Iterator[Obligation]:
        start = self._begin(point)
        entry = self.invariants.claims.entry
        before = self._measure(point, entry, start.state)
        for node, given in self._steps(start):
            own = entry if given is None else given
            after = self._measure(node.place, own, node.state)
            if len(before) != len(after):
                raise InternalError("two measures of one cycle have not the same length")
            if self.proof.ahead:
                node = self._extend(node, own)
            why = f"the measure decreases from location {point[1]} of '{point[0]}'"
            yield self.invariants.obligation(node, why, _less(after, before))

    def _begin(self, point: Place) -> Node:
        """Return a point with what is known there."""
        claims, name = self.invariants.claims, point[0]
        entry, now = self.walk.state(name), self.walk.state(name)
        claims.entry = entry
        known = [claims.requirement(name, entry)]
        if point in self.proof.invariants.at:
            known.append(claims.invariant(point, entry, now))
        return Node(point, Const(True), now, steps=tuple(map(claim, known)))

    def _steps(self, start: Node) -> Iterator[tuple[Node, State | None]]:
        """Yield where the steps from a node end that stay in its cycle; with the values given to a call entered."""
        cycle = self.cycle[start.place]
        stops = [location for name, location in self.proof.measures if name == start.place[0]]
        region = self.walk.region(start, stops)
        for node in region.ends:
            if self.cycle.get(node.place) == cycle:
                yield self._annotate(node, self.invariants.claims.entry), None
        for call in region.calls:
            entry = (call.callee.name, call.callee.entry)
            if self.cycle.get(entry) == cycle:
                if entry not in self.proof.measures:
                    raise InternalError(f"the proof has no measure at the entry of '{entry[0]}', which a cycle enters")
                yield self._enter(call), call.given

    def _enter(self, call: CallNode) -> Node:
        """Return the entry of a procedure that is called."""
        node = self.walk.entry(call)
        return self._annotate(node, call.given)

    def _annotate(self, node: Node, entry: State) -> Node:
        """Return a node with what the invariants say there."""
        if node.place not in self.proof.invariants.at:
            return node
        said = claim(self.invariants.claims.invariant(node.place, entry, node.state), node.at)
        return Node(node.place, node.at, node.state, node.arcs, (*node.steps, said))

    def _extend(self, node: Node, entry: State) -> Node:
        """Return a node from which another step can be taken."""
        before, self.invariants.claims.entry = self.invariants.claims.entry, entry
        again = [after for after, _ in self._steps(node)]
        self.invariants.claims.entry = before
        return Node(node.place, any_of([one.at for one in again]), node.state, tuple(Arc(one, ()) for one in again))

    def _measure(self, place: Place, entry: State, now: State) -> list[Expr]:
        state = {**now, **{old(each): value for each, value in entry.items()}}
        return [self.invariants.claims.instantiate(expr, state) for expr in self.proof.measures[place]]


def _less(after: Sequence[Expr], before: Sequence[Expr]) -> Expr:
    """Return that one of the components was at least 0 and is smaller, and none before it is larger."""
    found: list[Expr] = []
    kept: list[Expr] = []
    for new, last in zip(after, before, strict=True):
        smaller = [Compare(Comparison.LESS, new, last), Compare(Comparison.AT_LEAST, last, Const(0))]
        found.append(all_of([*kept, *smaller]))
        kept.append(Compare(Comparison.AT_MOST, new, last))
    return any_of(found)
