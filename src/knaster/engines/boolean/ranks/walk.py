"""A cycle of heads with an accepting step, inside those that begin an accepted run.

From any of them the nearest accepting step is taken, again and again, until a head comes back: onion rings around
the heads that have one (Clarke, Grumberg, McMillan, Zhao, Efficient generation of counterexamples and witnesses, DAC
1995).
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.bdd.store import Bdd, minus
from knaster.engines.boolean.ranks.fixpoint import find_accepting
from knaster.engines.boolean.ranks.heads import Heads, HeadStep, Sets
from knaster.program.model import Place

Cube = Mapping[int, bool]  # a state, as far as it is tracked
Key = tuple[Place, tuple[tuple[int, bool], ...]]  # a head


class Move(NamedTuple):
    """A step of a walk: from the head before it, and what has to hold of the state after it."""

    place: Place
    cube: Cube
    step: HeadStep
    after: Cube


class Walk:
    """Walks among the heads that begin an accepted run."""

    def __init__(self, heads: Heads, good: Sets, budget: Budget) -> None:
        self.heads, self.good, self.budget = heads, good, budget
        self.store = heads.symbolic.store
        self.rings = self._make_rings()

    def _make_rings(self) -> list[dict[Place, Bdd]]:
        """Return the heads by their distance to one with an accepting step."""
        rings = [find_accepting(self.heads, self.good)]
        known = dict(rings[0])
        while True:
            ring: dict[Place, Bdd] = {}
            for place, states in rings[-1].items():
                self.budget.check()
                for step in self.heads.coming.get(place, ()):
                    if step.source not in self.good:
                        continue
                    before = step.preimage(states) & self.good[step.source]
                    fresh = minus(before, known.get(step.source, self.store.false))
                    if fresh != self.store.false:
                        ring[step.source] = ring.get(step.source, self.store.false) | fresh
            if not ring:
                return rings
            for place, states in ring.items():
                known[place] = known.get(place, self.store.false) | states
            rings.append(ring)

    def find_cycle(self, place: Place, states: Bdd) -> tuple[list[Move], list[Move]]:
        """Return a way from some of these heads to a cycle with an accepting step, and the cycle."""
        cube: Cube = self.pick(place, states & self.good[place])
        moves: list[Move] = []
        first: dict[Key, int] = {}
        accepted = True
        while True:
            self.budget.check()
            key = self.key(place, cube)
            if accepted and self.heads.product.is_original(place):
                if key in first:
                    return moves[: first[key]], moves[first[key] :]
                first[key], accepted = len(moves), False
            move, cube = self._go_on(place, cube)
            accepted |= move.step.accepting
            moves.append(move)
            place = move.step.target

    def _go_on(self, place: Place, cube: Cube) -> tuple[Move, Cube]:
        """Return the next step towards an accepting one, and the state after it."""
        here = self.store.assignment(dict(self.key(place, cube)[1]))
        for distance, ring in enumerate(self.rings):
            if place in ring and ring[place] & here != self.store.false:
                goals = self.rings[distance - 1] if distance else self.good
                return self._towards(place, cube, goals, accepting=not distance)
        raise InternalError("a head that is said to begin an accepted run does not")

    def _towards(self, place: Place, cube: Cube, goals: Sets, accepting: bool) -> tuple[Move, Cube]:
        here = self.store.assignment(dict(cube))
        for step in self.heads.leaving.get(place, ()):
            if step.target in goals and (step.accepting or not accepting):
                after = step.image(here) & goals[step.target]
                if after != self.store.false:
                    chosen = self.pick(step.target, after)
                    return Move(place, cube, step, chosen), chosen
        raise InternalError("a ring without a step into the one before it")

    def pick(self, place: Place, states: Bdd) -> dict[int, bool]:
        """Return one state: a value for every variable tracked at the place."""
        found = self.store.pick(states)
        assert found is not None
        return {index: found.get(index, False) for index in self.heads.symbolic.now_variables(*place)}

    def key(self, place: Place, cube: Cube) -> Key:
        """Return the head of a state."""
        hidden = self.heads.hidden(place)
        return place, tuple(sorted((index, value) for index, value in cube.items() if index not in hidden))
