"""The oracle for threads: every configuration of a small program, one by one, in the order of switches or of rounds.

Meant to be obviously right, not fast: the engines are compared with it.  A *level* is the number of switches (or
rounds) so far; a level is explored completely before the next one, so the first level that reaches a place is the least
one.  A switch costs 1; counted in rounds it costs 1 where it goes to a thread with a smaller number, and the first
round is number 1.  Recursive threads have stacks of any height: those above `depth` are cut off, and `cut` says so.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.records import dataclass, field
from knaster.program.model import Edge, Place, Program
from knaster.semantics.explore import DEFAULT_LIMIT, TooManyStates
from knaster.semantics.threads import Configuration, Threads, Valuation

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
    search = _Search(found, kind == "rounds", depth, deadlocks, limit, tick)
    first = 1 if kind == "rounds" else 0
    for start in found.threads.starts():
        search.reach(start, None, search.now)
    while search.now:
        level = first + len(found.levels)
        search.finish(level)
        if most is not None and level >= most:
            break
        search.now, search.later = search.later, []
    found.closed = not search.now or (not search.later and not found.cut)


class _Search:
    """An exploration on its way: what is new at this level and what a further switch leads to."""

    def __init__(
        self,
        found: Schedules,
        rounds: bool,
        depth: int | None,
        deadlocks: bool,
        limit: int,
        tick: Callable[[], None] | None,
    ) -> None:
        self.found = found
        self.rounds = rounds
        self.depth = depth
        self.deadlocks = deadlocks
        self.limit = limit
        self.tick = tick
        self.now: list[Configuration] = []
        self.later: list[Configuration] = []

    def reach(self, here: Configuration, origin: Origin | None, queue: list[Configuration]) -> None:
        found = self.found
        if here in found.origins:
            return
        if self.depth is not None and len(here.stacks[here.running]) > self.depth:
            found.cut = True
            return
        found.origins[here] = origin
        queue.append(here)
        if len(found.origins) > self.limit:
            raise TooManyStates(f"more than {self.limit} configurations")

    def finish(self, level: int) -> None:
        """Explore one level completely."""
        found, threads, index = self.found, self.found.threads, 0
        handed: list[tuple[Configuration, Configuration]] = []
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
                self.reach(after, (here, edge, False), self.now)
            for after in threads.switches(here):
                if self.rounds and after.running > here.running:
                    self.reach(after, (here, None, True), self.now)
                else:
                    handed.append((here, after))
        for here, after in handed:
            self.reach(after, (here, None, True), self.later)
        found.levels.append(self.now)
