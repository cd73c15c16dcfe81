"""Threads beside an automaton on sets of configurations: what their moves reach, and from where they lead somewhere.

A *site* is a state of the automaton and who may move: anybody (OUTSIDE), or one thread alone, inside a section or by
the lock.  At a site there is a set of configurations, control points of all threads included.  While one thread moves,
its control point is known: *where* is a state of the automaton, whether the thread is inside a section, and its point.
Each thread is followed until nothing is new, then the others; forwards, and backwards inside given sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from heapq import heappop, heappush

from knaster.base.named_tuples import NamedTuple
from knaster.bdd.store import Bdd, and_exists, exists, minus
from knaster.engines.threads.states.abilities import Abilities
from knaster.engines.threads.states.letters import Guards, Letters
from knaster.engines.threads.states.points import join_points, split_by_point
from knaster.engines.threads.states.steps import Key, Move, Moves
from knaster.evidence.proofs.threads.fair_sets import OUTSIDE, Site
from knaster.program.layout.lanes import UNBEGUN, Point
from knaster.program.layout.point_order import point_order
from knaster.program.model import Call

Sets = dict[Site, Bdd]
Where = tuple[int, bool, Point]
Parts = dict[Where, Bdd]


class Arc(NamedTuple):
    """A move of a thread between keys; `back` where it goes to an earlier point, or stays at one."""

    source: Key
    move: Move
    back: bool
    gone: Bdd | None  # the variables that do not exist before it

    @property
    def is_silent(self) -> bool:
        """Whether it takes no letter: a thread begins, or comes back into a caller."""
        return self.move.edge is None

    def preimage(self, states: Bdd) -> Bdd:
        """Return from where it leads into some states."""
        before = self.move.relation.preimage(states)
        return before if self.gone is None else exists(before, self.gone)


class ThreadSets:
    """The moves of all threads of a program beside an automaton."""

    def __init__(self, moves: Moves, guards: Guards, letters: Letters, abilities: Abilities, rests: bool) -> None:
        self.moves, self.store, self.guards, self.letters = moves, moves.store, guards, letters
        self.abilities, self._rests = abilities, rests
        self.lanes = moves.lanes.lanes
        self.order = [point_order(moves.program, lane) for lane in self.lanes]
        self.check: Callable[[], None] = lambda: None
        self._limited: dict[tuple[int, int, int, Point, bool], Bdd] = {}
        self.coming = [self._coming(lane) for lane in range(len(self.lanes))]

    @cached_property
    def has_lock(self) -> bool:
        """Whether a global says that one thread runs alone."""
        return self.moves.program.atomic is not None

    # Forwards

    def reach(self, start: Sets) -> Sets:
        """Return everything that runs reach."""
        whole, seen = dict(start), [Parts() for _ in self.lanes]
        fresh = [dict(start) for _ in self.lanes]
        while any(fresh):
            for lane in range(len(self.lanes)):
                seeds, fresh[lane] = fresh[lane], {}
                made = self.join(lane, self._follow(lane, self.split(lane, seeds), seen[lane])) if seeds else {}
                self._hand_on(lane, self.add(whole, made), fresh)
            self._hand_on(None, self.add(whole, self._resting(whole)), fresh)
        return whole

    def _hand_on(self, lane: int | None, new: Sets, fresh: list[Sets]) -> None:
        """Hand what one thread has made to the others, but for where an assertion has failed."""
        for (state, part), states in new.items():
            offered = minus(states, self.letters.failed)
            if part is OUTSIDE and not self.store.is_false(offered):
                for other in range(len(self.lanes)):
                    if other != lane:
                        self._unite(fresh[other], (state, OUTSIDE), offered)

    def _follow(self, lane: int, seeds: Parts, seen: Parts) -> Parts:
        """Let a thread run until nothing is new; return what is."""
        return self._saturate(lane, seeds, seen, self._targets, 1)

    def _targets(self, lane: int, where: Where, states: Bdd) -> Iterator[tuple[Where, Bdd]]:
        state, section, point = where
        for move in self.moves.leaving_key(lane, Key(point, section)):
            after = move.target.section, move.target.point
            if move.edge is None:
                yield (state, *after), move.image(states)
                continue
            for target in self.guards.after.get(state, ()):
                yield (target, *after), move.image(states & self._guard(lane, state, target, point))

    def _resting(self, sets: Sets) -> Sets:
        """Return what the automaton reaches where runs rest."""
        found: Sets = {}
        for (source, target), guard in self.guards.every.items() if self._rests else ():
            if (source, OUTSIDE) in sets:
                states = sets[source, OUTSIDE] & self.abilities.rests & guard
                self._unite(found, (target, OUTSIDE), states)
        return found

    # Backwards

    def go_back(self, goals: Sets, within: Sets) -> Sets:
        """Return from where some configurations can be reached inside given ones; the goals are inside."""
        found, seen = dict(goals), [Parts() for _ in self.lanes]
        room = self.active(within)
        rooms = [self.split(lane, room) for lane in range(len(self.lanes))]
        fresh = [dict(goals) for _ in self.lanes]
        while any(fresh):
            for lane, own in enumerate(rooms):
                seeds, fresh[lane] = fresh[lane], {}

                def sources(lane: int, where: Where, states: Bdd, own: Parts = own) -> Iterator[tuple[Where, Bdd]]:
                    return self.sources(lane, where, states, own)

                parts = self._saturate(lane, self.split(lane, seeds), seen[lane], sources, -1) if seeds else {}
                self._pass_back(lane, self.add(found, self.join(lane, parts)), fresh)
            self._pass_back(None, self.add(found, self.before_rest(found, within)), fresh)
        return found

    def _pass_back(self, lane: int | None, new: Sets, fresh: list[Sets]) -> None:
        for (state, part), states in new.items():
            for other in range(len(self.lanes)):
                if other != lane and (part is None or part[0] == other):
                    self._unite(fresh[other], (state, part), states)

    def step_back(self, goals: Sets, within: Sets, lanes: Iterator[int] | None = None, counting: bool = False) -> Sets:
        """Return from where one step, or one that counts, leads to goals; `lanes` are the threads that take it."""
        found: Sets = {}
        room = self.active(within)
        for lane in range(len(self.lanes)) if lanes is None else lanes:
            self.check()
            own, parts = self.split(lane, room), Parts()
            for where, states in self.split(lane, goals).items():
                for source, before in self.sources(lane, where, states, own, counting):
                    parts[source] = parts[source] | before if source in parts else before
            self.add(found, self.join(lane, parts))
        if lanes is None:
            self.add(found, self.before_rest(goals, within, counting))
        return found

    def sources(
        self, lane: int, where: Where, states: Bdd, room: Parts, counting: bool = False
    ) -> Iterator[tuple[Where, Bdd]]:
        """Yield from where inside `room` a thread moves to some configurations."""
        target, section, point = where
        sections = (False, True) if self.letters.is_failing(point) else (section,)
        for arc in (arc for each in sections for arc in self.coming[lane].get(Key(point, each), ())):
            before: Bdd | None = None
            for state, guard in self._letters_before(lane, arc, target, counting):
                source = state, arc.source.section, arc.source.point
                if source in room:
                    before = arc.preimage(states) if before is None else before
                    found = before & room[source]
                    yield source, found if guard is None else found & guard

    def _letters_before(self, lane: int, arc: Arc, target: int, counting: bool) -> Iterator[tuple[int, Bdd | None]]:
        acceptance = self.guards.acceptance
        if counting and acceptance.is_weak and not arc.back:
            return
        if arc.is_silent:
            if not counting or target in acceptance.good:
                yield target, None
            return
        for state in self.guards.before.get(target, ()):
            if not counting or (state, target) in self.guards.counting:
                yield state, self._guard(lane, state, target, arc.source.point, counting)

    def before_rest(self, goals: Sets, within: Sets, counting: bool = False) -> Sets:
        """Return from where the automaton steps to goals where runs rest."""
        found: Sets = {}
        steps = self.guards.counting if counting else self.guards.every
        for (source, target), guard in steps.items() if self._rests else ():
            if (target, OUTSIDE) in goals and (source, OUTSIDE) in within:
                states = goals[target, OUTSIDE] & self.abilities.rests & guard & within[source, OUTSIDE]
                self._unite(found, (source, OUTSIDE), states)
        return found

    def _coming(self, lane: int) -> Mapping[Key, list[Arc]]:
        found: dict[Key, list[Arc]] = {}
        order, own = self.order[lane], self.lanes[lane]
        todo = [Key(point, False) for point in own.points]
        known = set(todo)
        for key in todo:  # grows
            for move in self.moves.leaving_key(lane, key):
                gone = None
                if key.point.location == UNBEGUN or (move.edge is not None and isinstance(move.edge.action, Call)):
                    kept = set(own.existing_variables(self.moves.program, key.point))
                    gone = self.store.cube(v for places in own.depths for v in places if v not in kept)
                back = order[move.target.point] <= order[key.point]
                found.setdefault(move.target, []).append(Arc(key, move, back, gone))
                if move.target not in known:
                    known.add(move.target)
                    todo.append(move.target)
        return found

    # Sets

    def active(self, sets: Sets) -> Sets:
        """Return sets without where an assertion has failed: nobody moves there."""
        found = {site: minus(states, self.letters.failed) for site, states in sets.items()}
        return {site: states for site, states in found.items() if not self.store.is_false(states)}

    def split(self, lane: int, sets: Sets) -> Parts:
        """Return sets in which a thread may move by where it stands."""
        found: Parts = {}
        for (state, part), states in sets.items():
            if part is None or part[0] == lane:
                section = part is not None and part[1]
                for point, here in split_by_point(self.store, self.lanes[lane], states):
                    where = state, section, point
                    found[where] = found[where] | here if where in found else here
        return found

    def join(self, lane: int, parts: Parts) -> Sets:
        """Return sets by site."""
        grouped: dict[tuple[int, bool], dict[Point, Bdd]] = {}
        for (state, section, point), states in parts.items():
            inside = section and not self.letters.is_failing(point)
            own = grouped.setdefault((state, inside), {})
            own[point] = own[point] | states if point in own else states
        found: Sets = {}
        for (state, section), points in grouped.items():
            states = join_points(self.store, self.lanes[lane], points)
            if section:
                self._unite(found, (state, (lane, True)), states)
            elif not self.has_lock:
                self._unite(found, (state, OUTSIDE), states)
            else:
                locked = minus(states & self.abilities.lock, self.letters.over)
                self._unite(found, (state, (lane, False)), locked)
                self._unite(found, (state, OUTSIDE), minus(states, locked))
        return found

    def _saturate(
        self,
        lane: int,
        seeds: Parts,
        seen: Parts,
        neighbours: Callable[[int, Where, Bdd], Iterator[tuple[Where, Bdd]]],
        direction: int,
    ) -> Parts:
        """Add to `seen` what a thread leads to from the seeds, forwards (1) or backwards (-1); return what is new."""
        pending: Parts = {}
        fresh: Parts = {}
        queue: list[tuple[int, Where]] = []
        todo = list(seeds.items())
        while True:
            for where, states in todo:
                new = minus(states, seen[where]) if where in seen else states
                if self.store.is_false(new):
                    continue
                seen[where] = seen[where] | new if where in seen else new
                fresh[where] = fresh[where] | new if where in fresh else new
                if where in pending:
                    pending[where] |= new
                else:
                    pending[where] = new
                    heappush(queue, (direction * self.order[lane][where[2]], where))
            if not queue:
                return fresh
            self.check()
            self.store.collect()
            _, where = heappop(queue)
            todo = list(neighbours(lane, where, pending.pop(where)))

    def _guard(self, lane: int, source: int, target: int, point: Point, counting: bool = False) -> Bdd:
        key = lane, source, target, point, counting
        if key not in self._limited:
            guard = (self.guards.counting if counting else self.guards.every)[source, target]
            bits = self.store.cube(self.lanes[lane].bits)
            self._limited[key] = and_exists(guard, self.moves.code(lane, point), bits)
        return self._limited[key]

    def add(self, sets: Sets, more: Sets) -> Sets:
        """Add configurations to sets and return those that are new."""
        new: Sets = {}
        for site, states in more.items():
            fresh = minus(states, sets[site]) if site in sets else states
            if not self.store.is_false(fresh):
                new[site] = fresh
                sets[site] = sets[site] | fresh if site in sets else fresh
        return new

    def _unite(self, sets: Sets, site: Site, states: Bdd) -> None:
        if not self.store.is_false(states):
            sets[site] = sets[site] | states if site in sets else states
