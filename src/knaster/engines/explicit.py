"""Every reachable state, one by one: slow and obviously right, for small programs and for comparison."""

from __future__ import annotations

import time

from knaster.engines.engine import Findings, Task
from knaster.engines.options import ExplicitOptions
from knaster.limits import OutOfBudget
from knaster.program.explore import TooManyStates, explore


def explicit(task: Task) -> Findings:
    """Decide every target by enumerating path edges over single states."""
    started = time.perf_counter()
    options = task.options
    assert isinstance(options, ExplicitOptions)
    try:
        found = explore(task.program, task.program.threads[0], options.states, task.budget.check).path_edges
    except (TooManyStates, OutOfBudget) as spent:
        return Findings(frozenset(), str(spent), {"fixpoint_seconds": time.perf_counter() - started})
    visited = frozenset((edge.procedure, edge.location) for edge in found)
    statistics = {"fixpoint_seconds": time.perf_counter() - started, "path_edges": len(found)}
    return Findings(frozenset(t for t in task.targets if t.place in visited), "", statistics, visited=visited)
