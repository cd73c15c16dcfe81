"""Enumerates the runs of a program with references that switch at most so often, one number after the other.

Qadeer and Rehof, Context-Bounded Model Checking of Concurrent Software (TACAS 2005): level K has the states that K
switches reach, with the thread that ran last.  A level is complete before the first switch of the next one is made, so
the level at which a target is met is the least one.  Where a level has no new state, no number of switches has.
"""

from __future__ import annotations

import time
from bisect import bisect

from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.evidence.proofs.heap.state_table import StateTable
from knaster.evidence.questions.question import Bound, Target
from knaster.evidence.traces.heap_runs import record_run
from knaster.semantics.heap.decisions import Turn
from knaster.semantics.heap.failure import DEADLOCK
from knaster.views.heap.first_hits import Watch
from knaster.views.heap.interning import FINISHED, Key
from knaster.views.heap.proof_tables import state_table
from knaster.views.heap.turns import Turns, Waits

Node = tuple[Key, int]  # a state, and the thread that ran last (0: none)


def interleavings_within_switches(task: Task) -> Findings:
    """Decide every target within the number of switches of the question."""
    assert task.bound is not None
    search = _Levels(task)
    unknown: Undecided | None = None
    started = time.perf_counter()
    try:
        search.run(task.bound.number)
    except OutOfBudget as spent:
        unknown = Undecided.because(spent, f"{len(search.nodes)} states seen")
    if unknown is None and search.stopped and len(search.least) < len(task.targets):
        unknown = STOPPED
    within = None if search.complete or search.covered is None else Bound("switches", search.covered)
    statistics = {"fixpoint_seconds": time.perf_counter() - started, "states": len(search.nodes)}
    return Findings(
        frozenset(search.watch.hits),
        unknown,
        statistics,
        traces=lambda targets: {t: record_run(task.program, search.watch.decisions(t), t) for t in targets},
        bound=within,
        least=search.least,
        covered=task.bound.number if search.complete else search.covered,
        proof=(lambda: search.table(within)) if unknown is None else None,
        rows=len(search.nodes),
    )


class _Levels:
    """One search."""

    def __init__(self, task: Task) -> None:
        options = task.options
        assert isinstance(options, ExplicitOptions)
        self.task = task
        self.limit = options.states
        self.watch: Watch[Target] = Watch(task.program, [(t, t.place, t.kind) for t in task.targets])
        watch, reduced = self.watch, options.reduction == "local"
        self.turns = Turns(task.program, reduced, watch.meet, watch.fail, options.region, leading=False)
        self.seen: set[Node] = set()
        self.nodes: list[Node] = []
        self.begins = [0]  # the first node of each level
        self.least: dict[Target, int] = {}
        self.covered: int | None = None
        self.complete = False
        self.stopped = False

    def run(self, most: int) -> None:
        """Search level after level, until everything is found, the bound is reached, or nothing is new."""
        start = self.turns.start()
        self.reach(start, 0, -1, Turn(0, 0))
        for thread, stack in enumerate(start[2:], start=1):
            self.watch.meet(self.turns.interned.stacks.parts[stack][-1], thread, 0, ())
        first = 0
        for level in range(most + 1):
            if level:
                begin, first = first, len(self.nodes)
                self.begins.append(first)
                self.switch(begin, first)
                if first == len(self.nodes):
                    self.note(level)
                    self.complete = True
                    return
            self.go_on(first)
            self.note(level)
            self.note_deadlocks(first, level)
            self.covered = level
            if len(self.least) == len(self.task.targets) or (self.task.first and self.least):
                self.stopped = True
                return

    def note(self, level: int) -> None:
        """Remember at which level targets were met."""
        for target in self.watch.hits:
            self.least.setdefault(target, level)

    def reach(self, key: Key, last: int, parent: int, turn: Turn) -> None:
        """Add a state, if it is new."""
        node = key, last
        if node in self.seen:
            return
        if len(self.nodes) >= self.limit:
            raise OutOfBudget(f"the limit of {self.limit} states was reached")
        self.seen.add(node)
        self.nodes.append(node)
        self.watch.parents.append((parent, turn))

    def go_on(self, first: int) -> None:
        """Let the threads that ran last go on, from the first state of a level; any thread from the start."""
        number = first
        while number < len(self.nodes):
            self.task.budget.check()
            key, last = self.nodes[number]
            for thread in (last,) if last else range(1, len(key) - 1):
                self.expand(number, thread)
            number += 1

    def switch(self, first: int, end: int) -> None:
        """Let another thread go on from each state of a level."""
        for number in range(first, end):
            self.task.budget.check()
            key, last = self.nodes[number]
            for thread in range(1, len(key) - 1) if last and not key[0] else ():
                if thread != last:
                    self.expand(number, thread)

    def expand(self, number: int, thread: int) -> None:
        """Add where a thread can go from a state."""
        key, _ = self.nodes[number]
        stack = key[thread + 1]
        if stack == FINISHED:
            return
        self.watch.here = number
        turns = self.turns
        moves = turns.alternatives(thread, stack, key[1]) if key[0] else turns.moves(thread, stack, key[1])
        for move in () if isinstance(moves, Waits) else moves:
            self.reach(turns.next_key(key, thread, move), thread, number, move.turn)

    def note_deadlocks(self, first: int, level: int) -> None:
        """Note deadlocks in the states of a level; what the threads would do next is not met yet."""
        wanted = [target for target in self.watch.goals.kinds.get(DEADLOCK, ()) if target not in self.least]
        if not wanted:
            return
        for number in range(first, len(self.nodes)):
            if self.is_stuck(self.nodes[number][0]):
                self.watch.here = number
                self.watch.fail(DEADLOCK, Turn(0, 0))
                self.note(level)
                return

    def table(self, bound: Bound | None) -> StateTable:
        """Return the states as a proof: all there are, or those within a bound, with who ran last."""
        interned = self.turns.interned
        layout, reduced = self.turns.stepper.layout, self.turns.reduced
        if bound is None:
            return state_table(layout, map(interned.state, dict.fromkeys(key for key, _ in self.nodes)), reduced)
        table = state_table(layout, (interned.state(key) for key, _ in self.nodes), reduced)
        ran = tuple((last, bisect(self.begins, number) - 1) for number, (_, last) in enumerate(self.nodes))
        return replace(table, bound=bound, ran=ran)

    def is_stuck(self, key: Key) -> bool:
        """Tell whether no thread can move, and some thread waits."""
        waiting = False
        for thread, stack in enumerate(key[2:], start=1):
            if stack == FINISHED:
                continue
            waits = None if key[0] else self.turns.waits(thread, stack, key[1])
            if waits is None:
                return False
            waiting = waiting or not waits.may_end
        return waiting
