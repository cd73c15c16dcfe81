"""All states of the threads of a C program with memory, those after few switches first.

A thread runs on while no other can notice; states are compared up to the names of objects
(`semantics.memory.threads`).  Where no state is left out, they are the proof.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Spent, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.evidence.proofs.memory_states import MemoryStates
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import kinds_of, strict_kinds
from knaster.evidence.traces.memory_threads import record_threads
from knaster.evidence.traces.trace import Trace
from knaster.semantics.memory.failure import OVERFLOW
from knaster.semantics.memory.threads.exploration import Found, ThreadExploration

VAGUE = 50_000  # states that are looked at where values are vague


class _Search:
    """One exploration for the targets of a task: what it found, and why that may not be all."""

    def __init__(self, task: Task, states: int, vague: bool = False, hasty: bool = False) -> None:
        self.task = task
        self.strict = strict_kinds(task.targets)
        places = [target.place for target in task.targets if target.has_place]
        bound = task.bound.number if task.bound is not None else None
        self.exploration = ThreadExploration(task.program, places, self.strict, bound, states, vague)
        self.exploration.hasty = hasty
        self.hits: dict[Target, Found] = {}
        self.unknown: Undecided | None = None

    def run(self, first: bool) -> _Search:
        """Explore; return this."""
        exploration, targets = self.exploration, self.task.targets
        try:
            for found in exploration.found(self.task.budget.check):
                for target in targets:
                    if target not in self.hits and _reaches(found, target):
                        self.hits[target] = found
                if self.hits and (first or len(self.hits) == len(targets)):
                    self.unknown = STOPPED
                    break
        except OutOfBudget as spent:
            self.unknown = Undecided.because(spent, f"{len(exploration.states):,} states seen")
        except (RecursionError, MemoryError):
            self.unknown = Undecided("the states need too much memory")
        if self.unknown is None and not exploration.complete:
            self.unknown = Undecided(exploration.why)
        if len(self.hits) == len(targets):
            self.unknown = None
        return self

    def proof(self) -> MemoryStates:
        """Return all states as a proof."""
        found = self.exploration
        lapses = tuple(sorted(found.lapses))
        return MemoryStates(
            self.task.program, len(found.states), tuple(sorted(self.strict)), lapses, found.inputs.vague
        )


def threads_of_memory(task: Task) -> Findings:
    """Decide every target by enumerating what threads can do, within a number of switches if that is asked.

    Where inputs have too many values, it is tried whether these matter: a target that is not reached where what is
    computed from inputs is any value is not reached at all.
    """
    started = time.perf_counter()
    assert isinstance(task.options, ExplicitOptions)
    states = task.options.states
    may_be_vague = task.bound is None and OVERFLOW not in strict_kinds(task.targets)
    search = _Search(task, states, hasty=may_be_vague).run(task.first)
    proving, doubtful = search, {}
    if may_be_vague and search.unknown is not None and not search.exploration.complete:
        proving = _Search(task, min(VAGUE, states), vague=True).run(False)
        left = [target for target in task.targets if target in proving.hits]
        decided = proving.unknown is None
        if left or not decided:
            search = _Search(task, states).run(task.first)
        why = search.unknown.reason if search.unknown is not None else ""
        if decided:
            doubtful = {target: why for target in left if target not in search.hits}
            search.unknown = search.unknown if search.unknown is STOPPED else None
        else:
            proving = search
    return _findings(task, search, proving, doubtful, time.perf_counter() - started)


def _findings(
    task: Task, search: _Search, proving: _Search, doubtful: Mapping[Target, str], seconds: float
) -> Findings:
    """Return what was found, with runs of one exploration and a proof by another or the same."""

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {
            target: record_threads(task.program, search.hits[target].turns, target, strict_kinds((target,)))
            for target in targets
        }

    count, options = len(search.exploration.states), task.options
    assert isinstance(options, ExplicitOptions)
    bounded = search.unknown is None and search.exploration.cut
    return Findings(
        frozenset(search.hits),
        search.unknown,
        {"search_seconds": seconds, "states": count},
        traces=traces,
        proof=proving.proof if search.unknown is None and not bounded else None,
        bound=task.bound if bounded else None,
        covered=task.bound.number if bounded and task.bound is not None else None,
        doubtful=doubtful,
        spent=Spent(states=count, exhausted=count >= options.states),
    )


def _reaches(found: Found, target: Target) -> bool:
    return found.what == target.place if target.has_place else found.what in kinds_of(target)
