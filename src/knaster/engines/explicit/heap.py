"""Enumerates every interleaving of a program with references, breadth first or otherwise; states up to names of cells.

Zing: A Model Checker for Concurrent Software (Andrews, Qadeer, Rajamani, Rehof and Xie, CAV 2004), section 3.  Atomic
regions are one transition; a choice among several alternatives is a state of its own, in which no other thread runs.

Reduction `none` takes exactly Zing's steps.  `local` lets a thread run on while its next step touches nothing that
another thread can see; it stops before every assume (a failing one removes the run for all threads), before a step that
would fail, and before a location that it has passed since the last stop, so that no thread runs for ever.  `symmetry`
besides keeps threads in one order (`thread_order`).  `persistent` besides lets one thread alone move where its next
move concerns nobody else (`persistent_sets`), unless it only leads back to states that were there before: then all
threads move, so that nobody is put off for ever.  `all` is all of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from knaster.base.errors import UsageError
from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.engines.explicit.renumbered_runs import SortedThreads
from knaster.evidence.proofs.heap.reduced_table import ReducedTable
from knaster.evidence.proofs.heap.state_table import StateTable
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.heap_runs import record_run
from knaster.semantics.heap.decisions import Run, Turn
from knaster.semantics.heap.failure import DEADLOCK
from knaster.semantics.schedule_costs import KINDS
from knaster.views.heap.canonical_states import State
from knaster.views.heap.first_hits import Watch
from knaster.views.heap.interning import FINISHED, Key
from knaster.views.heap.proof_tables import state_table
from knaster.views.heap.reductions.persistent_sets import PersistentSets
from knaster.views.heap.reductions.thread_order import ThreadOrder, asks_for_numbers
from knaster.views.heap.turns import Turns, Waits


def interleavings(task: Task) -> Findings:
    """Decide every target by enumerating the states of all threads."""
    options = task.options
    assert isinstance(options, ExplicitOptions)
    if (special := _without_states(task, options)) is not None:
        return special
    if task.bound is not None and task.bound.kind in KINDS:
        from knaster.engines.explicit.heap_schedules import interleavings_within_costs

        return interleavings_within_costs(task)
    if task.bound is not None:
        from knaster.engines.explicit.heap_switches import interleavings_within_switches

        return interleavings_within_switches(task)
    search = _Search(task, options)
    started = time.perf_counter()
    unknown: Undecided | None = None
    try:
        search.run()
    except OutOfBudget as spent:
        unknown = Undecided.because(spent, search.size())
    except KeyboardInterrupt:
        raise KeyboardInterrupt(search.size()) from None
    missing = [target for target in task.targets if target not in search.hits]
    if unknown is None and missing and search.stopped:
        unknown = STOPPED
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        "states": len(search.keys),
        "distinct_states": search.distinct,
    }
    return Findings(
        frozenset(search.hits),
        unknown,
        statistics,
        traces=lambda targets: {t: record_run(task.program, search.decisions(t), t) for t in targets},
        proof=None if unknown is not None else search.table,
        rows=len(search.keys),
    )


def _without_states(task: Task, options: ExplicitOptions) -> Findings | None:
    """Return what random runs or fingerprints find, where they are asked for."""
    asked = [name for name in ("random", "fingerprints") if getattr(options, name)]
    asked += ["search"] if options.search != "breadth" else []
    if options.reduction not in ("local", "none") and (task.bound is not None or asked[:1] not in ([], ["search"])):
        other = task.bound.kind if task.bound is not None else asked[0]
        raise UsageError(f"--reduction {options.reduction} does not go together with --{other}; give local or none")
    if not asked:
        return None
    if task.bound is not None or len(asked) > 1:
        other = f"--{task.bound.kind}" if task.bound is not None else f"--{asked[1]}"
        raise UsageError(f"--{asked[0]} does not go together with {other}; give one of them")
    if options.random:
        from knaster.engines.explicit.heap_random import random_interleavings

        return random_interleavings(task)
    if options.fingerprints:
        from knaster.engines.explicit.heap_fingerprints import interleavings_by_fingerprints

        return interleavings_by_fingerprints(task)
    return None


class _Search:
    """One search."""

    def __init__(self, task: Task, options: ExplicitOptions) -> None:
        self.task = task
        self.limit = options.states
        self.reduction = options.reduction
        self.watch: Watch[Target] = Watch(task.program, [(t, t.place, t.kind) for t in task.targets])
        self.turns = Turns(task.program, options.reduction != "none", self.watch.meet, self.watch.fail, options.region)
        self.stepper = self.turns.stepper
        sorts = options.reduction in ("symmetry", "all") and not asks_for_numbers(task.program)
        self.threads = SortedThreads(ThreadOrder(self.turns.interned)) if sorts else None
        alone = options.reduction in ("persistent", "all")
        self.persistent = PersistentSets(self.turns) if alone else None
        self.chosen: list[int] = []  # for each state that was looked at, the thread that alone moved (0: all)
        self.hits = self.watch.hits
        self.seen: set[Key] = set()
        self.keys: list[Key] = []
        self.distinct = 1
        self.stopped = False
        self.order, self.expanded = options.search, -1
        self.todo: list[int] = []  # where another order than breadth first is asked for
        self.random = Random(options.seed)

    def run(self) -> None:
        """Search until everything is found or nothing is left."""
        first = self.turns.start()
        self.reach(first, -1, Turn(0, 0))
        for thread, stack in enumerate(self.keys[0][2:], start=1):
            self.watch.meet(self.turns.interned.stacks.parts[stack][-1], thread, 0, ())
        check = self.task.budget.check
        watch = self.watch
        while (here := self.next_state()) is not None:
            watch.here = here
            check()
            if self.hits and self.has_found_all():
                self.stopped = True
                return
            self.expand(self.keys[watch.here])

    def next_state(self) -> int | None:
        """Return the state to look at next; None where none is left."""
        if self.order == "breadth":
            self.expanded += 1
            return self.expanded if self.expanded < len(self.keys) else None
        if not self.todo:
            return None
        if self.order == "random":
            at = self.random.randrange(len(self.todo))
            self.todo[at], self.todo[-1] = self.todo[-1], self.todo[at]
        return self.todo.pop()

    def has_found_all(self) -> bool:
        """Tell whether there is nothing left to look for."""
        return self.task.first or len(self.hits) == len(self.task.targets)

    def states(self) -> Iterator[State]:
        """Yield every state that was reached, in full."""
        return map(self.turns.interned.state, self.keys)

    def decisions(self, target: Target) -> Run:
        """Return the run that reaches a target."""
        if self.threads is None:
            return self.watch.decisions(target)
        number, last = self.watch.hits[target]
        return self.threads.renumber(self.watch.parents, number, last)

    def table(self) -> StateTable | ReducedTable:
        """Return all states as a proof."""
        table = state_table(self.stepper.layout, self.states(), self.reduction != "none")
        if self.reduction in ("none", "local"):
            return table
        return ReducedTable(table.program, table.rows, self.threads is not None, tuple(self.chosen))

    def size(self) -> str:
        """Say how far the search has come."""
        interned = self.turns.interned
        deepest = max(map(len, interned.stacks.parts), default=0)
        largest = max((len(shared.cells) for shared in interned.shared), default=0)
        return f"{len(self.keys)} states seen, deepest stack {deepest}, largest heap {largest}"

    def reach(self, key: Key, parent: int, turn: Turn) -> None:
        """Add a state, if it is new."""
        if self.threads is not None:
            key, order = self.threads.sort(key)
            if key not in self.seen:
                self.threads.orders.append(order)
        if key in self.seen:
            return
        if len(self.keys) >= self.limit:
            raise OutOfBudget(f"the limit of {self.limit} states was reached")
        self.seen.add(key)
        if self.order != "breadth":
            self.todo.append(len(self.keys))
        self.keys.append(key)
        self.watch.parents.append((parent, turn))

    def expand(self, key: Key) -> None:
        """Add the successors of a state."""
        turns, here = self.turns, self.watch.here
        self.note_chosen(here, 0)
        if key[0]:
            self.distinct += 1
            for move in turns.alternatives(key[0], key[key[0] + 1], key[1]):
                self.reach(turns.next_key(key, key[0], move), here, move.turn)
            return
        if self.persistent is not None and self.expand_alone(key):
            return
        stuck, waiting = True, False
        for thread in range(1, len(key) - 1):
            stack = key[thread + 1]
            if stack == FINISHED:
                continue
            moves = turns.moves(thread, stack, key[1])
            if isinstance(moves, Waits):
                waiting = waiting or not moves.may_end
                continue
            stuck = False
            for move in moves:
                self.reach(turns.next_key(key, thread, move), here, move.turn)
        if stuck and waiting:
            self.watch.fail(DEADLOCK, Turn(0, 0))
        if not stuck and here and len(key) > 3:
            self.distinct += 1

    def expand_alone(self, key: Key) -> bool:
        """Let one thread alone move, where that concerns nobody else and leads to a new state; tell whether it did."""
        assert self.persistent is not None
        here = self.watch.here
        for thread in self.persistent.threads(key):
            moves = self.turns.moves(thread, key[thread + 1], key[1])
            before = len(self.keys)
            for move in moves if not isinstance(moves, Waits) else ():
                self.reach(self.turns.next_key(key, thread, move), here, move.turn)
            if len(self.keys) > before:
                self.note_chosen(here, thread)
                return True
        return False

    def note_chosen(self, here: int, thread: int) -> None:
        """Note who moved alone; states may be looked at in any order."""
        self.chosen += [0] * (here + 1 - len(self.chosen))
        self.chosen[here] = thread
