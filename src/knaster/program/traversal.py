"""The order in which to visit a program: callees first, and reverse post-order inside a procedure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.graphs import postorder
from knaster.program.model import Call, Edge, Location, Procedure, Program


def edges_by_source(procedure: Procedure) -> list[list[Edge]]:
    """Return for each location the edges that leave it."""
    leaving: list[list[Edge]] = [[] for _ in range(procedure.size)]
    for edge in procedure.edges:
        leaving[edge.source].append(edge)
    return leaving


def reverse_postorder(procedure: Procedure, leaving: Sequence[Sequence[Edge]]) -> list[Location]:
    """Return every location, each before its successors except along the back edges of loops.

    What the entry does not reach comes last, then the exit where nothing reaches it.
    """
    starts = [procedure.entry, *range(procedure.size)]
    successors = [[edge.target for edge in edges] for edges in leaving]
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
