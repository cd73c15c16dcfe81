"""The oracle for threads: every configuration of a small program, one by one, in the order of what its switches cost.

Meant to be obviously right, not fast: the engines are compared with it.  A *level* is the number of switches (or
rounds) so far; a level is explored completely before the next one, so the first level that reaches a place is the least
one.  A switch costs 1; counted in rounds it costs 1 where it goes to a thread with a smaller number, and the first
round is number 1.  A preemption is a switch from a thread that could step, and other switches are free then.  Where
delays are counted, threads run in the order of their numbers: the running one goes on until it cannot step, then the
next one that can does; each one that could step and is passed over was delayed.

Recursive threads have stacks of any height: those above `depth` are cut off, and `cut` says so.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.records import dataclass, field
from knaster.program.model import Edge, Place, Program
from knaster.semantics.explore import DEFAULT_LIMIT, TooManyStates
from knaster.semantics.threads import Configuration, Stack, Threads, Valuation

# mutant: a type
Origin = tuple[Configuration, Edge | None, bool]  # from where, by which edge (None: back into a caller), by a switch


@dataclass(slots=True)
class Schedules:
    """What is reachable: for each place the least level, and where each configuration came from.

    `closed` says that nothing is new beyond the last level; `levels[i]` is what is new at level i (rounds: i + 1).
    """

    threads: Threads
    least: dict[Place, int] = field(default_factory=dict)
    first: dict[Place, Configuration] = field(default_factory=dict)
    origins: dict[Configuration, Origin | None] = field(default_factory=dict)
    levels: list[list[Configuration]] = field(default_factory=list)
    stuck: tuple[int, Configuration] | None = None  # the first deadlock and its level
    closed: bool = False
    cut: bool = False

    def shared_states(self) -> list[int]:
        """Return the number of distinct valuations of the globals with at most 0, 1, 2, ... switches."""
        seen: set[Valuation] = set()
        counts = []
        for level in self.levels:
            seen.update(here.shared for here in level)
            counts.append(len(seen))
        return counts


def explore_threads(
    program: Program,
    kind: str = "switches",
    most: int | None = None,
    *,
    keep: int | None = None,
    depth: int | None = None,
    deadlocks: bool = False,
    limit: int = DEFAULT_LIMIT,
) -> Schedules:
    """Return what is reachable with up to `most` switches (or rounds); without `most`, with any number.

    `keep` is how many started threads are kept; None keeps all.  Deadlocks are looked for where asked.
    """
    found = Schedules(Threads(program, keep))
    explore_into(found, kind, most, depth=depth, deadlocks=deadlocks, limit=limit)
    return found


def explore_into(
    found: Schedules,
    kind: str,
    most: int | None,
    *,
    depth: int | None = None,
    deadlocks: bool = False,
    limit: int = DEFAULT_LIMIT,
    tick: Callable[[], None] | None = None,
) -> None:
    """Add to `found`, which is empty, what is reachable; what is there when `tick` raises is right as far as it goes.

    Raises `TooManyStates` beyond `limit` configurations.
    """
    search = _Search(found, kind, depth, deadlocks, limit, tick)
    level = 1 if kind == "rounds" else 0
    for start in found.threads.starts():
        search.hand(start, None, level, search.cost_of_start(start))
    while search.later:
        search.begin(level)
        search.finish(level)
        if most is not None and level >= most:
            break
        level += 1
    found.closed = not search.later and not found.cut


class _Search:
    """An exploration on its way: what is new at this level, and what is for later ones."""

    def __init__(
        self,
        found: Schedules,
        kind: str,
        depth: int | None,
        deadlocks: bool,
        limit: int,
        tick: Callable[[], None] | None,
    ) -> None:
        self.found = found
        self.kind = kind
        self.depth = depth
        self.deadlocks = deadlocks
        self.limit = limit
        self.tick = tick
        self.now: list[Configuration] = []
        self.able: dict[tuple[Valuation, Stack], bool] = {}  # who can step
        self.later: dict[int, dict[Configuration, Origin | None]] = {}

    def hand(self, here: Configuration, origin: Origin | None, level: int, cost: int) -> None:
        """Keep a configuration for the level at which it is due."""
        self.later.setdefault(level + cost, {}).setdefault(here, origin)

    def begin(self, level: int) -> None:
        """Begin a level with what was kept for it."""
        self.now = []
        for here, origin in self.later.pop(level, {}).items():
            self.reach(here, origin)

    def reach(self, here: Configuration, origin: Origin | None) -> None:
        found = self.found
        if here in found.origins:
            return
        if self.depth is not None and len(here.stacks[here.running]) > self.depth:
            found.cut = True
            return
        found.origins[here] = origin
        self.now.append(here)
        if len(found.origins) > self.limit:
            raise TooManyStates(f"more than {self.limit} configurations")

    def cost_of_start(self, start: Configuration) -> int:
        """Return what it costs that a thread runs first."""
        return self._passed_over(start, 0, start.running) if self.kind == "delays" else 0

    def cost_of_switch(self, here: Configuration, thread: int) -> int:
        """Return what it costs to switch to a thread."""
        if self.kind == "switches":
            return 1
        if self.kind == "rounds":
            return int(thread < here.running)  # mutant(<): it is another thread
        if self.kind == "preemptions":
            return int(self._can_step(here, here.running))
        return self._passed_over(here, here.running, thread)

    def _passed_over(self, here: Configuration, first: int, thread: int) -> int:
        """Return how many threads that could step are passed over from one thread round to another."""
        count, cost = len(here.stacks), 0
        while first != thread:
            cost += self._can_step(here, first)
            first = (first + 1) % count
        return cost

    def _can_step(self, here: Configuration, thread: int) -> bool:
        key = here.shared, here.stacks[thread]  # nothing else matters, as nobody is inside a section
        known = self.able.get(key)
        if known is None:
            known = self.able[key] = self.found.threads.can_step(here._replace(running=thread))
        return known

    def finish(self, level: int) -> None:
        """Explore one level completely."""
        found, threads, index = self.found, self.found.threads, 0
        while index < len(self.now):
            if self.tick is not None:
                self.tick()
            here = self.now[index]
            index += 1
            place = here.place
            if place is not None and place not in found.least:
                found.least[place], found.first[place] = level, here
            if self.deadlocks and found.stuck is None and threads.is_stuck(here):
                found.stuck = level, here
            for edge, after in threads.steps(here):
                self.reach(after, (here, edge, False))
            for after in threads.switches(here):
                cost = self.cost_of_switch(here, after.running)
                if cost:
                    self.hand(after, (here, None, True), level, cost)
                else:
                    self.reach(after, (here, None, True))
        found.levels.append(self.now)
        self._forget_what_is_known()

    def _forget_what_is_known(self) -> None:
        """Keep for later what was not reached meanwhile."""
        known = self.found.origins
        left = {due: {c: origin for c, origin in kept.items() if c not in known} for due, kept in self.later.items()}
        self.later = {due: kept for due, kept in left.items() if kept}
        if len(known) + sum(map(len, self.later.values())) > self.limit:  # mutant(+): only when a limit is noticed
            raise TooManyStates(f"more than {self.limit} configurations")
