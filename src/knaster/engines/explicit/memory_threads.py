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
from knaster.evidence.proofs.memory.memory_states import MemoryStates
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import LAPSES, is_asked, kinds_in, kinds_of, site_kinds, strict_kinds
from knaster.evidence.traces.memory_threads import record_threads
from knaster.evidence.traces.trace import Trace
from knaster.semantics.memory.failure import OVERFLOW
from knaster.semantics.memory.machine import Strict
from knaster.semantics.memory.sites import Sites
from knaster.semantics.memory.threads.exploration import Found, ThreadExploration

VAGUE = 50_000  # states that are looked at where values are vague


class _Search:
    """Explorations for the targets of a task: what they found, and why that may not be all.

    Where a site is `strict`, a run ends when it first comes to that undefined step; then all is explored again without
    it, so that what is said of other steps does not depend on who asks for this one.
    """

    def __init__(self, task: Task, states: int, vague: bool = False, hasty: bool = False) -> None:
        self.task = task
        self.strict = strict_kinds(task.targets)
        self.states, self.vague, self.hasty = states, vague, hasty
        self.exploration = self._new()
        self.sites = Sites(task.program)
        self.hits: dict[Target, Found] = {}
        self.unknown: Undecided | None = None

    def _new(self) -> ThreadExploration:
        places = [target.place for target in self.task.targets if target.has_place]
        bound = (self.task.bound.kind, self.task.bound.number) if self.task.bound is not None else None
        exploration = ThreadExploration(self.task.program, places, self.strict, bound, self.states, self.vague)
        exploration.hasty = self.hasty
        return exploration

    def run(self, first: bool) -> _Search:
        """Explore, until no site ends a run; return this."""
        self._explore(first)
        while self.unknown is None and len(self.hits) < len(self.task.targets) and (reached := self._strict_sites()):
            self.strict -= reached
            self.exploration = self._new()
            self._explore(first)
        return self

    def _strict_sites(self) -> Strict:
        """Return the sites that runs came to and that ended them."""
        return strict_kinds(self.hits) & {each for each in self.strict if not isinstance(each, str)}

    def _explore(self, first: bool) -> None:
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
        if self.unknown is None and (why := exploration.why or self._why_unlisted()):
            self.unknown = Undecided(why)
        if len(self.hits) == len(targets):
            self.unknown = None

    def proof(self) -> MemoryStates:
        """Return all states as a proof."""
        found = self.exploration
        steps = found.undefined_steps
        lapses = {(kind, span.line) for kind, span in steps if kind not in LAPSES or self.sites.is_listed(kind, span)}
        strict = tuple(sorted(kind for kind in self.strict if isinstance(kind, str)))
        return MemoryStates(self.task.program, len(found.states), strict, tuple(sorted(lapses)), found.inputs.vague)

    def _why_unlisted(self) -> str:
        """Say which undefined step runs came to that no target stands for; empty where there is none."""
        return self.sites.why_unlisted(site_kinds(self.task.targets), self.exploration.undefined_steps)


def threads_of_memory(task: Task) -> Findings:
    """Decide every target by enumerating what threads can do, within a bound if that is asked.

    Where inputs have too many values, it is tried whether these matter: a target that is not reached where what is
    computed from inputs is any value is not reached at all.
    """
    started = time.perf_counter()
    assert isinstance(task.options, ExplicitOptions)
    states = task.options.states
    may_be_vague = task.bound is None and OVERFLOW not in kinds_in(strict_kinds(task.targets))
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
        spent=Spent(states=count, exhausted=search.exploration.exhausted),
    )


def _reaches(found: Found, target: Target) -> bool:
    if target.has_place or not isinstance(found.what, str):
        return found.what == target.place
    return found.what in kinds_of(target) if found.span is None else is_asked(target, found.what, found.span)
