"""What tells failing runs from those that end well: edges that only failing ones take (Lal 2009, section 5.5).

An edge is a cause when some run to a target takes it, and no run that ends without having been at a target.  Where no
single edge is one, several may be together: a smallest set of edges of one failing run that no run which ends well
takes all of.  It is a least hitting set: it must have an edge that the first good run lacks, one that the second lacks,
and so on; each candidate asks for one more good run that takes it all, until there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.decide.projections.runs_through import NotDecided, cover, edges_on, run_through
from knaster.evidence.answers.projection import Cause, Causes
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Edge, Program
from knaster.transform.passing_runs import add_end

LARGEST = 3  # edges in a set that tells failing runs apart


def find_causes(program: Program, targets: Sequence[Target], failing: Sequence[Trace], budget: Budget) -> Causes:
    """Return the causes; `failing` are runs that together take every edge of runs to a target."""
    if not failing:
        return Causes((), None, "there is no failing run")
    taken = [{id(edge) for edge in edges_on(trace)} for trace in failing]
    ever = set().union(*taken)
    hits = {target.place for target in targets}
    edges = [
        (own.name, edge)
        for own in program.procedures
        for edge in own.edges
        if id(edge) in ever and (own.name, edge.target) not in hits  # the step into the target is no cause of it
    ]
    passing, end = add_end(program, targets)
    try:
        good = [{id(edge) for edge in edges_on(run)} for _, run in _good_runs(passing, end, edges, budget)]
        if not good:
            return Causes((), None, "no run ends well, so nothing tells failing runs apart")
        alone = [(name, edge) for name, edge in edges if not any(id(edge) in own for own in good)]
        needed = {id(edge) for _, edge in alone if all(id(edge) in own for own in taken)}
        always = {id(edge) for _, edge in alone if id(edge) in needed and not _avoids(program, targets, edge, budget)}
        causes = [Cause(edge, name, id(edge) in always) for name, edge in alone]
        ranked = sorted(causes, key=lambda cause: (not cause.always, -sum(id(cause.edge) in own for own in taken)))
        if causes:
            return Causes(tuple(ranked), tuple(ranked[:1]))
        own = [(name, edge) for name, edge in edges if id(edge) in taken[0]]
        together, note = _least_set(passing, end, own, good, budget)
    except NotDecided as reason:
        return Causes((), None, f"not decided: {reason}")
    found = None if together is None else tuple(Cause(edge, name, False) for name, edge in together)
    return Causes((), found, note)


Owned = tuple[str, Edge]  # an edge with the name of its procedure


def _good_runs(passing: Program, end: Target, edges: Iterable[Owned], budget: Budget) -> list[tuple[Target, Trace]]:
    """Return runs that end well and together take every edge that some such run takes; one at least if there is one."""
    runs = list(cover(passing, [end], [edge for _, edge in edges], budget))
    if runs:
        return runs
    run = run_through(passing, [end], [], budget)
    return [] if run is None else [run]


def _avoids(program: Program, targets: Sequence[Target], edge: Edge, budget: Budget) -> bool:
    """Tell whether some run to a target does not take an edge."""
    without = [
        replace(own, edges=tuple(other for other in own.edges if other is not edge)) for own in program.procedures
    ]
    return run_through(replace(program, procedures=tuple(without)), targets, [], budget) is not None


def _least_set(
    passing: Program, end: Target, edges: Sequence[Owned], good: list[set[int]], budget: Budget
) -> tuple[tuple[Owned, ...] | None, str]:
    """Return a smallest set of edges that no good run takes all of, or None and why."""
    for size in range(2, LARGEST + 1):
        for chosen in combinations(edges, size):
            ids = {id(edge) for _, edge in chosen}
            if any(ids <= run for run in good):
                continue
            run = run_through(passing, [end], [[edge] for _, edge in chosen], budget)
            if run is None:
                return chosen, ""
            good.append({id(edge) for edge in edges_on(run[1])})
        whole = {id(edge) for _, edge in edges}
        if any(whole <= run for run in good):
            return None, "a run that ends well takes all edges of the failing one: their order or the values decide"
    return None, f"no set of at most {LARGEST} edges tells the failing run apart"
