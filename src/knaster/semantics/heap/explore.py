"""The oracle: every configuration of a small program with references, breadth first, step by step as Zing takes them.

A state is a configuration at a scheduling point, or one in which a thread is about to choose between alternatives; no
other thread runs before it has.  States are equal up to renaming of cells, and garbage does not count.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

from knaster.base.records import dataclass, field
from knaster.program.model import Program
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.cycle_watch import CycleWatch
from knaster.semantics.heap.failure import ENDLESS, LONGEST_REGION, Fails, Failure
from knaster.semantics.heap.interpreter import FailedAssume, Machine


@dataclass(slots=True)
class Exploration:
    """What was found: the failures, the states that Zing would count, and whether these are all."""

    failures: set[Failure] = field(default_factory=set)
    distinct: int = 0
    states: int = 0
    complete: bool = True


def explore(program: Program, limit: int = 100_000, depth: int | None = None) -> Exploration:
    """Return all failures of a program; beyond `limit` states or `depth` frames of one thread it is not complete."""
    machine = Machine(program)
    found = Exploration()
    seen: set[Hashable] = set()
    todo: deque[tuple[Configuration, int]] = deque()

    def reach(configuration: Configuration, choosing: int) -> None:
        key = canonical(configuration, choosing)
        if key in seen:
            return
        if len(seen) >= limit or (depth is not None and max(map(len, configuration.threads)) > depth):
            found.complete = False
            return
        seen.add(key)
        todo.append((configuration, choosing))

    reach(machine.start(), 0)
    found.distinct = 1
    while todo:
        configuration, choosing = todo.popleft()
        found.states += 1
        if choosing:
            found.distinct += 1
            for alternative in range(len(machine.alternatives(configuration, choosing))):
                _run(machine, configuration.copy(), choosing, alternative, found, reach)
            continue
        stuck = machine.stuck(configuration)
        if stuck is not None:
            found.failures.add(stuck)
        runnable = [t for t in range(1, len(configuration.threads) + 1) if machine.runnable(configuration, t)]
        if runnable and found.states > 1 and len(configuration.threads) > 1:
            found.distinct += 1
        for thread in runnable:
            _run(machine, configuration.copy(), thread, None, found, reach)
    return found


def _run(
    machine: Machine, configuration: Configuration, thread: int, chosen: int | None, found: Exploration, reach: object
) -> None:
    """Let a thread run to its next scheduling point or choice; `chosen` is the alternative of its first step."""
    assert callable(reach)
    watch = CycleWatch(thread)
    for count in range(LONGEST_REGION):
        if watch.is_back(count, configuration):
            break
        try:
            if chosen is None and len(machine.alternatives(configuration, thread)) > 1:
                reach(configuration, thread)
                return
            event = machine.step(configuration, thread, chosen or 0)
        except FailedAssume:
            return
        except Fails as fails:
            found.failures.add(machine.failure(configuration, thread, fails))
            return
        chosen = None
        failed = machine.failure_of(configuration, thread)
        if failed is not None:
            found.failures.add(failed)
            return
        if not event.keeps:
            reach(configuration, 0)
            return
    found.failures.add(machine.failure(configuration, thread, Fails(ENDLESS)))
