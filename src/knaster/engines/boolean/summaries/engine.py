"""Decides targets by the path edges of Bebop (Ball and Rajamani, SPIN 2000), with traces and a proof from the same.

The algorithm is `views/summaries/path_edges`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.views.summaries.path_edges import Summaries
from knaster.views.summaries.shortest_traces import find_traces


def summaries(task: Task) -> Findings:
    """Decide every target by Bebop's algorithm."""
    started = time.perf_counter()
    symbolic = task.symbolic()
    engine = Summaries(symbolic, task.budget)
    vertices = {target: engine.vertex(target.procedure, target.location) for target in task.targets}
    unknown: Undecided | None = None
    stopped = False
    try:
        engine.demand(symbolic.entry, symbolic.initial())
        stopped = engine.run(vertices.values() if task.first else ())
    except OutOfBudget as spent:
        unknown = Undecided.because(spent)
    none = symbolic.store.false
    reached = frozenset(t for t in task.targets if engine.path_edges(t.procedure, t.location) != none)
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        "visits": engine.visits,
        "summaries": engine.births,
        "bdd_nodes": symbolic.store.nodes,
        "bdd_variables": symbolic.store.variables,
    }
    unknown = STOPPED if stopped else unknown

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return find_traces(symbolic, engine, targets, task.budget)

    if unknown is not None:
        return Findings(reached, unknown, statistics, traces)
    return Findings(reached, None, statistics, traces, engine.certificate, engine.visited_places())


def traces_and_proof(task: Task) -> Findings:
    """Return path edges for an engine that has none of its own: everything that any run reaches."""
    return summaries(replace(task, question=Reach(task.targets)))
