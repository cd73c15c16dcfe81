"""Enumerates the runs of a program with references within so many delays or preemptions, one number after the other.

`schedule_costs` says what the next step of a thread costs.  Level K has the states that cost K, each with the thread
that ran last; what costs more waits for its level, so the level at which a target is met is the least one.  Where
nothing is left that would cost more, no bound cuts anything off.
"""

from __future__ import annotations

import time

from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.evidence.proofs.heap.state_table import StateTable
from knaster.evidence.questions.question import Bound, Target
from knaster.evidence.traces.heap_runs import record_run
from knaster.semantics.heap.decisions import Turn
from knaster.semantics.heap.failure import DEADLOCK
from knaster.semantics.schedule_costs import cost_of_turn
from knaster.views.heap.first_hits import Watch
from knaster.views.heap.interning import FINISHED, Key
from knaster.views.heap.proof_tables import state_table
from knaster.views.heap.turns import Turns, Waits

Node = tuple[Key, int]  # a state, and the thread that ran last (0: none)


def interleavings_within_costs(task: Task) -> Findings:
    """Decide every target within the number of delays or preemptions of the question."""
    assert task.bound is not None
    search = _Schedules(task, task.bound)
    unknown: Undecided | None = None
    started = time.perf_counter()
    try:
        search.run()
    except OutOfBudget as spent:
        unknown = Undecided.because(spent, f"{len(search.nodes)} states seen")
    if unknown is None and search.stopped and len(search.least) < len(task.targets):
        unknown = STOPPED
    within = None if search.complete or search.covered is None else Bound(task.bound.kind, search.covered)
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


class _Schedules:
    """One search."""

    def __init__(self, task: Task, bound: Bound) -> None:
        options = task.options
        assert isinstance(options, ExplicitOptions)
        self.task, self.bound, self.limit = task, bound, options.states
        self.watch: Watch[Target] = Watch(task.program, [(t, t.place, t.kind) for t in task.targets])
        watch, reduced = self.watch, options.reduction == "local"
        self.turns = Turns(task.program, reduced, watch.meet, watch.fail, options.region, leading=False)
        self.seen: set[Node] = set()
        self.nodes: list[Node] = []
        self.levels: list[int] = []  # of each node
        self.waiting: list[list[tuple[int, int]]] = [[] for _ in range(bound.number + 1)]  # a node and who runs next
        self.least: dict[Target, int] = {}
        self.covered: int | None = None
        self.beyond = False  # something costs more than the bound
        self.complete = False
        self.stopped = False

    def run(self) -> None:
        """Search level after level, until everything is found, the bound is reached, or nothing is left."""
        start = self.turns.start()
        for thread, stack in enumerate(start[2:], start=1):
            self.watch.meet(self.turns.interned.stacks.parts[stack][-1], thread, 0, ())
        self.reach(start, 0, -1, Turn(0, 0), 0)
        for level, waiting in enumerate(self.waiting):
            for number, thread in waiting:  # which grows meanwhile
                self.task.budget.check()
                self.expand(number, thread, level)
            for target in self.watch.hits:
                self.least.setdefault(target, level)
            self.covered = level
            if len(self.least) == len(self.task.targets) or (self.task.first and self.least):
                self.stopped = True
                return
        self.complete = not self.beyond

    def reach(self, key: Key, last: int, parent: int, turn: Turn, level: int) -> None:
        """Add a state, if it is new, and say who may run next for how much."""
        node = key, last
        if node in self.seen:
            return
        if len(self.nodes) >= self.limit:
            raise OutOfBudget(f"the limit of {self.limit} states was reached")
        number = len(self.nodes)
        self.seen.add(node)
        self.nodes.append(node)
        self.levels.append(level)
        self.watch.parents.append((parent, turn))
        if key[0]:
            self.waiting[level].append((number, key[0]))  # nobody else runs before it has chosen
            return
        runnable = self.runnable(number)
        for thread in runnable:
            due = level + cost_of_turn(self.bound.kind, last, thread, runnable)
            if due <= self.bound.number:
                self.waiting[due].append((number, thread))
            else:
                self.beyond = True

    def runnable(self, number: int) -> list[int]:
        """Return the threads that can run in a state; note a deadlock where none can and one should."""
        key, found, blocked = self.nodes[number][0], [], False
        for thread, stack in enumerate(key[2:], start=1):
            if stack == FINISHED:
                continue
            waits = self.turns.waits(thread, stack, key[1])
            if waits is None:
                found.append(thread)
            else:
                blocked = blocked or not waits.may_end
        if blocked and not found:
            self.watch.here = number
            self.watch.fail(DEADLOCK, Turn(0, 0))
        return found

    def expand(self, number: int, thread: int, level: int) -> None:
        """Add where a thread can go from a state."""
        key, _ = self.nodes[number]
        self.watch.here = number
        turns, stack = self.turns, key[thread + 1]
        moves = turns.alternatives(thread, stack, key[1]) if key[0] else turns.moves(thread, stack, key[1])
        for move in () if isinstance(moves, Waits) else moves:
            self.reach(turns.next_key(key, thread, move), thread, number, move.turn, level)

    def table(self, bound: Bound | None) -> StateTable:
        """Return the states as a proof: all there are, or those within a bound, with who ran last."""
        interned = self.turns.interned
        layout, reduced = self.turns.stepper.layout, self.turns.reduced
        if bound is None:
            return state_table(layout, map(interned.state, dict.fromkeys(key for key, _ in self.nodes)), reduced)
        table = state_table(layout, (interned.state(key) for key, _ in self.nodes), reduced)
        ran = tuple((last, level) for (_, last), level in zip(self.nodes, self.levels, strict=True))
        return replace(table, bound=bound, ran=ran)
