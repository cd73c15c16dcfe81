"""Rings: from a start, the states of each location by their distance, and a shortest way back from one of them.

Ball and Rajamani, Bebop (SPIN 2000), section 3.2.  A *hierarchical trajectory* jumps over a call by a summary edge in
one step.  With the summary edges at hand the rings are a plain breadth-first search over NOW, and no entry values are
needed: a trajectory either jumps over a call or enters it and never leaves.  The summaries that a ring needs are
demanded before it is expanded, so the rings are exact and end at the first target, whatever the engine had found
before.

Notation: ring r of a place holds the states first reached there after r steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.bdd.relation import Relation
from knaster.bdd.store import Bdd, minus
from knaster.program.model import Call, Edge, Place
from knaster.program.traversal import call_sites
from knaster.views.symbolic.frame import Frame

if TYPE_CHECKING:
    from knaster.views.symbolic.symbolic_program import SymbolicProgram

KEPT = 10_000  # relations of calls that are kept for another ring

Ring = dict[Place, Bdd]
KnownSummary = Callable[[str], Bdd]  # a procedure -> its summaries
Demand = Callable[[str, Bdd], None]  # a procedure, valuations that enter it: from now on their summaries are known


_Arrival = tuple[Place, int, tuple[tuple[int, bool], ...]]  # a place, the number of hops to it, and a state there


class Hop(NamedTuple):
    """One step of a trajectory: from some state of `source` by an edge, entering the callee or not."""

    source: Place
    edge: Edge
    enters: bool
    cube: Mapping[int, bool]  # the state (NOW) before the step, as far as it is tracked


class Move(NamedTuple):
    """An edge of a place: where it leads, and its relation; None where it changes nothing, or where it is a call."""

    edge: Edge
    target: Place
    relation: Relation | None


class Moves:
    """What leaves each place of a program, and what is tracked there; found once for all rings."""

    def __init__(self, symbolic: SymbolicProgram) -> None:
        self.symbolic = symbolic
        self._moves: dict[Place, list[Move]] = {}
        self._variables: dict[Place, list[int]] = {}
        self._lifted: dict[tuple[str, int, Bdd], Relation] = {}

    def leaving(self, place: Place) -> list[Move]:
        """Return the edges of a place."""
        moves = self._moves.get(place)
        if moves is None:
            frame = self.symbolic.frames[place[0]]
            edges = frame.procedure.leaving.get(place[1], ())
            moves = self._moves[place] = [Move(e, (place[0], e.target), self._relation(frame, e)) for e in edges]
        return moves

    def variables(self, place: Place) -> list[int]:
        """Return the variables that are tracked at a place."""
        if place not in self._variables:
            self._variables[place] = self.symbolic.now_variables(*place)
        return self._variables[place]

    def over(self, frame: Frame, edge: Edge, summary: Bdd) -> Relation:
        """Return how a call changes the state of its caller, by the summaries of its callee."""
        key = frame.procedure.name, id(edge), summary
        found = self._lifted.get(key)
        if found is None:
            if len(self._lifted) >= KEPT:
                self._lifted.clear()
            found = self._lifted[key] = self.symbolic.lift(frame, edge, summary)
        return found

    def _relation(self, frame: Frame, edge: Edge) -> Relation | None:
        if isinstance(edge.action, Call):
            return None
        relation = self.symbolic.internal(frame, edge)
        return None if relation.is_identity(self.symbolic.store) else relation


class Rings:
    """Breadth-first search from a set of states of one place."""

    def __init__(
        self,
        moves: Moves,
        budget: Budget,
        summary: KnownSummary,
        start: tuple[Place, Bdd],
        enter: bool,
        demand: Demand | None = None,
    ) -> None:
        """Begin at a place with some states; calls are jumped over, and entered too where `enter` says so."""
        symbolic = moves.symbolic
        self.moves = moves
        self.symbolic = symbolic
        self.budget = budget
        self._summary = summary
        self._enter = enter
        self._demand = demand
        self._callers = call_sites(symbolic.program) if enter else {}
        place, states = start
        self.rings: list[Ring] = [{place: states}]
        self._known: Ring = {place: states}
        self._ways: dict[_Arrival, list[Hop]] = {}  # a way of so many hops, as a list that begins with them

    def states(self, place: Place) -> Bdd:
        """Return everything reached at a place so far."""
        return self._known.get(place, self.symbolic.store.false)

    def grow(self) -> bool:
        """Compute the next ring; tell whether it is not empty."""
        ring: Ring = {}
        for place, states in self.rings[-1].items():
            self.budget.check()
            for edge, target, relation in self.moves.leaving(place):
                if isinstance(edge.action, Call):
                    frame = self.symbolic.frames[place[0]]
                    if self._enter:
                        self._go_in(ring, frame, edge, edge.action, states)
                    after = self.moves.over(frame, edge, self._summary(edge.action.procedure)).image(states)
                else:
                    after = states if relation is None else relation.image(states)
                self._add(ring, target, after)
        for place, states in ring.items():
            self._known[place] = self.states(place) | states
        self.symbolic.store.collect()
        self.rings.append(ring)
        return bool(ring)

    def _go_in(self, ring: Ring, frame: Frame, edge: Edge, call: Call, states: Bdd) -> None:
        """Add the states in which a call enters its callee, and ask for their summaries."""
        callee = self.symbolic.frames[call.procedure].procedure
        entered = self.symbolic.entrance(frame, edge).image(states)
        if self._demand is not None:
            self._demand(callee.name, entered)
        self._add(ring, (callee.name, callee.entry), entered)

    def _add(self, ring: Ring, place: Place, states: Bdd) -> None:
        new = minus(states, self.states(place))
        if new != self.symbolic.store.false:
            ring[place] = ring[place] | new if place in ring else new

    def find_way(self, place: Place, states: Bdd) -> tuple[list[Hop], dict[int, bool]]:
        """Return a shortest trajectory to some state of `states` at `place`, and that state.

        Requires: one of them has been reached.
        """
        store = self.symbolic.store
        distance = next(r for r, ring in enumerate(self.rings) if place in ring and ring[place] & states != store.false)
        state = self._pick(place, self.rings[distance][place] & states)
        new: list[Hop] = []  # the last hop first
        keys: list[_Arrival] = []
        goal: Mapping[int, bool] = state
        before: list[Hop] = []
        while distance > 0:
            key = place, distance, tuple(goal.items())
            way = self._ways.get(key)
            if way is not None:  # another way has come by here: its beginning is that of this one
                before = way[:distance]
                break
            distance -= 1
            hop = self._step_back(place, goal, distance)
            new.append(hop)
            keys.append(key)
            place, goal = hop.source, hop.cube
        hops = before + new[::-1]
        self._ways.update((key, hops) for key in keys)
        return hops, state

    def _step_back(self, place: Place, goal: Mapping[int, bool], distance: int) -> Hop:
        """Return a step from ring `distance` that leads to the state `goal` of `place`."""
        symbolic = self.symbolic
        ring, after = self.rings[distance], symbolic.store.assignment(goal)
        procedure = symbolic.frames[place[0]].procedure
        for source in ring:
            if source[0] != procedure.name and place[1] != procedure.entry:
                continue
            frame = symbolic.frames[source[0]]
            for edge, _, relation in self.moves.leaving(source):
                call = edge.action if isinstance(edge.action, Call) else None
                if source[0] == procedure.name and edge.target == place[1]:
                    before = self._before(frame, edge, relation, after, ring[source])
                    hop = self._hop(source, edge, False, before)
                    if hop is not None:
                        return hop
                if self._enter and call and call.procedure == procedure.name and place[1] == procedure.entry:
                    before = symbolic.entrance(frame, edge).preimage(after) & ring[source]
                    hop = self._hop(source, edge, True, before)
                    if hop is not None:
                        return hop
        raise AssertionError("a ring without a predecessor")

    def _before(self, frame: Frame, edge: Edge, relation: Relation | None, after: Bdd, ring: Bdd) -> Bdd:
        """Return the states of a ring from which an edge leads into `after`."""
        if isinstance(edge.action, Call):
            relation = self.moves.over(frame, edge, self._summary(edge.action.procedure))
        return ring & (after if relation is None else relation.preimage(after))

    def _hop(self, source: Place, edge: Edge, enters: bool, before: Bdd) -> Hop | None:
        if before == self.symbolic.store.false:
            return None
        return Hop(source, edge, enters, self._pick(source, before))

    def _pick(self, place: Place, states: Bdd) -> dict[int, bool]:
        """Return one state: a value for every variable tracked at the place."""
        found = self.symbolic.store.pick(states)
        assert found is not None
        return {index: found.get(index, False) for index in self.moves.variables(place)}
