"""Directed graphs: depth-first search, strongly connected components and shortest ways, without recursion.

Tarjan, Depth-first search and linear graph algorithms (SIAM Journal on Computing 1(2), 1972).  A graph is given by the
function that returns the successors of a vertex; `dict.__getitem__` and `list.__getitem__` are such functions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

V = TypeVar("V", bound=Hashable)
A = TypeVar("A")

Successors = Callable[[V], Iterable[V]]


def depth_first(roots: Iterable[V], successors: Successors[V]) -> tuple[dict[V, V | None], list[V]]:
    """Return what `roots` reach: in preorder, each with its parent in the tree of the search, and in postorder.

    Roots and successors are looked at in the order in which they are given; a root has the parent None.
    """
    parent: dict[V, V | None] = {}
    postorder: list[V] = []
    for root in roots:
        if root in parent:
            continue
        parent[root] = None
        path = [root]
        ways = [iter(successors(root))]
        while path:
            for target in ways[-1]:
                if target not in parent:
                    parent[target] = path[-1]
                    path.append(target)
                    ways.append(iter(successors(target)))
                    break
            else:
                ways.pop()
                postorder.append(path.pop())
    return parent, postorder


def postorder(roots: Iterable[V], successors: Successors[V]) -> list[V]:
    """Return what `roots` reach, each after its successors except along the back edges of cycles."""
    return depth_first(roots, successors)[1]


def components(roots: Iterable[V], successors: Successors[V]) -> Iterator[list[V]]:
    """Yield the strongly connected components that `roots` reach, each after all that it leads to.

    The members of a component are in the order in which the search found them.
    """
    number: dict[V, int] = {}
    low: dict[V, int] = {}
    waiting: list[V] = []  # found, and not in a finished component
    present: set[V] = set()

    def enter(vertex: V) -> Iterator[V]:
        number[vertex] = low[vertex] = len(number)
        waiting.append(vertex)
        present.add(vertex)
        return iter(successors(vertex))

    for root in roots:
        if root in number:
            continue
        path = [root]
        ways = [enter(root)]
        while path:
            vertex = path[-1]
            for target in ways[-1]:
                if target not in number:
                    path.append(target)
                    ways.append(enter(target))
                    break
                if target in present and number[target] < low[vertex]:
                    low[vertex] = number[target]
            else:
                ways.pop()
                path.pop()
                if path and low[vertex] < low[path[-1]]:
                    low[path[-1]] = low[vertex]
                if low[vertex] == number[vertex]:
                    start = len(waiting) - 1
                    while waiting[start] != vertex:
                        start -= 1
                    component = waiting[start:]
                    del waiting[start:]
                    present.difference_update(component)
                    yield component


def shortest_way(
    start: V, leave: Callable[[V], Iterable[tuple[V, A]]], is_wanted: Callable[[V, A], bool]
) -> list[tuple[V, A]]:
    """Return the arcs of a shortest way whose last arc is wanted, each with where it begins; none where there is none.

    `leave` returns the arcs of a vertex, each with where it ends.
    """
    before: dict[V, tuple[V, A] | None] = {start: None}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for target, arc in leave(here):
            if is_wanted(here, arc):
                way = [(here, arc)]
                while (step := before[way[-1][0]]) is not None:
                    way.append(step)
                return way[::-1]
            if target not in before:
                before[target] = here, arc
                todo.append(target)
    return []
