"""pre of an abstract set, over-approximated (may) and under-approximated (must).

The must side is the strongest one that needs no further predicates, M4: all states of a minterm have a step into the
set, each by a way of its own, and at a call some may step over it while others enter it.  Where all that can follow
lies in the set and every state has a step, that is so; where steps are determined it is so only then (complement);
elsewhere the solver is asked.  Gurfinkel, Wei and Chechik (ATVA 2008), section 5, leave the choice open; the notion
is that of hyper transitions of S. Shoham and O. Grumberg, Monotonic Abstraction-Refinement for CTL (TACAS 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knaster.abstraction.abstract import Abstraction, Minterm
from knaster.abstraction.ways import Site
from knaster.program.expression import TRUE
from knaster.program.model import Place
from knaster.smt.signs import Step

Sets = Mapping[Place, frozenset[Minterm]]
Answer = Callable[[str, frozenset[Minterm]], frozenset[Minterm]]  # from a callee and its exits to its entries
Reasons = dict[Minterm, frozenset[Minterm] | None]  # at a call, by the callee's minterm: its exits; None: inside it
NONE: frozenset[Minterm] = frozenset()


class Over:
    """Some state of a minterm has a step into the set."""

    def __init__(self, abstraction: Abstraction) -> None:
        self.abstraction = abstraction

    def steps(self, place: Place, minterm: Minterm, goals: Sets) -> bool:
        """Tell whether a minterm has a way into the goals."""
        for way in self.abstraction.map.ways[place]:
            after = self.abstraction.after(way).get(minterm, NONE)
            if after & goals.get((place[0], way.target), NONE):
                return True
        return False

    def calls(self, site: Site, minterm: Minterm, goals: Sets, inside: Sets, answer: Answer) -> Reasons | None:
        """Return how the callee leads into the goals, or inside itself; None where it does not."""
        goal, within = goals.get((site.procedure, site.target), NONE), inside.get(self._entry(site), NONE)
        for entry in sorted(self.abstraction.entries(site).get(minterm, NONE)):
            if entry in within:
                return {entry: None}
            leaving = self.abstraction.returns(site).get((minterm, entry), {})
            exits = frozenset(leave for leave, after in leaving.items() if after & goal)
            if exits and entry in answer(site.callee, exits):
                return {entry: exits}
        return None

    def _entry(self, site: Site) -> Place:
        return self.abstraction.map.entries[site.callee]


class Under:
    """Every state of a minterm has a step into the set."""

    def __init__(self, abstraction: Abstraction) -> None:
        self.abstraction = abstraction
        self._moves: dict[tuple[Place, Minterm], bool] = {}

    def steps(self, place: Place, minterm: Minterm, goals: Sets) -> bool:
        """Tell whether all states of a minterm have a way into the goals."""
        some, all = False, True
        for way in self.abstraction.map.ways[place]:
            after = self.abstraction.after(way).get(minterm, NONE)
            goal = goals.get((place[0], way.target), NONE)
            some = some or bool(after & goal)
            all = all and after <= goal
        if not some:
            return False
        if all and self._moves_on(place, minterm):
            return True
        return not self.abstraction.is_determined(place) and self.abstraction.covered(place, minterm, goals)

    def _moves_on(self, place: Place, minterm: Minterm) -> bool:
        key = (place, minterm)
        if key not in self._moves:
            self._moves[key] = self.abstraction.moves_on(place, minterm)
        return self._moves[key]

    def calls(self, site: Site, minterm: Minterm, goals: Sets, inside: Sets, answer: Answer) -> Reasons | None:
        """Return how the callee leads into the goals, or inside itself, from all states; None where it does not."""
        if site.guard and not self._defined(site, minterm):
            return None
        goal = goals.get((site.procedure, site.target), NONE)
        within = inside.get(self.abstraction.map.entries[site.callee], NONE)
        exits = self.abstraction.minterms(self.abstraction.map.exits[site.callee])
        reasons: Reasons = {}
        for entry in sorted(self.abstraction.entries(site).get(minterm, NONE)):
            if entry in within:
                reasons[entry] = None
                continue
            leaving = self.abstraction.returns(site).get((minterm, entry), {})
            good = frozenset(leave for leave in exits if leaving.get(leave, NONE) <= goal)
            if not good & leaving.keys() or entry not in answer(site.callee, good):
                return None
            reasons[entry] = good
        return reasons or None

    def _defined(self, site: Site, minterm: Minterm) -> bool:
        place, types = (site.procedure, site.source), self.abstraction.map.types[site.procedure]
        meaning = self.abstraction.meaning(place, minterm)
        return self.abstraction.oracle.covers(meaning, (Step(site.guard, TRUE),), types)
