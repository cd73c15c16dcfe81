"""Random runs of a program with references: who runs next and what is chosen is drawn, from a seed.

A run ends where nobody can move, where it fails, where an assume does, or after so many turns.  What no run meets is
not known; the answer says how much of the program the runs have covered.
"""

from __future__ import annotations

import time
from random import Random

from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.heap_runs import record_run
from knaster.program.model import Place
from knaster.semantics.heap.decisions import Run, Turn
from knaster.semantics.heap.failure import DEADLOCK
from knaster.views.heap.first_hits import Watch
from knaster.views.heap.interning import FINISHED, Interning, Key
from knaster.views.heap.turns import Turns, Waits

_LONGEST = 10_000  # turns of one run
_MOST_PARTS = 100_000  # moves that are remembered before all are forgotten


def random_interleavings(task: Task) -> Findings:
    """Look for every target along random runs."""
    walk = _Walk(task)
    started = time.perf_counter()
    unknown: Undecided | None
    try:
        walk.run()
        unknown = STOPPED if walk.found_all() else Undecided(walk.coverage())
    except OutOfBudget as spent:
        unknown = Undecided.because(spent, walk.coverage())
    except KeyboardInterrupt:
        raise KeyboardInterrupt(walk.coverage()) from None
    statistics = {"fixpoint_seconds": time.perf_counter() - started, "runs": walk.runs, "turns": walk.turned}
    return Findings(
        frozenset(walk.hits),
        unknown,
        statistics,
        traces=lambda targets: {t: record_run(task.program, walk.hits[t], t) for t in targets},
    )


class _Walk:
    """Runs, one after the other."""

    def __init__(self, task: Task) -> None:
        options = task.options
        assert isinstance(options, ExplicitOptions)
        self.task, self.most, self.seed = task, options.random, options.seed
        self.random = Random(options.seed)
        self.watch: Watch[Target] = Watch(task.program, [(t, t.place, t.kind) for t in task.targets])
        self.turns = Turns(task.program, options.reduction == "local", self._meet, self.watch.fail, options.region)
        self.visited: set[Place] = set()
        self.hits: dict[Target, Run] = {}
        self.runs = self.turned = 0

    def _meet(self, frame: tuple[int, int, bool, object], *turn: object) -> bool:
        self.visited.add((self.task.program.procedures[frame[0]].name, frame[1]))
        return self.watch.meet(frame, *turn)  # type: ignore[arg-type]

    def run(self) -> None:
        """Take so many runs, or fewer where everything is found."""
        while self.runs < self.most and not self.found_all():
            self.runs += 1
            self._run_once()

    def found_all(self) -> bool:
        """Tell whether there is nothing left to look for."""
        return bool(self.hits) and (self.task.first or len(self.hits) == len(self.task.targets))

    def coverage(self) -> str:
        """Say what the runs have covered."""
        procedures = self.task.program.procedures
        places = {(each.name, edge.source) for each in procedures for edge in each.edges}
        share = 100 * len(places & self.visited) // max(len(places), 1)
        runs = "1 random run" if self.runs == 1 else f"{self.runs} random runs"
        return f"{runs} (seed {self.seed}) with {self.turned} turns cover {share} % of the statements"

    def _run_once(self) -> None:
        turns, watch = self.turns, self.watch
        if len(turns.known) > _MOST_PARTS:
            turns.known.clear()
            turns.interned = Interning(turns.stepper.layout)
        key = turns.start()
        watch.parents, watch.here = [(-1, Turn(0, 0))], 0
        for thread, stack in enumerate(key[2:], start=1):
            self._meet(turns.interned.stacks.parts[stack][-1], thread, 0, ())
        for _ in range(_LONGEST):
            self.task.budget.check()
            after = self._draw(key)
            for target in watch.hits:
                if target not in self.hits:
                    self.hits[target] = watch.decisions(target)
            if after is None or self.found_all():
                return
            key, turn = after
            self.turned += 1
            watch.parents.append((watch.here, turn))
            watch.here += 1

    def _draw(self, key: Key) -> tuple[Key, Turn] | None:
        """Draw who runs and what is chosen; None where the run ends."""
        turns = self.turns
        if key[0]:
            moves, thread = turns.alternatives(key[0], key[key[0] + 1], key[1]), key[0]
        else:
            waits = [
                (thread, turns.waits(thread, stack, key[1]))
                for thread, stack in enumerate(key[2:], start=1)
                if stack != FINISHED
            ]
            able = [thread for thread, waiting in waits if waiting is None]
            if not able:
                if any(waiting is not None and not waiting.may_end for _, waiting in waits):
                    self.watch.fail(DEADLOCK, Turn(0, 0))
                return None
            thread = self.random.choice(able)
            can = turns.moves(thread, key[thread + 1], key[1])
            moves = () if isinstance(can, Waits) else can
        if not moves:
            return None
        move = self.random.choice(moves)
        return turns.next_key(key, thread, move), move.turn
