"""Recursive threads for any number of switches: the sets of stacks that contexts lead to, until nothing is new.

Qadeer and Rehof, Context-Bounded Model Checking of Concurrent Software (TACAS 2005), and Liu and Wahl, CUBA:
Interprocedural Context-UnBounded Analysis of Concurrent Programs (PLDI 2018).  `systems` is the program as pushdown
systems, `knaster.pushdown.switching` the search.  What it finds when it closes is checked by code of its own before
it is believed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from knaster.engines.engine import STOPPED, Findings, Task
from knaster.engines.options import StacksOptions
from knaster.engines.systems import Frame, Shared, is_step, state_of, systems_of
from knaster.errors import InternalError
from knaster.limits import OutOfBudget
from knaster.program.model import Call, Edge, Place, Program
from knaster.pushdown.switching.all_contexts import Reached, Search, Top
from knaster.pushdown.switching.history import Context, history
from knaster.pushdown.switching.recheck import why_not_closed
from knaster.pushdown.system import Rule
from knaster.results.question import Bound, Target
from knaster.results.trace import Trace
from knaster.results.weave import Weaver


def stacks(task: Task) -> Findings:
    """Decide every target by the sets of stacks of all threads, one context after the other."""
    started = time.perf_counter()
    assert isinstance(task.options, StacksOptions)
    reason, tick = "", task.budget.check
    try:
        systems = systems_of(task.program, task.options.rules, tick)
    except OutOfBudget as spent:
        return Findings(frozenset(), str(spent), {"fixpoint_seconds": time.perf_counter() - started})
    search = Search(systems.systems, systems.starts, systems.is_open, tick)
    first: dict[Place, Top] = {}
    try:
        _explore(task, search, first)
        if search.found.closed and (missing := why_not_closed(search.found, tick)):
            raise InternalError(f"the table of contexts is not closed: {missing}")
    except OutOfBudget as spent:
        reason = str(spent)
    found = search.found
    hits = {target: first[target.place] for target in task.targets if target.place in first}
    covered = found.contexts - 1 if found.contexts else None
    if found.closed and task.bound is not None and not reason:
        covered = task.bound.number
    undecided = not found.closed and len(hits) < len(task.targets)
    if undecided and not reason and task.first and hits:
        reason = STOPPED
    return Findings(
        frozenset(hits),
        reason,
        {
            "fixpoint_seconds": time.perf_counter() - started,
            "rules": sum(len(system.given) for system in systems.systems),
            "contexts": found.contexts,
            "rows": len(found.rows),
        },
        traces=lambda targets: _traces(task, found, hits, targets),
        bound=Bound("switches", covered) if undecided and covered is not None else None,
        least={target: found.least[top] - 1 for target, top in hits.items()},
        covered=covered,
    )


def _explore(task: Task, search: Search, first: dict[Place, Top]) -> None:
    """Go on until nothing is new, every target is reached, or the bound is."""
    most = None if task.bound is None else task.bound.number + 1
    found, noted = search.found, 0
    while not found.closed and (most is None or found.contexts < most):
        task.budget.tell(f"{found.contexts} contexts, {len(found.rows)} sets of stacks")
        search.next_context()
        tops = list(found.least)
        for top in tops[noted:]:
            place = _place(top)
            if place is not None:
                first.setdefault(place, top)
        noted = len(tops)
        hits = [target.place in first for target in task.targets]
        if all(hits) or (task.first and any(hits)):
            break


def _place(top: Top) -> Place | None:
    """Return where the running thread stands; None where that is no place of the program."""
    _, state, frame = top
    assert isinstance(state, Shared)
    if not isinstance(frame, Frame) or state.results is not None or frame.location < 0 or frame.calling is not None:
        return None
    return frame.place


def _traces(
    task: Task, found: Reached, hits: Mapping[Target, Top], targets: Sequence[Target]
) -> Mapping[Target, Trace]:
    return {target: _woven(task.program, history(found, hits[target], task.budget.check)) for target in targets}


def _woven(program: Program, contexts: Sequence[Context]) -> Trace:
    weaver = Weaver(program)
    for context in contexts:
        top = context.start.stack[0]
        assert isinstance(top, Frame) and isinstance(context.start.state, Shared)
        if top.location >= 0:
            weaver.run(context.running + 1, state_of(program, context.start.state, top))
        for rule in context.run:
            _told(program, weaver, rule)
    return weaver.trace()


def _told(program: Program, weaver: Weaver, rule: Rule[bool]) -> None:
    """Tell one rule to a trace."""
    frame, before, after = rule.symbol, rule.source, rule.target
    assert isinstance(frame, Frame) and isinstance(before, Shared) and isinstance(after, Shared)
    if not rule.push:
        return  # coming back is told by the rule of the caller
    top = rule.push[0]
    assert isinstance(top, Frame)
    if frame.location < 0:
        weaver.run(frame.thread + 1, state_of(program, after, top))
    elif before.results is not None:
        weaver.back(state_of(program, after, top))
    elif len(rule.push) == 2:
        waiting = rule.push[1]
        assert isinstance(waiting, Frame) and waiting.calling is not None
        weaver.call(
            program.procedure(frame.procedure).edges[waiting.calling], top.procedure, state_of(program, after, top)
        )
    elif top.location < 0:
        weaver.step(_edge(program, frame, top, before, after), state_of(program, before, frame))
    else:
        weaver.step(_edge(program, frame, top, before, after), state_of(program, after, top))


def _edge(program: Program, frame: Frame, top: Frame, before: Shared, after: Shared) -> Edge:
    """Return an edge that does what a rule does."""
    procedure = program.procedure(frame.procedure)
    for edge in procedure.edges:
        standing = edge.source == frame.location and not isinstance(edge.action, Call)
        if standing and is_step(program, procedure, edge, (before, frame), (after, top)):
            return edge
    raise InternalError(f"no edge leads from {frame.place} to {top.place}")
