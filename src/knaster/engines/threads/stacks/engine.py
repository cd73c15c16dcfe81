"""Decides targets of recursive threads for any number of switches: sets of stacks by context, until none is new.

Qadeer and Rehof, Context-Bounded Model Checking of Concurrent Software (TACAS 2005), and Liu and Wahl, CUBA:
Interprocedural Context-UnBounded Analysis of Concurrent Programs (PLDI 2018).  `systems` is the program as pushdown
systems, `knaster.pushdown.switching` the search.  What it finds when it closes is checked by code of its own before
it is believed."""

from __future__ import annotations

import time

from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.threads.pushdown_systems import systems_of
from knaster.engines.threads.pushdown_traces import place_of, table_of, traces_in
from knaster.engines.threads.stacks import StacksOptions
from knaster.evidence.questions.question import Bound, Reach
from knaster.program.model import Place
from knaster.pushdown.switching.all_contexts import Search, Top


def stacks(task: Task) -> Findings:
    """Decide every target by the sets of stacks of all threads, one context after the other."""
    if not isinstance(task.question, Reach):
        from knaster.engines.threads.stacks.lassos import find_stack_lasso

        return find_stack_lasso(task)
    started = time.perf_counter()
    assert isinstance(task.options, StacksOptions)
    unknown: Undecided | None = None
    tick = task.budget.check
    try:
        systems = systems_of(task.program, task.options.rules, tick)
    except OutOfBudget as spent:
        return Findings(frozenset(), Undecided.because(spent), {"fixpoint_seconds": time.perf_counter() - started})
    search = Search(systems.systems, systems.starts, systems.is_open, tick)
    first: dict[Place, Top] = {}
    try:
        _explore(task, search, first)
    except OutOfBudget as spent:
        unknown = Undecided.because(spent)
    found = search.found
    hits = {target: first[target.place] for target in task.targets if target.place in first}
    covered = found.contexts - 1 if found.contexts else None
    if found.closed and task.bound is not None and unknown is None:
        covered = task.bound.number
    undecided = not found.closed and len(hits) < len(task.targets)
    if undecided and unknown is None and task.first and hits:
        unknown = STOPPED
    return Findings(
        frozenset(hits),
        unknown,
        {
            "fixpoint_seconds": time.perf_counter() - started,
            "rules": sum(len(system.given) for system in systems.systems),
            "contexts": found.contexts,
            "rows": len(found.rows),
        },
        traces=lambda targets: traces_in(task.program, found, targets, tick),
        proof=(lambda: table_of(task.program, found)) if found.closed else None,
        bound=Bound("switches", covered) if undecided and covered is not None else None,
        least={target: found.least[top] - 1 for target, top in hits.items()},
        covered=covered,
    )


def _explore(task: Task, search: Search, first: dict[Place, Top]) -> None:
    """Go on until nothing is new, every target is reached, or the bound is."""
    most = None if task.bound is None else task.bound.number + 1
    found, noted = search.found, 0
    while not found.closed and (most is None or found.contexts < most):
        if found.contexts:
            least = {t: found.least[first[t.place]] - 1 for t in task.targets if t.place in first}
            task.ledger.note(least, Bound("switches", found.contexts - 1))
        task.budget.tell(f"{found.contexts} contexts, {len(found.rows)} sets of stacks")
        search.next_context()
        tops = list(found.least)
        for top in tops[noted:]:
            place = place_of(top)
            if place is not None:
                first.setdefault(place, top)
        noted = len(tops)
        hits = [target.place in first for target in task.targets]
        if all(hits) or (task.first and any(hits)):
            break
