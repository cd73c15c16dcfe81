"""Procedures that are composed into their callers: no loops, few ways, and nothing in them that is asked about.

Where every branch asks a function for an input, as programs that other tools wrote do, calls would be most of the cut
points, and what a loop does would be known by summaries only.  Composed, what happens between two loop heads is one
step again.  What is plain here is plain to the checkers as well (`smt.ways`), which compose such calls on their own.
"""

from __future__ import annotations

from collections.abc import Collection

from knaster.base.graphs import postorder
from knaster.program.accesses import variables_in
from knaster.program.liveness import live_variables
from knaster.program.model import Call, Location, Procedure, Program
from knaster.program.traversal import callees_first
from knaster.program.types import Bool, Int
from knaster.semantics.compiled import loop_heads

MOST_WAYS = 4  # through a procedure that is composed into its callers
MOST_EDGES = 100  # of it and of those that it calls


def plain_procedures(program: Program, apart: Collection[str] = ()) -> frozenset[str]:
    """Return the procedures that can be composed into their callers; those that are to stay `apart` are none."""
    live = live_variables(program)
    ways: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for procedure in callees_first(program):
        if procedure.name in apart or procedure.name in program.threads or loop_heads(procedure):
            continue
        callees = [edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)]
        types = program.types_in(procedure)
        if any(callee not in ways for callee in callees):
            continue
        if not all(isinstance(types[name], Int | Bool) for name in procedure.frame):
            continue
        begun = variables_in(live[procedure.name][procedure.entry], program.scope(procedure))
        if not {*begun} <= {*program.globals, *procedure.parameters}:
            continue  # what it has at the beginning is anybody's guess
        size = len(procedure.edges) + sum(sizes[callee] for callee in callees)
        count = _count(procedure, ways)
        if size <= MOST_EDGES and count <= MOST_WAYS:
            ways[procedure.name], sizes[procedure.name] = count, size
    return frozenset(ways)


def _count(procedure: Procedure, through: dict[str, int]) -> int:
    """Return how many ways lead through a procedure without loops, or to one of its locations."""
    leaving: dict[Location, list[tuple[Location, int]]] = {}
    for edge in procedure.edges:
        times = through[edge.action.procedure] if isinstance(edge.action, Call) else 1
        leaving.setdefault(edge.source, []).append((edge.target, times))

    def following(location: Location) -> list[Location]:
        return [target for target, _ in leaving.get(location, ())]

    counts = {procedure.entry: 1}
    for location in reversed(list(postorder([procedure.entry], following))):
        for target, times in leaving.get(location, ()):
            counts[target] = counts.get(target, 0) + times * counts[location]
    return max(counts.values())
