"""Numbers locations in the order that front ends give them: the numbers mean nothing, but a text needs an order."""

from __future__ import annotations

from knaster.base.records import replace
from knaster.program.model import Action, Concurrent, Edge, Location, Procedure


def renumber(procedure: Procedure) -> Procedure:
    """Return the procedure with its exit behind all other locations but the failures, in the same order otherwise."""
    failures = set(procedure.failures)
    last = {procedure.exit, *failures}
    order = [location for location in range(procedure.size) if location not in last]
    order += [procedure.exit, *(failure for failure in procedure.failures if failure != procedure.exit)]
    if order == list(range(procedure.size)):
        return procedure
    new: dict[Location, Location] = {old: number for number, old in enumerate(order)}

    def shift(action: Action) -> Action:
        if isinstance(action, Concurrent) and action.location is not None:
            return replace(action, location=new[action.location])
        return action

    edges = [
        Edge(new[edge.source], shift(edge.action), new[edge.target], edge.span, edge.origin) for edge in procedure.edges
    ]
    return replace(
        procedure,
        entry=new[procedure.entry],
        exit=new[procedure.exit],
        edges=tuple(sorted(edges, key=lambda edge: edge.source)),
        labels=tuple((label, new[location]) for label, location in procedure.labels),
        failures=tuple(new[failure] for failure in procedure.failures),
    )
