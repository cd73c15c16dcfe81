"""Decides targets of threads that do not recurse: sets of configurations, one switch (or round) after the other.

Threads whose call graph has no cycle have finitely many configurations, so the sets stop growing, and what they do not
contain is unreachable whatever the number of switches.  A *level* is the number of switches (or rounds) so far; within
a level the thread that runs is followed until nothing is new, then everything new is handed to the others.  The first
level at which a target occurs is the least one.

The idea of counting: S. Qadeer and J. Rehof, Context-Bounded Model Checking of Concurrent Software (TACAS 2005).  Sets
of configurations as BDDs: J. R. Burch and others, Symbolic Model Checking: 10^20 States and Beyond (LICS 1990).

Values of local variables that no longer matter (`live_locals`) are forgotten.

Threads that are started take the lanes that are free.  With K switches at most K of them ever run: where more can be
started, each may also be forgotten, and the answer holds for K switches only.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import count

from knaster.base.limits import OutOfBudget
from knaster.bdd.store import Bdd, Store, minus
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.threads.states.deadlock import Deadlocks
from knaster.engines.threads.states.points import join_points, split_by_point
from knaster.engines.threads.states.steps import Key, Moves
from knaster.engines.threads.states.traces import History, Record, trace_to
from knaster.evidence.proofs.threads.configurations import Configurations, Layer
from knaster.evidence.questions.question import Bound, Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.layout.lanes import UNBEGUN, UNUSED, Point, make_lanes
from knaster.program.threads import most_started
from knaster.views.symbolic.formula_sets import possible

Sets = dict[Key, Bdd]


def states(task: Task) -> Findings:
    """Decide every target; the bound of the question is kept, and without one it grows until nothing is new."""
    if not isinstance(task.question, Reach):
        from knaster.engines.threads.states.endless import find_endless

        return find_endless(task)
    most = most_started(task.program)
    bound = task.bound
    stuck = not all(target.has_place for target in task.targets)  # who is forgotten might move: nobody is
    if most is not None and (bound is None or most <= bound.number or stuck):
        return _Exploration(task, most, forgets=False).findings(bound)
    if bound is not None:
        return _Exploration(task, bound.number, forgets=True).findings(bound)
    findings: Findings | None = None
    for number in count():
        latest = _Exploration(task, number, forgets=True).findings(Bound("switches", number))
        if findings is not None and (latest.covered is None or latest.covered < number):
            return findings_until(findings, latest)
        findings = latest
        if latest.unknown is not None or len(latest.reached) == len(task.targets) or (task.first and latest.reached):
            return latest
    raise AssertionError("there is always a next number")


def findings_until(done: Findings, broken: Findings) -> Findings:
    """Return what was found before a further attempt ended too early."""
    return Findings(
        done.reached,
        broken.unknown,
        broken.statistics,
        traces=done.traces,
        bound=done.bound,
        least=done.least,
        covered=done.covered,
    )


class _Exploration:
    """The sets of one program with room for so many started threads."""

    def __init__(self, task: Task, started: int, forgets: bool) -> None:
        self.task = task
        self.rounds = task.bound is not None and task.bound.kind == "rounds"
        self.lanes = make_lanes(task.program, started, forgets)
        self.store = Store(self.lanes.size, task.nodes)
        self.moves = Moves(self.lanes, self.store)
        self.failing = [target for target in task.targets if not target.has_place]
        self.deadlocks = Deadlocks(self.moves) if self.failing else None
        self.history = History(self.lanes, self.moves, [{} for _ in self.lanes.lanes])
        self.seen: list[Sets] = [{} for _ in self.lanes.lanes]
        self.least: dict[Target, tuple[int, int, Key, Bdd]] = {}
        self.order = [{point: place for place, point in enumerate(lane.points)} for lane in self.lanes.lanes]
        self.level = self.first = 1 if self.rounds else 0
        self.covered: int | None = None
        self.closed = False
        self.known = [self._over(lane) for lane in range(len(self.lanes.lanes))]  # what is not new to each lane

    def findings(self, bound: Bound | None) -> Findings:
        """Explore up to a bound, or until nothing is new, and return what was found."""
        started = time.perf_counter()
        unknown: Undecided | None = None
        try:
            self._explore(bound)
            if not self.closed and (bound is None or self.covered != bound.number):
                unknown = STOPPED
        except OutOfBudget as spent:
            unknown = Undecided.because(spent)
        kind = "rounds" if self.rounds else "switches"
        if self.closed and bound is not None:
            self.covered = bound.number
        whole = self.closed and not self.lanes.forgets
        within = None if whole or self.covered is None else Bound(kind, self.covered)
        statistics = {
            "fixpoint_seconds": time.perf_counter() - started,
            "levels": self.level,
            "lanes": len(self.lanes.lanes),
            "variables": self.lanes.size,
            "nodes": self.store.nodes,
        }
        if unknown is None or unknown.enough:  # counting them takes its time
            statistics["shared_states"] = self.shared_states()
        return Findings(
            frozenset(self.least),
            unknown,
            statistics,
            traces=self._traces,
            proof=self._proof,
            bound=within,
            least=self._least(),
            covered=self.covered,
        )

    def _least(self) -> dict[Target, int]:
        """Return the least number of switches (rounds) that reaches each target."""
        return {target: found[0] for target, found in self.least.items()}

    def _proof(self) -> Configurations:
        """Return the sets: those of all levels together where they are closed, else those up to each level."""
        whole = self.closed and not self.lanes.forgets
        layers: list[Layer] = []
        if whole:
            layers.append(_layer(self.seen))
        else:
            assert self.covered is not None
            sets: list[Sets] = [{} for _ in self.lanes.lanes]
            for level in range(self.first, self.covered + 1):
                for lane, found in enumerate(self.history.records):
                    for key, records in found.items():
                        for record in records:
                            if record.level == level:
                                sets[lane][key] = sets[lane].get(key, self.store.false) | record.states
                layers.append(_layer(sets))
        kind = "rounds" if self.rounds else "switches"
        return Configurations(self.task.program, self.store, self.lanes, tuple(layers), kind, whole)

    def shared_states(self) -> int:
        """Return the number of distinct valuations of the globals."""
        union = self.store.false
        own = [bit for lane in self.lanes.lanes for bit in lane.bits]
        own += [variable for lane in self.lanes.lanes for variables in lane.depths for variable in variables]
        cube = self.store.cube(own)
        for sets in self.seen:
            for key, states in sets.items():
                if key.point.location != UNBEGUN:
                    union |= states.exists(cube)
        return self.store.count(union, len(self.lanes.shared))

    def _explore(self, bound: Bound | None) -> None:
        current = [self._initial()] * len(self.task.program.threads)  # what is new to each lane at the first level
        current += [self.store.false] * len(self.lanes.started_lanes)
        for level in count(self.first):
            self.level = level
            handed = [self.store.false] * len(self.lanes.lanes)
            for lane, seeds in enumerate(current):
                if self.rounds:
                    seeds |= minus(self._union(handed[:lane]), self.known[lane])
                handed[lane] = self._run(lane, seeds, level)
                self.known[lane] |= seeds | handed[lane]
            self.covered = level
            kind = "rounds" if self.rounds else "switches"
            self.task.ledger.note(self._least(), Bound(kind, level))
            self.task.budget.tell(f"{level} {kind}: {self.store.nodes} nodes")
            current = [minus(offered, known) for offered, known in zip(self._offers(handed), self.known, strict=True)]
            self.closed = all(map(self.store.is_false, current))
            if self.closed or (bound is not None and level >= bound.number) or self._is_decided():
                return

    def _union(self, sets: Sequence[Bdd]) -> Bdd:
        union = self.store.false
        for states in sets:
            union |= states
        return union

    def _offers(self, handed: Sequence[Bdd]) -> list[Bdd]:
        """Return what the other threads hand to each lane at the next level; in rounds, only those after it."""
        offered = [self.store.false] * len(handed)
        before = after = self.store.false
        for lane in reversed(range(len(handed))):
            offered[lane] = after
            after |= handed[lane]
        for lane in range(len(handed)) if not self.rounds else ():
            offered[lane] |= before
            before |= handed[lane]
        return offered

    def _is_decided(self) -> bool:
        return len(self.least) == len(self.task.targets) or (self.task.first and bool(self.least))

    def _over(self, lane: int) -> Bdd:
        """Return that a thread is over, or not there yet."""
        points = self.lanes.lanes[lane].points
        return self._union([self.moves.code(lane, point) for point in points if self.moves.has_ended(point)])

    def _initial(self) -> Bdd:
        """Return the initial configurations."""
        shared = {name: self.store.var(variable) for name, variable in self.lanes.shared.items()}
        start = possible(self.store, self.task.program.init, lambda variable: shared[variable.name])
        for lane, own in enumerate(self.lanes.lanes):
            point = UNUSED if own.entry is None else Point((), own.entry, UNBEGUN)
            start &= self.moves.code(lane, point)
        return start

    def _split(self, lane: int, states: Bdd) -> Sequence[tuple[Key, Bdd]]:
        """Return configurations in which a thread is to run by where it stands."""
        parts = split_by_point(self.store, self.lanes.lanes[lane], states)
        return [(Key(point, False), part) for point, part in parts]

    def _run(self, lane: int, seeds: Bdd, level: int) -> Bdd:
        """Let a thread run until nothing is new; return the new configurations from which another one may run."""
        pending: Sets = {}
        queue: list[tuple[int, bool, Key]] = []
        before: Sets = {}  # what was known of the keys that are reached anew

        def reach(key: Key, states: Bdd, seed: bool) -> None:
            seen = self.seen[lane].get(key, self.store.false)
            new = minus(states, seen)
            if self.store.is_false(new):
                return
            self.seen[lane][key] = seen | new
            before.setdefault(key, seen)
            self.history.add(lane, key, Record(self.history.next_stamp(), level, new, seed))
            self._note(lane, key, new, level)
            if key not in pending:
                heappush(queue, (self.order[lane][key.point], key.section, key))
            pending[key] = pending.get(key, self.store.false) | new

        for key, new in self._split(lane, seeds):
            reach(key, new, True)
        while queue:
            self.task.budget.check()
            self.store.collect()
            _, _, key = heappop(queue)
            states = pending.pop(key)
            for move in self.moves.leaving_key(lane, key):
                reach(move.target, move.image(states), False)
        return self._handover(lane, {key: minus(self.seen[lane][key], seen) for key, seen in before.items()})

    def _handover(self, lane: int, fresh: Sets) -> Bdd:
        """Return the configurations from which another thread may run, with the point of this one, joined by bits."""
        own, atomic = self.lanes.lanes[lane], self.task.program.atomic
        leaving = {key.point: states for key, states in fresh.items() if self.moves.may_leave(key)}
        handed = join_points(self.store, own, leaving)
        return handed if atomic is None else minus(handed, self.store.var(self.lanes.shared[atomic]))

    def _note(self, lane: int, key: Key, states: Bdd, level: int) -> None:
        for target in self.targets_by_place.get(key.point.place, ()):
            self.least.setdefault(target, (level, lane, key, states))
        if self.deadlocks is not None and self.failing[0] not in self.least:
            stuck = states & self.deadlocks.at(lane, key)
            if not self.store.is_false(stuck):
                self.least |= dict.fromkeys(self.failing, (level, lane, key, stuck))

    @property
    def targets_by_place(self) -> Mapping[tuple[str, int], list[Target]]:
        """The targets by place."""
        found: dict[tuple[str, int], list[Target]] = {}
        for target in self.task.targets:
            if target.has_place:
                found.setdefault(target.place, []).append(target)
        return found

    def _traces(self, targets: Sequence[Target]) -> Mapping[Target, Trace]:
        traces = {}
        for target in targets:
            _, lane, key, states = self.least[target]
            self.task.budget.check()
            traces[target] = trace_to(self.history, self.rounds, lane, key, states, not target.has_place)
        return traces


def _layer(sets: Sequence[Sets]) -> Layer:
    """Return sets in the form of a proof."""
    return tuple({(key.point, key.section): states for key, states in own.items()} for own in sets)
