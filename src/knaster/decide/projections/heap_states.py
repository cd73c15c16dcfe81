"""The projection of a model with references: every state is reached, and those from which a target is are kept.

States are told apart up to the names of cells.  Beyond a number of them it is open what was not met on the way to a
target.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from knaster.base.errors import UsageError
from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Target
from knaster.program.model import Edge, Program
from knaster.semantics.heap.goals import ANY
from knaster.semantics.heap.run_graph import HeapGraph, HeapNode

MOST_STATES = 20_000


class EdgesToTargets(NamedTuple):
    """The edges on runs to a target, and whether these are all."""

    edges: tuple[Edge, ...]
    reached: bool
    complete: bool


def edges_to_targets(
    program: Program, targets: Sequence[Target], budget: Budget, most: int = MOST_STATES
) -> EdgesToTargets:
    """Return the edges that runs to one of the targets take."""
    graph = HeapGraph(program)
    is_goal = _goal(graph, targets)
    before: dict[HeapNode, list[tuple[HeapNode, Edge]]] = {node: [] for node in graph.starts()}
    todo, goals = deque(before), list[HeapNode]()
    while todo and len(before) <= most:
        budget.check()
        here = todo.popleft()
        if is_goal(here):
            goals.append(here)
            continue
        for move in graph.moves(here):
            if move.after not in before:
                before[move.after] = []
                todo.append(move.after)
            before[move.after].append((here, move.edge))
    return EdgesToTargets(_edges_back(before, goals), bool(goals), not todo)


def _edges_back(before: dict[HeapNode, list[tuple[HeapNode, Edge]]], goals: list[HeapNode]) -> tuple[Edge, ...]:
    seen, todo, edges = set(goals), list(goals), dict[int, Edge]()
    while todo:
        for source, edge in before[todo.pop()]:
            edges[id(edge)] = edge
            if source not in seen:
                seen.add(source)
                todo.append(source)
    return tuple(edges.values())


def _goal(graph: HeapGraph, targets: Sequence[Target]) -> Callable[[HeapNode], bool]:
    """Return what tells whether a run that comes to a node has reached a target."""
    places = {target.place for target in targets if target.has_place}
    kinds = {target.kind for target in targets if not target.has_place}
    if kinds - {ANY}:
        raise UsageError(f"{graph.program.file}: a projection of a model is for labels, lines or 'any failure'")

    def is_goal(here: HeapNode) -> bool:
        if kinds and (here.failed or (not here.inside and graph.machine.stuck(here.configuration) is not None)):
            return True
        return bool(places) and any(place in places for _, place in graph.places(here))

    return is_goal
