"""Graphs: what a vertex reaches, and the cycles, by depth-first search without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

V = TypeVar("V")


def finish(first: V, following: Callable[[V], Iterable[V]], seen: set[V] | None = None) -> list[V]:
    """Return what a vertex reaches and was not seen yet, in the order in which a depth-first search is done with it."""
    seen = set() if seen is None else seen
    found: list[V] = []
    stack = [(first, iter(following(first)))] if first not in seen else []
    seen.add(first)
    while stack:
        vertex, ways = stack[-1]
        for other in ways:
            if other not in seen:
                seen.add(other)
                stack.append((other, iter(following(other))))
                break
        else:
            found.append(vertex)
            stack.pop()
    return found


def components(graph: Mapping[V, Sequence[V]]) -> list[list[V]]:
    """Return the cycles of a graph: vertices that lead to each other, by two searches (Kosaraju, Sharir 1981)."""
    back: dict[V, list[V]] = {vertex: [] for vertex in graph}
    for vertex, after in graph.items():
        for other in after:
            if other in graph:
                back[other].append(vertex)
    order: list[V] = []
    seen: set[V] = set()
    for vertex in graph:
        order += finish(vertex, lambda one: [other for other in graph[one] if other in graph], seen)
    found = []
    seen = set()
    for vertex in reversed(order):
        part = finish(vertex, back.__getitem__, seen)
        if len(part) > 1 or (part and vertex in graph[vertex]):
            found.append(part)
    return found
