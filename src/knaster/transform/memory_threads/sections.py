"""Where no section is open, so that a thread may be interrupted: by the text, or the program is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.program.memory import Library
from knaster.program.model import Call, Edge, Location, Procedure
from knaster.transform.memory_threads.thread_words import SECTIONS
from knaster.transform.regions.refusal import Refused

_DEPENDS = "whether a section is open depends on the run"


def calm_places(
    procedures: Sequence[Procedure], roots: Sequence[str], sizes: Mapping[str, int]
) -> dict[str, frozenset[Location]]:
    """Return the places of each procedure at which no section is open; those that words have added are left out.

    `sizes` says how many locations each procedure had before.
    """
    named = {procedure.name: procedure for procedure in procedures}
    levels = {name: _levels(procedure) for name, procedure in named.items()}
    inside: dict[str, bool] = {}  # whether a procedure is called in a section
    todo = [(root, False) for root in roots]
    while todo:
        name, within = todo.pop()
        if name in inside:
            if inside[name] is not within:
                raise Refused(_DEPENDS, named[name].span)
            continue
        inside[name] = within
        for edge in named[name].edges:
            if isinstance(edge.action, Call) and edge.source in levels[name]:
                todo.append((edge.action.procedure, within or levels[name][edge.source] > 0))
    found: dict[str, frozenset[Location]] = {}
    for name, procedure in named.items():
        own = {place for place in levels[name] if place < sizes[name] or place == procedure.entry}
        calm = {place for place in own if levels[name][place] == 0}
        found[name] = frozenset() if inside.get(name, True) else frozenset(calm)
    return found


def _levels(procedure: Procedure) -> dict[Location, int]:
    """Return how many sections are open at each place, of those that the procedure has begun itself."""
    levels = {procedure.entry: 0}
    todo = [procedure.entry]
    while todo:
        here = todo.pop()
        for edge in procedure.leaving.get(here, ()):
            level = levels[here] + _change(edge)
            if level < 0 or (edge.target == procedure.exit and level):
                raise Refused("a section does not end in the function in which it begins", edge.span)
            if edge.target not in levels:
                levels[edge.target] = level
                todo.append(edge.target)
            elif levels[edge.target] != level:
                raise Refused(_DEPENDS, edge.span)
    return levels


def _change(edge: Edge) -> int:
    origin = edge.origin.action if edge.origin is not None else None
    return SECTIONS.get(origin.name, 0) if isinstance(origin, Library) else 0
