"""Every interleaving of a program with references, breadth first; states up to the names of cells.

Zing: A Model Checker for Concurrent Software (Andrews, Qadeer, Rajamani, Rehof and Xie, CAV 2004), section 3.  Atomic
regions are one transition; a choice among several alternatives is a state of its own, in which no other thread runs.

Reduction `none` takes exactly Zing's steps.  `local` lets a thread run on while its next step touches nothing that
another thread can see; it stops before every assume (a failing one removes the run for all threads), before a step that
would fail, and before a location that it has passed since the last stop, so that no thread runs for ever.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from knaster.engines.engine import STOPPED, Findings, Task
from knaster.engines.options import ExplicitOptions
from knaster.heap.canonical import State, canonical
from knaster.heap.compile import Kind
from knaster.heap.failure import ASSERTION, DEADLOCK, ENDLESS, LONGEST_REGION, Fails
from knaster.heap.goals import Goals
from knaster.heap.plain import Dropped, Memory, Stepper
from knaster.heap.run import Run, Turn
from knaster.limits import OutOfBudget
from knaster.results.question import Target
from knaster.results.rerun import rerun


def interleavings(task: Task) -> Findings:
    """Decide every target by enumerating the states of all threads."""
    options = task.options
    assert isinstance(options, ExplicitOptions)
    search = _Search(task, options)
    started = time.perf_counter()
    reason = ""
    try:
        search.run()
    except OutOfBudget as spent:
        reason = str(spent)
    missing = [target for target in task.targets if target not in search.hits]
    if not reason and missing and search.stopped:
        reason = STOPPED
    if reason and reason != STOPPED:
        reason += f"; {len(search.states)} states seen, deepest stack {search.deepest}, largest heap {search.largest}"
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        "states": len(search.states),
        "distinct_states": search.distinct,
    }
    return Findings(
        frozenset(search.hits),
        reason,
        statistics,
        traces=lambda targets: {t: rerun(task.program, search.decisions(t), t) for t in targets},
    )


class _Search:
    """One search."""

    def __init__(self, task: Task, options: ExplicitOptions) -> None:
        self.task = task
        self.limit = options.states
        self.reduced = options.reduction == "local"
        self.stepper = Stepper(task.program)
        self.layout = self.stepper.layout
        self.goals: Goals[Target] = Goals(self.layout.procedure_numbers, [(t, t.place, t.kind) for t in task.targets])
        self.index: dict[State, int] = {}
        self.states: list[State] = []
        self.parents: list[tuple[int, Turn]] = []
        self.hits: dict[Target, tuple[int, Turn]] = {}
        self.todo: deque[int] = deque()
        self.distinct = 1
        self.deepest = self.largest = 0
        self.stopped = False

    def run(self) -> None:
        """Search until everything is found or nothing is left."""
        memory, threads = self.stepper.start()
        self.reach(0, memory, threads, -1, Turn(0, 0))
        for thread, frames in enumerate(threads, start=1):
            self.meet(frames[-1], 0, Turn(thread, 0))
        while self.todo:
            self.task.budget.check()
            if self.found_all():
                self.stopped = True
                return
            self.expand(self.todo.popleft())

    def found_all(self) -> bool:
        """Tell whether there is nothing left to look for."""
        if not self.hits:
            return False
        return self.task.first or len(self.hits) == len(self.task.targets)

    def decisions(self, target: Target) -> Run:
        """Return the run that reaches a target."""
        number, last = self.hits[target]
        turns = [last]
        while number > 0:
            number, turn = self.parents[number]
            turns.append(turn)
        return tuple(reversed(turns))

    def reach(self, choosing: int, memory: Memory, threads: list[list[Any]], parent: int, turn: Turn) -> None:
        """Add a state, if it is new."""
        state = canonical(self.layout, choosing, memory.statics, memory.heap, threads)
        if state in self.index:
            return
        if len(self.states) >= self.limit:
            raise OutOfBudget(f"the limit of {self.limit} states was reached")
        self.index[state] = len(self.states)
        self.todo.append(len(self.states))
        self.states.append(state)
        self.parents.append((parent, turn))
        self.deepest = max(self.deepest, *map(len, threads))
        self.largest = max(self.largest, len(state[3]))

    def hit(self, kind: str, number: int, turn: Turn) -> None:
        """Note that a failure of a kind is reached by a turn from a state."""
        for target in self.goals.kinds.get(kind, ()):
            self.hits.setdefault(target, (number, turn))

    def meet(self, frame: Any, number: int, turn: Turn) -> bool:
        """Note that control stands where a frame does; tell whether an assertion fails there."""
        for target in self.goals.places[frame[0]].get(frame[1], ()):
            self.hits.setdefault(target, (number, turn))
        if frame[1] in self.stepper.failures[frame[0]]:
            self.hit(ASSERTION, number, turn)
            return True
        return False

    def expand(self, number: int) -> None:
        """Add the successors of a state."""
        choosing, statics, threads, cells = self.states[number]
        if choosing:
            self.distinct += 1
            frames = list(threads[choosing - 1])
            memory = Memory(self.stepper, statics, cells)
            values = self.stepper.alternatives(memory, frames, choosing)
            assert values is not None
            for alternative, value in enumerate(values):
                self.go(number, choosing, [alternative], value)
            return
        runnable, waiting = [], False
        memory = Memory(self.stepper, statics, cells)
        for thread, stack in enumerate(threads, start=1):
            if not stack:
                continue
            code = self.stepper.code(stack[-1])
            if code.kind is Kind.SELECT:
                try:
                    enabled = self.stepper.enabled(memory, list(stack), thread)
                except Fails:
                    enabled = [0]
                if not enabled:
                    waiting = waiting or not code.may_end
                    continue
            runnable.append(thread)
        if not runnable:
            if waiting:
                self.hit(DEADLOCK, number, Turn(0, 0))
            return
        if number and len(threads) > 1:
            self.distinct += 1
        for thread in runnable:
            self.go(number, thread, [], None)

    def go(self, number: int, thread: int, taken: list[int], value: Any) -> None:
        """Let a thread run from a state to its next scheduling point or choice; `value` is its first choice, if any."""
        _, statics, stacks, cells = self.states[number]
        stepper = self.stepper
        memory = Memory(stepper, statics, cells)
        threads: list[list[Any]] = [list(stack) for stack in stacks]
        frames = threads[thread - 1]
        chosen, steps = bool(taken), 0
        marked: Any = None
        try:
            for count in range(LONGEST_REGION):
                if count & (count - 1) == 0:
                    marked = frames[:], memory.statics[:], memory.heap[:]
                elif frames[-1] == marked[0][-1] and (frames, memory.statics, memory.heap) == marked:
                    break
                if not chosen:
                    values = stepper.alternatives(memory, frames, thread)
                    if values is not None:
                        if len(values) > 1:
                            self.reach(thread, memory, threads, number, Turn(thread, steps, tuple(taken)))
                            return
                        value = values[0]
                keeps = stepper.step(memory, frames, thread, value, threads)
                chosen, steps = False, steps + 1
                if frames and self.meet(frames[-1], number, Turn(thread, steps, tuple(taken))):
                    return
                if not keeps:
                    steps += self.run_on(number, memory, threads, thread, taken, steps) if self.reduced else 0
                    self.reach(0, memory, threads, number, Turn(thread, steps, tuple(taken)))
                    return
            self.hit(ENDLESS, number, Turn(thread, len(taken), tuple(taken)))
        except Dropped:
            return
        except Fails as fails:
            self.hit(fails.kind, number, Turn(thread, steps, tuple(taken)))

    def run_on(
        self, number: int, memory: Memory, threads: list[list[Any]], thread: int, taken: list[int], before: int
    ) -> int:
        """Let a thread run on as long as nobody else can notice; return how many steps it took."""
        stepper, frames = self.stepper, threads[thread - 1]
        passed: set[tuple[int, int]] = set()
        steps = 0
        while frames:
            top = frames[-1]
            code = stepper.code(top)
            place = top[0], top[1]
            if not code.local or place in passed or code.keeps:
                break
            if code.kind is Kind.RETURN and len(frames) > 1 and not stepper.code(frames[-2]).takes_local:
                break
            passed.add(place)
            try:
                stepper.step(memory, frames, thread, None, threads)
            except Fails:
                break  # the step has changed nothing but its own locals, which are not stored yet
            steps += 1
            if frames and self.meet(frames[-1], number, Turn(thread, before + steps, tuple(taken))):
                break
        return steps
