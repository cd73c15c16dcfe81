"""The part of a program that a trace passes, for drawing."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.records import dataclass, field
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Call, Location


@dataclass(frozen=True, slots=True)
class Visited:
    """The part of a program that a trace passes: locations and edges of each procedure, and where it ends."""

    locations: Mapping[str, frozenset[Location]] = field(default_factory=dict)
    edges: Mapping[str, frozenset[tuple[Location, Location]]] = field(default_factory=dict)
    goal: tuple[str, Location] | None = None


def visit(trace: Trace) -> Visited:
    """Return what a trace passes, each shared run once."""
    locations: dict[str, set[Location]] = {}
    edges: dict[str, set[tuple[Location, Location]]] = {}
    todo = list(trace.paths)
    seen: set[int] = set()
    while todo:
        path = todo.pop()
        if id(path) in seen:
            continue
        seen.add(id(path))
        todo += _note(path, locations.setdefault(path.procedure, set()), edges.setdefault(path.procedure, set()))
    goal = trace.paths[-1].procedure, trace.location
    locations[goal[0]].add(goal[1])
    return Visited(
        {name: frozenset(found) for name, found in locations.items()},
        {name: frozenset(found) for name, found in edges.items()},
        goal,
    )


def _note(path: Path, locations: set[Location], edges: set[tuple[Location, Location]]) -> list[Path]:
    """Add what one run passes itself; return the runs inside it."""
    inside: list[Path] = []
    for step in path.steps:
        locations.add(step.edge.source)
        if step.inside is not None:
            inside.append(step.inside)
        elif isinstance(step.edge.action, Call):
            continue  # entered, but not left on this trace
        edges.add((step.edge.source, step.edge.target))
    return inside
