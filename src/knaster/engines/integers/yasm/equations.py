"""Solves the equations of mixed semantics on abstract sets: what is reached, what never ends, what calls do.

A. Gurfinkel, O. Wei and M. Chechik, Model Checking Recursive Programs with Exact Predicate Abstraction (ATVA 2008),
section 4: a call is stepped over by what the callee is known to do (natural semantics) or entered for good
(operational).

    reach-otf   RS(k) = everything where k |= p, else pre of RS over the steps that leave k        (least)
    nt-otf      NT(k) = nothing where k |/= p, else pre of NT over the steps that leave k          (greatest)
    nat         T[f, Q](k) = Q at the exit of f, else pre of T[f, Q] over the steps that leave k   (least)

Differences.  The paper keeps one relation for each callee, filtered by what its return sites want in RS or NT; that
loses what lies behind two returns.  Here a callee is asked for the entries from which it returns in Q, for each Q
that somebody wants, whatever RS and NT are.  So T never has to be computed again while NT shrinks, and it is complete
before NT looks at it.  A callee that passes a location where p does not hold is not stepped over (`avoid`).

Notation: k place, a minterm, Q minterms at an exit; `pre` is `Over` (may) or `Under` (must), the equations are the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from knaster.base.records import dataclass, field
from knaster.program.model import Place
from knaster.views.abstraction.preimage import NONE, Reasons, Sets
from knaster.views.abstraction.relations import Abstraction, Minterm
from knaster.views.steps.paths import CallPath, Paths

Question = tuple[str, frozenset[Minterm]]  # f, Q


class Pre(Protocol):
    """pre of abstract sets."""

    abstraction: Abstraction

    def steps(self, place: Place, minterm: Minterm, goals: Sets) -> bool:
        """Tell whether a minterm belongs to pre of the goals over the paths that leave a place."""

    def calls(
        self,
        site: CallPath,
        minterm: Minterm,
        goals: Sets,
        inside: Sets,
        answer: Callable[[str, frozenset[Minterm]], frozenset[Minterm]],
    ) -> Reasons | None:
        """Return why a minterm belongs to pre over a call; None where it does not."""


@dataclass(slots=True)
class Solution:
    """Sets of minterms by place; when each one was added (of NT: taken away), and at a call why it belongs there."""

    sets: dict[Place, frozenset[Minterm]] = field(default_factory=dict)
    time: dict[tuple[Place, Minterm], int] = field(default_factory=dict)
    reasons: dict[tuple[Place, Minterm], Reasons] = field(default_factory=dict)


class Mixed:
    """RS, NT and T for one abstraction."""

    def __init__(self, pre: Pre, avoid: Iterable[Place] = (), tick: Callable[[], None] = lambda: None) -> None:
        self.pre = pre
        self.paths: Paths = pre.abstraction.paths
        self.avoid = frozenset(avoid)
        self.tick = tick
        self.tables: dict[Question, Solution] = {}
        self._clock = 0
        self._askers: dict[Question, dict[Question, dict[Place, None]]] = {}  # whose table looked at whose, and where
        self._before = _predecessors(self.paths)
        self._known: dict[Place, dict[Place, None]] = {}  # what `_earlier` has found
        self._empty: dict[str, dict[Place, frozenset[Minterm]]] = {
            procedure: {(procedure, location): NONE for location in cuts}
            for procedure, cuts in self.paths.points.items()
        }
        self._all: dict[Place, frozenset[Minterm]] = {}  # the minterms of places, when they are first wanted

    def reach(self, targets: Iterable[Place]) -> Solution:
        """Return RS: from where a target is reached."""
        wanted = frozenset(targets)
        found = Solution({place: NONE for place in self.paths.places()})
        for place in sorted(wanted):
            self._add(found, place, sorted(self._minterms(place)))
        todo = dict.fromkeys(before for place in sorted(wanted) for before in self._users(place))
        while todo:
            self.tick()
            place = todo.popitem()[0]
            if place not in wanted and self._grow(found, place, found.sets, self.answer):
                todo |= dict.fromkeys(self._users(place))
        return found

    def endless(self) -> Solution:
        """Return NT: from where a run need never end."""
        return self._greatest_sets(self.answer)

    def recurrent_sets(self) -> Solution:
        """Return the part of NT in which no call is stepped over: a recurrent set that needs no summaries."""
        return self._greatest_sets(lambda procedure, exits: NONE)

    def _greatest_sets(self, answer: Callable[[str, frozenset[Minterm]], frozenset[Minterm]]) -> Solution:
        dead = {*self.paths.exits.values(), *self.avoid}
        found = Solution({place: NONE if place in dead else self._minterms(place) for place in self.paths.places()})
        todo = dict.fromkeys(self.paths.places())
        while todo:
            self.tick()
            place = todo.popitem()[0]
            kept = {}
            for minterm in sorted(found.sets[place]):
                reasons = self._holds(place, minterm, found.sets, found.sets, answer)
                if reasons is not None:
                    kept[minterm] = reasons
            if len(kept) < len(found.sets[place]):
                self._clock += 1
                found.time |= {(place, gone): self._clock for gone in found.sets[place] if gone not in kept}
                found.sets[place] = frozenset(kept)
                todo |= dict.fromkeys(self._users(place))
            for minterm, why in kept.items():
                found.reasons[place, minterm] = why
        return found

    def answer(self, procedure: str, exits: frozenset[Minterm]) -> frozenset[Minterm]:
        """Return T[f, Q] at the entry of f."""
        self._solve((procedure, exits))
        return self.tables[procedure, exits].sets[self.paths.entries[procedure]]

    def _solve(self, question: Question) -> None:
        """Complete T[f, Q] and all that it depends on."""
        if question in self.tables:
            return
        todo: dict[Question, dict[Place, None]] = {question: self._begin(question).copy()}
        asking: list[tuple[Question, Place]] = []

        def ask(procedure: str, exits: frozenset[Minterm]) -> frozenset[Minterm]:
            other, (asker, place) = (procedure, exits), asking[-1]
            askers = self._askers.setdefault(other, {})
            if asker in askers:
                askers[asker][place] = None
            else:
                askers[asker] = {place: None}
            if other not in self.tables:
                todo[other] = self._begin(other).copy()
            return self.tables[other].sets[self.paths.entries[procedure]]

        while todo:
            self.tick()
            current, places = todo.popitem()
            entry = self.paths.entries[current[0]]
            before = self.tables[current].sets[entry]
            while places:
                place = places.popitem()[0]
                asking.append((current, place))
                if self._grow(self.tables[current], place, {}, ask):
                    places |= self._places_before(place)
                asking.pop()
            if self.tables[current].sets[entry] != before:
                for asker, waiting in self._askers.get(current, {}).items():
                    todo.setdefault(asker, {}).update(waiting)

    def _begin(self, question: Question) -> dict[Place, None]:
        """Make an empty table; return the places that are to be looked at."""
        procedure, exits = question
        leave = self.paths.exits[procedure]
        found = Solution(self._empty[procedure].copy())
        if leave not in self.avoid:
            self._add(found, leave, sorted(exits))
        self.tables[question] = found
        return self._places_before(leave)

    def _places_before(self, place: Place) -> dict[Place, None]:
        """Return the places before a place that can belong to a table."""
        found = self._known.get(place)
        if found is None:
            dead = {self.paths.exits[place[0]], *self.avoid}
            found = self._known[place] = {before: None for before in self._before[place] if before not in dead}
        return found

    def _grow(
        self,
        found: Solution,
        place: Place,
        inside: Mapping[Place, frozenset[Minterm]],
        answer: Callable[[str, frozenset[Minterm]], frozenset[Minterm]],
    ) -> bool:
        """Add to a set what belongs to pre of the others; tell whether something is new."""
        new = []
        missing = self._minterms(place) - found.sets[place]
        for minterm in sorted(missing) if len(missing) > 1 else missing:
            reasons = self._holds(place, minterm, found.sets, inside, answer)
            if reasons is not None:
                found.reasons[place, minterm] = reasons
                new.append(minterm)
        if new:
            self._add(found, place, new)
        return bool(new)

    def _minterms(self, place: Place) -> frozenset[Minterm]:
        """Return the minterms of a place."""
        found = self._all.get(place)
        if found is None:
            found = self._all[place] = self.pre.abstraction.minterms(place)
        return found

    def _holds(
        self,
        place: Place,
        minterm: Minterm,
        goals: Sets,
        inside: Sets,
        answer: Callable[[str, frozenset[Minterm]], frozenset[Minterm]],
    ) -> Reasons | None:
        site = self.paths.calls.get(place)
        if site is not None:
            return self.pre.calls(site, minterm, goals, inside, answer)
        return {} if self.pre.steps(place, minterm, goals) else None

    def _add(self, found: Solution, place: Place, new: Iterable[Minterm]) -> None:
        """Add minterms to a set, in the order of their times."""
        found.sets[place] = found.sets.get(place, NONE).union(new)
        for minterm in new:
            self._clock += 1
            found.time[place, minterm] = self._clock

    def _users(self, place: Place) -> list[Place]:
        """Return the places whose equation speaks of a place."""
        users = list(self._before[place])
        if place == self.paths.entries[place[0]]:
            users += [(site.procedure, site.source) for site in self.paths.callers[place[0]]]
        return users


def _predecessors(paths: Paths) -> dict[Place, tuple[Place, ...]]:
    found: dict[Place, dict[Place, None]] = {place: {} for place in paths.places()}
    for place, some in paths.leaving.items():
        for path in some:
            found[place[0], path.target][place] = None
    for place, site in paths.calls.items():
        found[place[0], site.target][place] = None
    return {place: tuple(before) for place, before in found.items()}
