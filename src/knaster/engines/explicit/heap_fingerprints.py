"""Enumerates the interleavings of a program with references by fingerprints: for models whose states fill the memory.

A state is kept as 64 bits (`fingerprint_store`), and in full only while it waits to be expanded (`packed_states`).  A
failure comes with a trace: the states on the way to it are computed again, each as the successor with the next
fingerprint.  Where none is found, states may have been missed that have the fingerprint of another one: that is no
proof, and the answer says how improbable it is.
"""

from __future__ import annotations

import time

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.engines.explicit.fingerprint_store import FingerprintStore, collision_probability, fingerprint
from knaster.engines.explicit.packed_states import PackedStates, state_from_bytes, state_to_bytes
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.heap_runs import record_run
from knaster.semantics.heap.decisions import Run, Turn
from knaster.semantics.heap.failure import DEADLOCK
from knaster.views.heap.first_hits import Watch
from knaster.views.heap.interning import FINISHED, Interning, Key
from knaster.views.heap.turns import Turns, Waits

_MOST_PARTS = 20_000  # parts of states, and moves, that are remembered before all of them are forgotten


def interleavings_by_fingerprints(task: Task) -> Findings:
    """Look for every target; without one there is no proof."""
    search = _Search(task)
    started = time.perf_counter()
    try:
        search.run()
        unknown = STOPPED if search.stopped else search.improbable()
    except OutOfBudget as spent:
        unknown = Undecided.because(spent, f"{len(search.store)} states seen")
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{len(search.store)} states seen") from None
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        "states": len(search.store),
        "bytes_a_state": round((search.store.size_in_bytes + search.todo.largest) / max(len(search.store), 1), 1),
    }
    return Findings(
        frozenset(search.watch.hits),
        unknown,
        statistics,
        traces=lambda targets: {t: record_run(task.program, search.decisions(t), t) for t in targets},
    )


class _Search:
    """One search."""

    def __init__(self, task: Task) -> None:
        options = task.options
        assert isinstance(options, ExplicitOptions)
        self.task, self.limit = task, options.states
        self.watch: Watch[Target] = Watch(task.program, [(t, t.place, t.kind) for t in task.targets])
        self.turns = Turns(task.program, options.reduction == "local", self.watch.meet, self.watch.fail, options.region)
        self.store, self.todo = FingerprintStore(), PackedStates()
        self.stopped = False

    def run(self) -> None:
        """Search until everything is found or nothing is left."""
        first, watch = self.turns.start(), self.watch
        self.reach(first, 0)
        for thread, stack in enumerate(first[2:], start=1):
            watch.meet(self.turns.interned.stacks.parts[stack][-1], thread, 0, ())
        while (data := self.todo.take()) is not None:
            self.task.budget.check()
            if watch.hits and (self.task.first or len(watch.hits) == len(self.task.targets)):
                self.stopped = True
                return
            for key, _ in self.successors(self.key(data)):
                self.reach(key, watch.here)
            watch.here += 1

    def improbable(self) -> Undecided:
        """Return that nothing was found, and how probable it is that something was missed."""
        count = len(self.store)
        above = f"{collision_probability(count) + 1e-99:.1e}"
        return Undecided(f"TRUE up to hash collisions (probability below {above}); {count} states seen")

    def reach(self, key: Key, parent: int) -> None:
        """Add a state, if it is new."""
        data = state_to_bytes(self.turns.interned.state(key))
        if not self.store.add(fingerprint(data), parent):
            return
        if len(self.store) > self.limit:
            raise OutOfBudget(f"the limit of {self.limit} states was reached")
        self.todo.put(data)

    def key(self, data: bytes) -> Key:
        """Return a state in numbers of its parts; forget the parts of others where there are many."""
        turns = self.turns
        if len(turns.known) + len(turns.interned.shared) > _MOST_PARTS:
            turns.known.clear()
            turns.interned = Interning(turns.stepper.layout)
        choosing, statics, threads, cells = state_from_bytes(data)
        interned = turns.interned
        stacks = [interned.stacks.number(stack) for stack in threads]
        numbers = [interned.cells.number(cell) for cell in cells]
        return interned.canonical_key(choosing, interned.statics.number(statics), numbers, stacks)

    def successors(self, key: Key) -> list[tuple[Key, Turn]]:
        """Return where the threads can go from a state; note a deadlock."""
        turns = self.turns
        if key[0]:
            moves = turns.alternatives(key[0], key[key[0] + 1], key[1])
            return [(turns.next_key(key, key[0], move), move.turn) for move in moves]
        found, stuck, waiting = [], True, False
        for thread, stack in enumerate(key[2:], start=1):
            if stack == FINISHED:
                continue
            can = turns.moves(thread, stack, key[1])
            if isinstance(can, Waits):
                waiting = waiting or not can.may_end
                continue
            stuck = False
            found += [(turns.next_key(key, thread, move), move.turn) for move in can]
        if stuck and waiting:
            self.watch.fail(DEADLOCK, Turn(0, 0))
        return found

    def decisions(self, target: Target) -> Run:
        """Return the run that reaches a target: its states are computed again."""
        number, last = self.watch.hits[target]
        turns: list[Turn] = []
        key = self.turns.start()
        for wanted in self.store.chain(number)[1:]:
            for after, turn in self.successors(key):
                if fingerprint(state_to_bytes(self.turns.interned.state(after))) == wanted:
                    turns.append(turn)
                    key = after
                    break
            else:
                raise InternalError("a state on the way to a target has no successor with the next fingerprint")
        return (*turns, last)
