"""The order in which to visit a program: callees first, and reverse post-order inside a procedure."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.graphs import postorder
from knaster.program.model import Call, Edge, Location, Procedure, Program


def reverse_postorder(procedure: Procedure) -> list[Location]:
    """Return every location, each before its successors except along the back edges of loops.

    What the entry does not reach comes last, then the exit where nothing reaches it.
    """
    starts = [procedure.entry, *range(procedure.size)]
    leaving = procedure.leaving
    successors = [[edge.target for edge in leaving.get(location, ())] for location in range(procedure.size)]
    order = postorder(starts, successors.__getitem__)
    order.reverse()
    place = order.index(procedure.entry)
    return order[place:] + order[:place]


def callees_first(program: Program) -> list[Procedure]:
    """Return every procedure after those that it calls, as far as recursion allows."""
    index = {procedure.name: number for number, procedure in enumerate(program.procedures)}
    callees = [
        list(dict.fromkeys(index[edge.action.procedure] for edge in procedure.edges if isinstance(edge.action, Call)))
        for procedure in program.procedures
    ]
    return [program.procedures[number] for number in postorder(range(len(callees)), callees.__getitem__)]


def call_sites(program: Program) -> Mapping[str, list[tuple[Procedure, Edge]]]:
    """Return for each procedure the edges that call it, with the procedures they are in."""
    sites: dict[str, list[tuple[Procedure, Edge]]] = {procedure.name: [] for procedure in program.procedures}
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                sites[edge.action.procedure].append((procedure, edge))
    return sites
