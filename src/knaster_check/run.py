"""The check of a run that reaches a target: threads take turns, and each step is replayed on the state.

The file has `paths` (as `paths` reads them) and `segments`: what one thread does in one go, [thread, numbers of paths];
threads have the numbers 1, 2, ..., first those that run from the start, then those that are started, in that order.
A segment goes on where the last one of its thread stopped, with the globals as the others left them.  Another thread
may run outside sections, while the global `atomic` is false, and not where an assertion has failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from knaster_check.evaluate import State, can_be
from knaster_check.paths import Path, enter, replay_paths
from knaster_check.program import Call, Edge, Procedure, Program, Target, Thread
from knaster_check.refused import expect, list_of, number_of, object_with
from knaster_check.steps import agree, check_start, state_after_return
from knaster_check.table import Tick, Verdict


class Waiting(NamedTuple):
    """An activation that waits: where it stands, in which state, and the call that it is in."""

    procedure: Procedure
    location: int
    state: State
    edge: Edge | None = None


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that a run reaches the target."""
    expect(len(targets) == 1, "a run reaches one target")
    (target,) = targets
    if program.kind == "references":
        from knaster_check.heap.run import check as check_heap_run

        return check_heap_run(program, document, target, tick)
    if program.kind == "memory":
        from knaster_check.memory.run import check as check_memory_run

        return check_memory_run(program, document, target, tick)
    data = object_with(document["run"], ("paths", "segments"), "'run'")
    paths = replay_paths(program, data["paths"], True, tick)
    schedule = Schedule(program)
    thread = schedule.run(paths, list_of(data["segments"], "segments"))
    if target.procedure:
        expect(bool(schedule.stacks[thread]), "the run ends where its thread has ended")
        last = schedule.stacks[thread][-1]
        expect((last.procedure.name, last.location) == target[1:], "the run ends elsewhere", target.name)
    else:
        from knaster_check.boolean.deadlock import check_deadlock

        expect(target.name == "deadlock" and program.kind == "boolean", "no run of threads ends so", target.name)
        check_deadlock(program, schedule, thread)
    return Verdict("reachable", targets, None, {"replayed": sum(path.length for path in paths)})


class Schedule:
    """Threads that take turns: where each stands, and the globals."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.stacks: dict[int, list[Waiting]] = {}
        self.started: list[tuple[Procedure, Thread, State]] = []
        self.ended: set[int] = set()
        self.section = False
        self.shared: State | None = None

    def run(self, paths: Sequence[Path], segments: Sequence[Any]) -> int:
        """Run all segments; return the thread that ran last."""
        left = 0
        for segment in segments:
            thread, numbers = list_of(segment, "a segment", 2)
            own = [paths[number_of(n, "a path", len(paths))] for n in list_of(numbers, "the paths of a segment")]
            expect(bool(own), "a segment has no path")
            if left:
                self._check_switch(left, thread)
            left = number_of(thread, "a thread")
            self._run_segment(thread, own)
        expect(bool(left), "the run has no segment")
        return left

    def _check_switch(self, left: int, entered: object) -> None:
        top = self.stacks[left][-1] if self.stacks[left] else None
        expect(left != entered, f"thread {left} goes on in a segment of its own")
        expect(not self.section, f"thread {left} is inside a section")
        assert self.shared is not None
        expect(self.program.atomic is None or not self.shared[self.program.atomic], "others are kept from running")
        failed = top is not None and top.location in top.procedure.failures
        expect(not failed, "a thread runs after an assertion has failed")

    def _run_segment(self, thread: int, paths: Sequence[Path]) -> None:
        expect(thread not in self.ended, f"thread {thread} runs although it has ended")
        if thread not in self.stacks:
            self.stacks[thread] = []
            self._begin(thread, paths[0])
        else:
            self._resume(self.stacks[thread].pop(), paths[0])
        stack = self.stacks[thread]
        for path, following in pairwise(paths):
            self._apply(thread, path)
            expect(thread not in self.ended, f"thread {thread} goes on although it has ended")
            if path.calling is not None:
                assert isinstance(path.calling.action, Call)
                enter(self.program, path.state, path.calling.action, following, path.inputs)
                stack.append(Waiting(path.procedure, path.location, path.state, path.calling))
            else:
                self._return(path, stack, following)
        last = paths[-1]
        self._apply(thread, last)
        expect(last.calling is None, "a segment ends with a call that nobody enters")
        self.shared = {name: last.state[name] for name in self.program.globals}
        if thread in self.ended:
            stack.clear()
            return
        if last.location == last.procedure.exit and not stack:
            self.ended.add(thread)
            self.section = False
        stack.append(Waiting(last.procedure, last.location, last.state))

    def _begin(self, thread: int, path: Path) -> None:
        """Check that a thread begins with this path."""
        threads = self.program.threads
        expect(1 <= thread <= len(threads) + len(self.started), f"there is no thread {thread}")
        if thread <= len(threads):
            expect(path.procedure.name == threads[thread - 1] and path.begin is None, "a thread begins elsewhere")
            expect(self.shared is None or agree(self.shared, path.start, self.program.globals), "globals are changed")
            check_start(self.program, path.procedure, path.start, self.shared is None)
            return
        starter, action, then = self.started[thread - len(threads) - 1]
        assert self.shared is not None
        if action.procedure is None:
            expect(path.procedure == starter and path.begin == action.location, "a started thread begins elsewhere")
            expect(path.start == {**then, **self.shared}, "a started thread has other values")
            return
        expect(path.procedure.name == action.procedure and path.begin is None, "a started thread begins elsewhere")
        expect(agree(self.shared, path.start, self.program.globals), "globals are changed")
        for name, argument in zip(path.procedure.parameters, action.arguments, strict=True):
            expect(can_be(argument, path.start[name], then, None), f"'{name}' is not what is passed")
        check_start(self.program, path.procedure, path.start, False)

    def _resume(self, waiting: Waiting, path: Path) -> None:
        assert self.shared is not None
        expect((path.procedure, path.begin) == waiting[:2], "a thread goes on where it does not stand")
        expect(path.start == {**waiting.state, **self.shared}, "a thread goes on with other values")

    def _return(self, path: Path, stack: list[Waiting], following: Path) -> None:
        expect(path.location == path.procedure.exit, "a path ends without a call or a return, and another follows")
        expect(bool(stack), f"'{path.procedure.name}' returns, and nobody has called it")
        waiting = stack.pop()
        assert waiting.edge is not None and isinstance(waiting.edge.action, Call)
        expect(
            (following.procedure, following.begin) == (waiting.procedure, waiting.edge.target), "it returns elsewhere"
        )
        call, callee = waiting.edge.action, path.procedure
        after = state_after_return(self.program, waiting.procedure, callee, call, waiting.state, path.state)
        expect(after == following.start, "it returns with other values")

    def _apply(self, thread: int, path: Path) -> None:
        """Do what a path does to sections and threads."""
        for operation, edge, state in path.events:
            if operation == "end_thread":
                self.ended.add(thread)
                self.section = False
            elif operation == "start_thread":
                assert edge is not None and isinstance(edge.action, Thread)
                self.started.append((path.procedure, edge.action, state))
            else:
                self.section = operation == "atomic_begin"
