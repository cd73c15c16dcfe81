"""Enumerates the reachable states of a Boolean program, with threads or without: slow and obviously right."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import count

from knaster.base.errors import UsageError
from knaster.base.limits import OutOfBudget
from knaster.engines.contract import Findings, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.evidence.questions.question import Bound, Reach, Target
from knaster.evidence.traces.recorder import Recorder
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Call, Edge, Kind
from knaster.program.threads import most_started
from knaster.semantics.explore import TooManyStates, explore
from knaster.semantics.explore_threads import Schedules, explore_into
from knaster.semantics.threads import Configuration, Threads


def explicit(task: Task) -> Findings:
    """Decide every target by enumerating path edges over single states, or configurations of threads."""
    if not isinstance(task.question, Reach) and task.program.kind is Kind.MEMORY:
        _refuse_options(task)
        from knaster.engines.explicit.memory_lassos import find_memory_lasso

        return find_memory_lasso(task)
    if not isinstance(task.question, Reach) and (task.program.is_threaded or task.program.kind is Kind.REFERENCES):
        _refuse_options(task)
        from knaster.engines.explicit.thread_lassos import find_thread_lasso

        return find_thread_lasso(task)
    if task.program.kind is Kind.REFERENCES:
        from knaster.engines.explicit.heap import interleavings  # states with a heap

        return interleavings(task)
    _refuse_options(task)
    if task.program.kind is Kind.MEMORY:
        from knaster.engines.explicit.memory_threads import threads_of_memory

        return threads_of_memory(task)
    if task.program.is_threaded:
        return _Interleavings(task).findings()
    started = time.perf_counter()
    options = task.options
    assert isinstance(options, ExplicitOptions)
    try:
        found = explore(task.program, task.program.threads[0], options.states, task.budget.check).path_edges
    except (TooManyStates, OutOfBudget) as spent:
        return Findings(frozenset(), Undecided.because(spent), {"fixpoint_seconds": time.perf_counter() - started})
    visited = frozenset((edge.procedure, edge.location) for edge in found)
    statistics = {"fixpoint_seconds": time.perf_counter() - started, "path_edges": len(found)}
    return Findings(frozenset(t for t in task.targets if t.place in visited), None, statistics, visited=visited)


def _refuse_options(task: Task) -> None:
    """Refuse what only states with a heap are looked at by."""
    assert isinstance(task.options, ExplicitOptions)
    for name, usual in (("random", 0), ("fingerprints", False), ("search", "breadth")):
        if getattr(task.options, name) != usual:
            raise UsageError(f"{task.program.file}: --{name} is for programs with references (Zing) and targets")


class _Interleavings:
    """The configurations of threads, one by one."""

    def __init__(self, task: Task) -> None:
        assert isinstance(task.options, ExplicitOptions)
        self.task = task
        self.limit = task.options.states
        self.kind = task.bound.kind if task.bound is not None else "switches"
        self.found = Schedules(Threads(task.program))
        self.stuck = not all(target.has_place for target in task.targets)

    def findings(self) -> Findings:
        started, bounded = time.perf_counter(), False
        unknown: Undecided | None = None
        try:
            bounded = self._explore()
        except (TooManyStates, OutOfBudget) as spent:
            unknown = Undecided.because(spent)
        found, first = self.found, 1 if self.kind == "rounds" else 0
        covered = first + len(found.levels) - 1 if found.levels else None
        if unknown is None and bounded and self.task.bound is not None:
            covered = self.task.bound.number
        least = {target: level for target in self.task.targets if (level := self._level(target)) is not None}
        statistics = {"fixpoint_seconds": time.perf_counter() - started, "configurations": len(found.origins)}
        return Findings(
            frozenset(least),
            unknown,
            statistics,
            traces=self._traces,
            bound=Bound(self.kind, covered) if bounded and covered is not None else None,
            least=least,
            covered=covered,
        )

    def _explore(self) -> bool:
        """Explore as far as the question goes; tell whether more switches could reach more."""
        bound, program = self.task.bound, self.task.program
        most = most_started(program)
        if most is not None and (bound is None or most <= bound.number or self.stuck):
            self._run(bound.number if bound is not None else None, None)
            return not self.found.closed
        if bound is not None:
            self._run(bound.number, bound.number)
            return True
        for number in count():
            self._run(number, number)
            if all(self._level(target) is not None for target in self.task.targets):
                break
        return True

    def _level(self, target: Target) -> int | None:
        """Return the least number that reaches a target, as far as it is known."""
        if not target.has_place:
            return self.found.stuck[0] if self.found.stuck is not None else None
        return self.found.least.get(target.place)

    def _run(self, most: int | None, keep: int | None) -> None:
        found = Schedules(Threads(self.task.program, keep))
        done = len(self.found.levels)
        try:
            explore_into(found, self.kind, most, deadlocks=self.stuck, limit=self.limit, tick=self.task.budget.check)
        finally:
            if len(found.levels) >= done:
                self.found = found

    def _traces(self, targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: trace_of(self.found, self._goal(target)) for target in targets}

    def _goal(self, target: Target) -> Configuration:
        if target.has_place:
            return self.found.first[target.place]
        assert self.found.stuck is not None
        return self.found.stuck[1]


def trace_of(found: Schedules, goal: Configuration) -> Trace:
    """Return the run that first reached a configuration."""
    chain: list[tuple[Configuration, Edge | None, bool]] = []
    here = goal
    while (origin := found.origins[here]) is not None:
        chain.append((here, *origin[1:]))
        here = origin[0]
    stuck = found.stuck is not None and goal == found.stuck[1]  # who has only begun stands there with its locals
    threads, recorder = found.threads, Recorder(found.threads.program, keeps_beginnings=stuck)
    numbers = list(range(1, recorder.count + 1))  # of the threads that are kept
    recorder.run(numbers[here.running], threads.state(here))
    for after, edge, switched in reversed(chain):
        before, here = here, after
        if switched:
            recorder.run(numbers[here.running], threads.state(here))
        elif edge is None:
            recorder.come_back(threads.state(here))
        elif isinstance(edge.action, Call):
            recorder.call(edge, edge.action.procedure, threads.state(here))
        else:
            ended = not here.stacks[here.running]
            if len(here.stacks) > len(before.stacks):
                numbers.append(recorder.count + 1)
            recorder.step(edge, threads.state(before if ended else here))
    return recorder.trace()
