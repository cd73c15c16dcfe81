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
from knaster.semantics.memory.threads.exploration import Found, ThreadExploration


def threads_of_memory(task: Task) -> Findings:
    """Decide every target by enumerating what threads can do, within a number of switches if that is asked."""
    options = task.options
    assert isinstance(options, ExplicitOptions)
    started = time.perf_counter()
    strict = strict_kinds(task.targets)
    places = [target.place for target in task.targets if target.has_place]
    bound = task.bound.number if task.bound is not None else None
    exploration = ThreadExploration(task.program, places, strict, bound, options.states)
    hits: dict[Target, Found] = {}
    unknown: Undecided | None = None
    try:
        for found in exploration.found(task.budget.check):
            for target in task.targets:
                if target not in hits and _reaches(found, target):
                    hits[target] = found
            if hits and (task.first or len(hits) == len(task.targets)):
                unknown = STOPPED
                break
    except OutOfBudget as spent:
        unknown = Undecided.because(spent, f"{len(exploration.states):,} states seen")
    except (RecursionError, MemoryError):
        unknown = Undecided("the states need too much memory")
    if unknown is None and not exploration.complete:
        unknown = Undecided(exploration.why)
    if len(hits) == len(task.targets):
        unknown = None

    def proof() -> MemoryStates:
        return MemoryStates(
            task.program, len(exploration.states), tuple(sorted(strict)), tuple(sorted(exploration.lapses))
        )

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {
            target: record_threads(task.program, hits[target].turns, target, strict_kinds((target,)))
            for target in targets
        }

    bounded = unknown is None and exploration.cut
    return Findings(
        frozenset(hits),
        unknown,
        {"search_seconds": time.perf_counter() - started, "states": len(exploration.states)},
        traces=traces,
        proof=proof if unknown is None and not bounded else None,
        bound=task.bound if bounded else None,
        covered=bound if bounded else None,
        spent=Spent(states=len(exploration.states), exhausted=len(exploration.states) >= options.states),
    )


def _reaches(found: Found, target: Target) -> bool:
    return found.what == target.place if target.has_place else found.what in kinds_of(target)
