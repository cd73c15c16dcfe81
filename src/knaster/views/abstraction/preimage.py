"""Computes pre of an abstract set, over-approximated (may) and under-approximated (must).

The must side is the strongest one that needs no further predicates, M4: all states of a minterm have a step into the
set, each by a way of its own, and at a call some may step over it while others enter it.  Where all that can follow
lies in the set and every state has a step, that is so; where steps are determined it is so only then (complement);
elsewhere the solver is asked.  Gurfinkel, Wei and Chechik (ATVA 2008), section 5, leave the choice open; the notion
is that of hyper transitions of S. Shoham and O. Grumberg, Monotonic Abstraction-Refinement for CTL (TACAS 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knaster.program.expression import TRUE
from knaster.program.model import Place
from knaster.smt.signs import Step
from knaster.views.abstraction.relations import Abstraction, Minterm, Returns
from knaster.views.steps.paths import CallPath, StepPath

Sets = Mapping[Place, frozenset[Minterm]]
Answer = Callable[[str, frozenset[Minterm]], frozenset[Minterm]]  # from a callee and its exits to its entries
Reasons = dict[Minterm, frozenset[Minterm] | None]  # at a call, by the callee's minterm: its exits; None: inside it
NONE: frozenset[Minterm] = frozenset()
_Exits = Mapping[Minterm, frozenset[Minterm]]  # what follows in the caller from each minterm at the callee's exit
_NOWHERE: _Exits = {}


class _PathEffect:
    """A path, its target, and what follows it, which is asked for when it is first wanted."""

    __slots__ = ("_abstraction", "_after", "_path", "target")

    def __init__(self, abstraction: Abstraction, path: StepPath) -> None:
        self._abstraction, self._path = abstraction, path
        self._after: Mapping[Minterm, frozenset[Minterm]] | None = None
        self.target = path.ends[1]

    def after(self, minterm: Minterm) -> frozenset[Minterm]:
        """Return what follows a minterm."""
        if self._after is None:
            self._after = self._abstraction.after(self._path)
        return self._after.get(minterm, NONE)


class _CallEffect:
    """A call, its places, and what enters and leaves the callee, which is asked for when it is first wanted."""

    __slots__ = ("_abstraction", "_entered", "_returns", "_site", "entry", "leave", "target")

    def __init__(self, abstraction: Abstraction, site: CallPath) -> None:
        self._abstraction, self._site = abstraction, site
        self._entered: dict[Minterm, list[Minterm]] | None = None
        self._returns: Returns | None = None
        self.entry, self.leave = abstraction.paths.entries[site.callee], abstraction.paths.exits[site.callee]
        self.target = (site.procedure, site.target)

    def entries_from(self, minterm: Minterm) -> list[Minterm]:
        """Return the minterms with which a minterm of the caller enters the callee, in order."""
        if self._entered is None:
            entries = self._abstraction.entries(self._site)
            self._entered = {before: sorted(found) for before, found in entries.items()}
        return self._entered.get(minterm, [])

    def exits_from(self, minterm: Minterm, entry: Minterm) -> _Exits:
        """Return what follows in the caller, by the callee's last minterm."""
        if self._returns is None:
            self._returns = self._abstraction.returns(self._site)
        return self._returns.get((minterm, entry), _NOWHERE)


class _Steps:
    """What leaves each place of one abstraction; nothing is asked more often, so it is found by place alone."""

    def __init__(self, abstraction: Abstraction) -> None:
        self._abstraction = abstraction
        self._leaving: dict[Place, list[_PathEffect]] = {}
        self._calls: dict[Place, _CallEffect] = {}

    def paths_from(self, place: Place) -> list[_PathEffect]:
        """Return the paths that leave a place."""
        found = self._leaving.get(place)
        if found is None:
            found = self._leaving[place] = [
                _PathEffect(self._abstraction, w) for w in self._abstraction.paths.leaving[place]
            ]
        return found

    def call(self, site: CallPath) -> _CallEffect:
        """Return a call."""
        place = (site.procedure, site.source)
        found = self._calls.get(place)
        if found is None:
            found = self._calls[place] = _CallEffect(self._abstraction, site)
        return found


class Over:
    """Some state of a minterm has a step into the set."""

    def __init__(self, abstraction: Abstraction) -> None:
        self.abstraction = abstraction
        self._steps = _Steps(abstraction)
        self._exits: dict[tuple[int, frozenset[Minterm]], frozenset[Minterm]] = {}

    def steps(self, place: Place, minterm: Minterm, goals: Sets) -> bool:
        """Tell whether a minterm has a way into the goals."""
        for path in self._steps.paths_from(place):
            goal = goals.get(path.target, NONE)
            if goal and not path.after(minterm).isdisjoint(goal):
                return True
        return False

    def calls(self, site: CallPath, minterm: Minterm, goals: Sets, inside: Sets, answer: Answer) -> Reasons | None:
        """Return how the callee leads into the goals, or inside itself; None where it does not."""
        call = self._steps.call(site)
        goal, within = goals.get(call.target, NONE), inside.get(call.entry, NONE)
        for entry in call.entries_from(minterm):
            if entry in within:
                return {entry: None}
            exits = self._exits_into(call.exits_from(minterm, entry), goal)
            if exits and entry in answer(site.callee, exits):
                return {entry: exits}
        return None

    def _exits_into(self, leaving: _Exits, goal: frozenset[Minterm]) -> frozenset[Minterm]:
        """Return the exits from which some state goes on in the goal."""
        key = (id(leaving), goal)  # the memory of the abstraction keeps it, and calls of one shape share it
        found = self._exits.get(key)
        if found is None:
            found = self._exits[key] = frozenset(leave for leave, after in leaving.items() if after & goal)
        return found


class Under:
    """Every state of a minterm has a step into the set."""

    def __init__(self, abstraction: Abstraction) -> None:
        self.abstraction = abstraction
        self._steps = _Steps(abstraction)
        self._exits: dict[tuple[int, frozenset[Minterm]], frozenset[Minterm]] = {}
        self._moves: dict[tuple[Place, Minterm], bool] = {}

    def steps(self, place: Place, minterm: Minterm, goals: Sets) -> bool:
        """Tell whether all states of a minterm have a way into the goals."""
        some, all = False, True
        for path in self._steps.paths_from(place):
            after, goal = path.after(minterm), goals.get(path.target, NONE)
            some = some or not after.isdisjoint(goal)
            all = all and after <= goal
        if not some:
            return False
        if all and self._moves_on(place, minterm):
            return True
        return not self.abstraction.is_determined(place) and self.abstraction.is_covered(place, minterm, goals)

    def _moves_on(self, place: Place, minterm: Minterm) -> bool:
        key = (place, minterm)
        if key not in self._moves:
            self._moves[key] = self.abstraction.moves_on(place, minterm)
        return self._moves[key]

    def calls(self, site: CallPath, minterm: Minterm, goals: Sets, inside: Sets, answer: Answer) -> Reasons | None:
        """Return how the callee leads into the goals, or inside itself, from all states; None where it does not."""
        if site.guard and not self._is_defined(site, minterm):
            return None
        call = self._steps.call(site)
        goal, within = goals.get(call.target, NONE), inside.get(call.entry, NONE)
        reasons: Reasons = {}
        for entry in call.entries_from(minterm):
            if entry in within:
                reasons[entry] = None
                continue
            leaving = call.exits_from(minterm, entry)
            good = self._exits_into(leaving, goal, call.leave)
            if good.isdisjoint(leaving) or entry not in answer(site.callee, good):
                return None
            reasons[entry] = good
        return reasons or None

    def _exits_into(self, leaving: _Exits, goal: frozenset[Minterm], leave: Place) -> frozenset[Minterm]:
        """Return the exits from which every state goes on in the goal, and those that are not left by at all."""
        if not leaving:
            return NONE
        key = (id(leaving), goal)  # the memory of the abstraction keeps it, and calls of one shape share it
        found = self._exits.get(key)
        if found is None:
            exits = self.abstraction.minterms(leave)
            found = self._exits[key] = frozenset(e for e in exits if leaving.get(e, NONE) <= goal)
        return found

    def _is_defined(self, site: CallPath, minterm: Minterm) -> bool:
        place, types = (site.procedure, site.source), self.abstraction.paths.types[site.procedure]
        meaning = self.abstraction.meaning(place, minterm)
        return self.abstraction.oracle.covers(meaning, (Step(site.guard, TRUE),), types)
