"""Strongly connected components of an implicit graph, each after those that lead to it or that it leads to.

Tarjan, Depth-first search and linear graph algorithms (SIAM Journal on Computing 1(2), 1972), without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def components_callees_first(roots: Iterable[int], uses: Callable[[int], Iterable[int]]) -> Iterator[list[int]]:
    """Yield the components that `roots` reach, each after all components that it uses."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    waiting: list[int] = []
    present: set[int] = set()
    for root in roots:
        if root in number:
            continue
        path = [root]
        ways = [_open(root, number, low, waiting, present, uses)]
        while path:
            vertex = path[-1]
            for other in ways[-1]:
                if other not in number:
                    path.append(other)
                    ways.append(_open(other, number, low, waiting, present, uses))
                    break
                if other in present and number[other] < low[vertex]:
                    low[vertex] = number[other]
            else:
                ways.pop()
                path.pop()
                if path and low[vertex] < low[path[-1]]:
                    low[path[-1]] = low[vertex]
                if low[vertex] == number[vertex]:
                    yield _close(vertex, waiting, present)


def strong_components(vertices: Iterable[int], successors: Callable[[int], Iterable[int]]) -> list[list[int]]:
    """Return the components of a graph in topological order: each before those that it leads to."""
    return list(components_callees_first(vertices, successors))[::-1]


def _open(
    vertex: int,
    number: dict[int, int],
    low: dict[int, int],
    waiting: list[int],
    present: set[int],
    uses: Callable[[int], Iterable[int]],
) -> Iterator[int]:
    number[vertex] = low[vertex] = len(number)
    waiting.append(vertex)
    present.add(vertex)
    return iter(uses(vertex))


def _close(vertex: int, waiting: list[int], present: set[int]) -> list[int]:
    component: list[int] = []
    while not component or component[-1] != vertex:
        component.append(waiting.pop())
        present.remove(component[-1])
    return component
