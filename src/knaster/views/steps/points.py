"""Chooses the cut points of a program, and the procedures that are inlined, from the text alone.

Cut points are entries, exits, loop heads, the two ends of calls, and targets; between them there is no cycle.  Where
every branch asks a function for an input, as programs that other tools wrote do, calls would be most of the cut points,
and what a loop does would be known by summaries only: so calls of procedures without loops and with few ways through
them are inlined.  How many ways there are depends on the reading: paths tell branches apart (`Ways` of edges), formulas
merge them (`Ways` of steps).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from knaster.base.graphs import components, postorder
from knaster.program.effects import variables_in
from knaster.program.liveness import live_variables
from knaster.program.model import Call, Location, Place, Procedure, Program
from knaster.program.types import Bool, Int
from knaster.semantics.python_code import loop_heads

Points = Mapping[str, tuple[Location, ...]]  # the cut points of each procedure that is not inlined, in their order
Ways = Mapping[str, Mapping[Location, Sequence[tuple[Location, str | None]]]]  # where one goes on, and whom one calls
MOST_INLINED = 4  # ways through a procedure that is inlined
MOST_EDGES = 100  # of it and of those that it calls
MOST_MEETING = 16  # ways that lead to one place between kept points
MOST_CALLS = 3  # on one of these ways


def cut_points(program: Program, targets: Iterable[Place] = (), inlined: Collection[str] = ()) -> Points:
    """Return the cut points of each procedure; calls of those that are inlined have none."""
    places = list(targets)
    points: dict[str, tuple[Location, ...]] = {}
    for procedure in program.procedures:
        if procedure.name in inlined:
            continue
        own = {procedure.entry, procedure.exit, *loop_heads(procedure)}
        own |= {location for name, location in places if name == procedure.name}
        for edge in procedure.edges:
            if isinstance(edge.action, Call) and edge.action.procedure not in inlined:
                own |= {edge.source, edge.target}
        points[procedure.name] = tuple(sorted(own))
    return points


def edge_ways(program: Program) -> Ways:
    """Return the edges of a program as ways."""
    ways: dict[str, dict[Location, list[tuple[Location, str | None]]]] = {p.name: {} for p in program.procedures}
    for procedure in program.procedures:
        for edge in procedure.edges:
            callee = edge.action.procedure if isinstance(edge.action, Call) else None
            ways[procedure.name].setdefault(edge.source, []).append((edge.target, callee))
    return ways


def inlined_procedures(program: Program, ways: Ways, apart: Collection[str] = ()) -> tuple[str, ...]:
    """Return the procedures that callers see through, callees first: no loops, few ways, none that stays `apart`."""
    calls = {name: [w[1] for some in own.values() for w in some if w[1] is not None] for name, own in ways.items()}
    edges = {procedure.name: len(procedure.edges) for procedure in program.procedures}
    through: dict[str, int] = {}  # how many ways lead through each
    for part in components(list(calls), calls.__getitem__):
        name = part[0]
        if len(part) > 1 or name in apart or name in program.threads or any(c not in through for c in calls[name]):
            continue
        procedure = program.procedure(name)
        edges[name] += sum(edges[callee] for callee in calls[name])
        if edges[name] <= MOST_EDGES and not loop_heads(procedure):
            count = _count_ways(procedure, ways[name], through)
            if count <= MOST_INLINED:
                through[name] = count
    return tuple(through)


def without_expressions(program: Program) -> set[str]:
    """Return the procedures whose calls no expressions stand for: they have arrays, or read what nobody wrote."""
    live = live_variables(program)
    found = set()
    for procedure in program.procedures:
        types = program.types_in(procedure)
        begun = variables_in(live[procedure.name][procedure.entry], program.scope(procedure))
        numbers = all(isinstance(types[name], Int | Bool) for name in procedure.frame)
        if not numbers or not {*begun} <= {*program.globals, *procedure.parameters}:
            found.add(procedure.name)
    return found


def kept_points(program: Program, ways: Ways, inlined: Collection[str]) -> dict[str, frozenset[Location]]:
    """Return entry, exit, the loop heads, and places where too many ways would meet, of procedures not inlined."""
    return {
        procedure.name: frozenset(_choose_kept(procedure, ways[procedure.name], inlined))
        for procedure in program.procedures
        if procedure.name not in inlined
    }


def _choose_kept(
    procedure: Procedure, ways: Mapping[Location, Sequence[tuple[Location, str | None]]], inlined: Collection[str]
) -> set[Location]:
    kept = {procedure.entry, procedure.exit, *loop_heads(procedure)}
    counts, calls = dict.fromkeys(kept, 1), dict.fromkeys(kept, 0)

    def successors(location: Location) -> list[Location]:
        return [target for target, _ in ways.get(location, ()) if target not in fixed]

    fixed = frozenset(kept)
    for location in reversed(postorder([procedure.entry, *sorted(fixed)], successors)):
        if location not in kept and (counts.get(location, 0) > MOST_MEETING or calls.get(location, 0) >= MOST_CALLS):
            kept.add(location)
            counts[location], calls[location] = 1, 0
        for target, callee in ways.get(location, ()):
            if target in kept:
                continue
            deeper = callee is not None and callee not in inlined
            times = MOST_INLINED // 2 if callee is not None and not deeper else 1
            counts[target] = counts.get(target, 0) + counts.get(location, 0) * times
            calls[target] = max(calls.get(target, 0), calls.get(location, 0) + deeper)
    return kept


def _count_ways(
    procedure: Procedure,
    ways: Mapping[Location, Sequence[tuple[Location, str | None]]],
    through: Mapping[str, int],
) -> int:
    """Return how many ways lead through a procedure without loops, or to one of its locations."""

    def successors(location: Location) -> list[Location]:
        return [target for target, _ in ways.get(location, ())]

    counts = {procedure.entry: 1}
    for location in reversed(postorder([procedure.entry], successors)):
        for target, callee in ways.get(location, ()):
            times = 1 if callee is None else through[callee]
            counts[target] = counts.get(target, 0) + times * counts[location]
    return max(counts.values())
