"""The edges on runs to a target, from every configuration of a small program with threads, switch by switch."""

from __future__ import annotations

from typing import Any

from knaster.program.model import Edge, Place, Program
from knaster.semantics.threads import Threads


def edges_to_places(program: Program, targets: set[Place], switches: int, limit: int, depth: int) -> set[int] | None:
    """Return the edges (by `id`) that runs with at most so many switches take on their way to a target.

    None beyond `limit` configurations, or where a stack is deeper than `depth`.
    """
    threads = Threads(program)
    before: dict[Any, list[tuple[Any, Edge | None]]] = {}
    todo: list[Any] = []
    goals: list[Any] = []

    def reach(here: Any, used: int, origin: Any, edge: Edge | None) -> None:
        item = here, used
        if item not in before:
            before[item] = []
            todo.append(item)
        if origin is not None:
            before[item].append((origin, edge))

    for start in threads.starts():
        reach(start, 0, None, None)
    while todo:
        item = here, used = todo.pop()
        if len(before) > limit or max(map(len, here.stacks)) > depth:
            return None
        if here.place in targets:
            goals.append(item)
        for edge, after in threads.steps(here):
            reach(after, used, item, edge)
        if used < switches:
            for after in threads.switches(here):
                reach(after, used + 1, item, None)
    seen, edges = set(goals), set[int]()
    while goals:
        for origin, edge in before[goals.pop()]:
            if edge is not None:
                edges.add(id(edge))
            if origin not in seen:
                seen.add(origin)
                goals.append(origin)
    return edges
