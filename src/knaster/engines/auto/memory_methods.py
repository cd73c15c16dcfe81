"""Answers about C with memory by several methods in turn: runs, shapes of the heap, numbers for pointers, paths.

Each takes a number of steps that is counted.  What runs reach is kept, and what shapes exclude: the others are asked
about the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.records import replace
from knaster.engines.contract import Findings, Task
from knaster.engines.integers import UNITS
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.questions.question import Reach, Target, Termination
from knaster.evidence.traces.trace import Trace
from knaster.program.memory import Library
from knaster.program.model import Program

SOME_STEPS = 100_000  # of runs, before anything is proved
SHAPES = 1_500  # that are looked at before paths
FEW_PATHS = 128, 10  # branches and work, where shapes have found lists of any length: these have no last path
MORE_STEPS = 1_000_000  # of runs, likewise
SOME_UNITS = 5_000_000  # of z3, for the program over integers before paths are gone through
FEW_STATES = 300  # among which a run that never ends is looked for before anything else
MORE_STATES = 10_000  # likewise, after a few runs
NEWS = ("malloc", "calloc", "realloc")


def by_runs_and_shapes(task: Task) -> Findings:
    """Answer by the first method that can."""
    from knaster.engines.integers.search.memory import STEPS, search_memory

    if isinstance(task.question, Termination) and (lasso := _find_lasso(task, FEW_STATES)) is not None:
        return lasso
    first = _by("search", search_memory(task, SOME_STEPS))
    if first.unknown is None or first.unknown.late or first.unknown.enough:
        return first
    if isinstance(task.question, Termination) and (lasso := _find_lasso(task, MORE_STATES)) is not None:
        return lasso
    if not first.statistics["inputs"]:
        return first
    proved = _by_shapes(task, first) if has_heap(task.program) and "shapes" not in task.refused else None
    if proved is not None and not proved.doubtful:
        return proved
    if proved is None and (numbers := _by_regions(task, first, SOME_UNITS)) is not None:
        return numbers
    best = proved or first
    endless = proved is not None and bool(proved.statistics.get("segments"))
    if "paths" not in task.refused:
        from knaster.engines.integers.paths import PathOptions
        from knaster.engines.integers.paths.engine import paths

        options = PathOptions(*FEW_PATHS) if endless else PathOptions()
        second = _by("paths", paths(replace(task, options=options)))
        if second.unknown is None or second.unknown.late or len(second.reached) > len(first.reached):
            more = second if len(second.reached) >= len(first.reached) else first
            return more if proved is None or more.unknown is None else join_proved(proved, more)
        best = proved or second
    if proved is None and (numbers := _by_regions(task, first, UNITS)) is not None:
        return numbers
    if not first.spent.exhausted:
        return best
    last = _by("search", search_memory(task, MORE_STEPS if endless else STEPS))
    if last.unknown is None or len(last.reached) > len(first.reached):
        return last if proved is None or last.unknown is None else join_proved(proved, last)
    return best


def _find_lasso(task: Task, states: int) -> Findings | None:
    """Return a run that comes back to a state, among so many of them; None where there is none."""
    from knaster.engines.explicit import ExplicitOptions
    from knaster.engines.explicit.memory_lassos import find_memory_lasso

    found = find_memory_lasso(replace(task, options=ExplicitOptions(states=states)))
    return _by("states", found) if isinstance(found.ends, Diverges) else None


def _by_regions(task: Task, first: Findings, units: int) -> Findings | None:
    """Return what is found about the program over integers that a program is reduced to; None where that is no more."""
    from knaster.engines.integers.regions import CARD, RegionOptions

    refused = "regions" in task.refused or CARD.why_not(task.program, task.question) is not None
    if refused or has_heap(task.program):
        return None
    from knaster.engines.integers.regions.engine import regions

    found = regions(replace(task, options=RegionOptions(units)))
    if found.unknown is None and found.doubtful:
        return join_proved(found, first)
    if found.unknown is None or len(found.reached) > len(first.reached):
        return found if len(found.reached) >= len(first.reached) else None
    return found if found.unknown.late and not first.reached else None


def has_heap(program: Program) -> bool:
    """Tell whether a program makes objects of the heap."""
    return any(
        isinstance(edge.action, Library) and edge.action.name in NEWS
        for procedure in program.procedures
        for edge in procedure.edges
    )


def _by_shapes(task: Task, first: Findings) -> Findings | None:
    """Return what shapes exclude together with what runs have reached; None where they exclude nothing."""
    if not isinstance(task.question, Reach):
        return None
    from knaster.engines.references.shapes import ShapeOptions
    from knaster.engines.references.shapes.engine import shapes

    found = shapes(replace(task, options=ShapeOptions(SHAPES)))
    return join_proved(_by("shapes", found), first) if found.unknown is None else None


def join_proved(proved: Findings, runs: Findings) -> Findings:
    """Return what was proved together with what runs reach."""
    doubtful = {target: why for target, why in proved.doubtful.items() if target not in runs.reached}
    before = proved.traces

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        new = [target for target in targets if target in runs.reached]
        found = dict(runs.traces(new)) if runs.traces is not None else {}
        old = [target for target in targets if target not in found]
        return {**(before(old) if before is not None and old else {}), **found}

    statistics = {**runs.statistics, **proved.statistics}
    reached = proved.reached | runs.reached
    return replace(proved, reached=reached, doubtful=doubtful, traces=traces, statistics=statistics)


def _by(method: str, findings: Findings) -> Findings:
    return replace(findings, statistics={**findings.statistics, "method": method}, method=method)
