"""The graph of heads: from the summaries of a product, the steps that an infinite run takes above its lowest stack.

A *head* is a place with a state.  A run has infinitely many moments at which the stack never again gets lower; from
one to the next it takes a step inside the procedure, a call that returns, by its summary, or a call that does not
return (J. Esparza, D. Hansel, P. Rossmanith, S. Schwoon, Efficient algorithms for model checking pushdown systems,
CAV 2000, section 3).
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.named_tuples import NamedTuple
from knaster.bdd.relation import Relation
from knaster.bdd.store import Bdd, exists
from knaster.evidence.questions.product import Product
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Call, Edge, Place
from knaster.views.summaries.path_edges import Summaries
from knaster.views.symbolic.frame import Entrance
from knaster.views.symbolic.symbolic_program import SymbolicProgram

Sets = Mapping[Place, Bdd]  # of heads; what is not there is empty


class HeadStep(NamedTuple):
    """A kind of step from the heads of one place to those of another."""

    source: Place
    target: Place
    edge: Edge
    relation: Relation | Entrance
    accepting: bool
    enters: bool = False

    def preimage(self, states: Bdd) -> Bdd:
        """Return the states before the step from which it can lead into `states`."""
        return self.relation.preimage(states)

    def image(self, states: Bdd) -> Bdd:
        """Return the states after the step."""
        return self.relation.image(states)


class Heads:
    """The heads that runs reach, and the steps between them."""

    def __init__(self, product: Product, symbolic: SymbolicProgram, engine: Summaries) -> None:
        self.product, self.symbolic, self.engine = product, symbolic, engine
        self.reached = self._reached()
        self.leaving: dict[Place, list[HeadStep]] = {}
        self.coming: dict[Place, list[HeadStep]] = {}
        for place in self.reached:
            for step in self._steps(place):
                if step.target in self.reached:
                    self.leaving.setdefault(place, []).append(step)
                    self.coming.setdefault(step.target, []).append(step)

    def _reached(self) -> dict[Place, Bdd]:
        """Return the reachable heads, without what nothing that follows depends on."""
        none, found = self.symbolic.store.false, {}
        for name, frame in self.symbolic.frames.items():
            entered = [variable(frame.slots[each], Copy.ENTRY) for each in frame.echoed]
            for location in range(frame.procedure.size):
                states = self.engine.path_edges(name, location)
                if states != none:
                    cube = self.symbolic.store.cube([*entered, *self.hidden((name, location))])
                    found[name, location] = exists(states, cube)
        return found

    def hidden(self, place: Place) -> frozenset[int]:
        """Return the variables (NOW) at a place on which nothing depends that follows."""
        if not self.product.is_original(place):
            return frozenset()  # there it matters what a call has seen
        slots = self.symbolic.frames[place[0]].slots
        return frozenset(variable(slots[name], Copy.NOW) for name in self.product.hidden & slots.keys())

    def _steps(self, place: Place) -> list[HeadStep]:
        frame = self.symbolic.frames[place[0]]
        found: list[HeadStep] = []
        for edge in frame.procedure.leaving.get(place[1], ()):
            accepting, after = id(edge) in self.product.accepting, (place[0], edge.target)
            if not isinstance(edge.action, Call):
                found.append(HeadStep(place, after, edge, self.symbolic.internal(frame, edge), accepting))
                continue
            callee = self.symbolic.frames[edge.action.procedure].procedure
            first, entrance = (callee.name, callee.entry), self.symbolic.entrance(frame, edge)
            found.append(HeadStep(place, first, edge, entrance, accepting, enters=True))
            relation = self.symbolic.lift(frame, edge, self.engine.summary(callee.name))
            found.append(HeadStep(place, after, edge, relation, accepting))
        return found
