"""Regions: straight-line code and branches that meet again, for which path expressions need no general method.

In reverse post-order, a vertex all of whose edges come from the region of one vertex s joins that region, below the
nearest vertex through which they all go.  What is left, the *tops*, are loop heads and vertices that several regions
enter; `paths.py` solves those.

Notation: an edge is (source, vertex, label), the source ROOT for an edge from the root.  top[v] is the top of v's
region, parent[v] the nearest vertex found through which all paths to v go, and rest[v] the paths from there that do
not return there.  A region is a tree by `parent`; depth[v] counts from its top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from knaster.base.graphs import postorder
from knaster.pushdown.fast.expression import EMPTY, EPSILON
from knaster.pushdown.tick import Tick, with_ticks

ROOT = -1
UNREACHED = -2

Edge = tuple[int, int, int]  # (source, vertex, label)
Arrow = tuple[int, int]  # (source, label)


class Regions:
    """The regions of a graph, part by part; ∪ and dot, which joins a path and what follows it, are given."""

    def __init__(
        self, union: Callable[[int, int], int], dot: Callable[[int, int], int], tick: Tick | None = None
    ) -> None:
        self.top: list[int] = []
        self.parent: list[int] = []
        self.rest: list[int] = []
        self._depth: list[int] = []
        self._above: list[int] = []  # an ancestor in the region …
        self._path: list[int] = []  # … and the paths from there
        self._below: list[int] = []  # another ancestor, found on the way to a common one
        self._answer: list[int] = []
        self._union, self._dot, self._tick = union, dot, tick
        self._into: dict[int, list[Arrow]] = {}
        self._reached: set[int] = set()

    def build(self, members: Sequence[int], edges: Iterable[Edge]) -> list[int]:
        """Forget what is known of `members`, give each that can be reached its region, and return the tops."""
        self._forget(members)
        into: dict[int, list[Arrow]] = {vertex: [] for vertex in members}
        out: dict[int, list[int]] = {vertex: [] for vertex in members}
        roots = []
        for source, vertex, label in with_ticks(edges, self._tick):
            into[vertex].append((source, label))
            if source == ROOT:
                roots.append(vertex)
            else:
                out[source].append(vertex)
        order = postorder(roots, out.__getitem__)[::-1]
        self._into, self._reached = into, set(order)
        return self._contract(order)

    def release(self) -> None:
        """Give back what only building and solving need."""
        self._into, self._reached = {}, set()

    def entrances(self, top: int) -> Iterator[tuple[int, int, int]]:
        """Yield for every edge into a top the top of the region that it comes from, its source and its label."""
        for source, label in self._into[top]:
            region = ROOT if source == ROOT else self.top[source]
            if region != UNREACHED:
                yield region, source, label

    def expression(self, vertex: int) -> int:
        """Return the paths from the root to `vertex`; ∅ if there is none."""
        answer, parent, rest, dot = self._answer, self.parent, self.rest, self._dot
        if vertex >= len(self.top) or self.top[vertex] == UNREACHED:
            return EMPTY
        todo = []
        above = vertex
        while above != ROOT and answer[above] == UNREACHED:
            todo.append(above)
            above = parent[above]
        for waiting in reversed(todo):
            source = parent[waiting]
            answer[waiting] = dot(EPSILON if source == ROOT else answer[source], rest[waiting])
        return answer[vertex]

    def common(self, first: int, second: int) -> int:
        """Return the nearest vertex of a region through which all paths to both vertices go."""
        parent, depth, below = self.parent, self._depth, self._below
        passed = []
        while first != second:
            if first == ROOT or (second != ROOT and depth[second] > depth[first]):
                if below[second] == first:
                    break
                passed.append(second)
                second = parent[second]
            else:
                first = parent[first]
        for vertex in passed:
            below[vertex] = first
        return first

    def between(self, start: int, vertex: int) -> int:
        """Return the paths from a vertex to one below it in the same region."""
        parent, rest, above, paths, dot = self.parent, self.rest, self._above, self._path, self._dot
        todo = []
        while vertex != start and above[vertex] != start:
            todo.append(vertex)
            vertex = parent[vertex]
        path = EPSILON if vertex == start else paths[vertex]
        for waiting in reversed(todo):
            path = dot(path, rest[waiting])
            above[waiting], paths[waiting] = start, path
        return path

    def _forget(self, members: Sequence[int]) -> None:
        columns = (self.top, self.parent, self.rest, self._depth, self._above, self._path, self._below, self._answer)
        missing = max(members, default=-1) + 1 - len(self.top)
        if missing > 0:
            for column in columns:
                column.extend([UNREACHED] * missing)
        for vertex in members:
            self.top[vertex] = self._answer[vertex] = self._above[vertex] = self._below[vertex] = UNREACHED

    def _contract(self, order: Sequence[int]) -> list[int]:
        """Give every vertex its region and its place in it, in reverse post-order; return the tops."""
        into, top, parent, rest, depth = self._into, self.top, self.parent, self.rest, self._depth
        tops = []
        for vertex in with_ticks(order, self._tick):
            edges = into[vertex]
            if len(edges) == 1:  # straight-line code, most of any program
                source, rest[vertex] = edges[0]
                parent[vertex] = source
                top[vertex], depth[vertex] = (ROOT, 1) if source == ROOT else (top[source], depth[source] + 1)
                continue
            edges = [edge for edge in edges if edge[0] == ROOT or edge[0] in self._reached]
            region = self._region(edges)
            if region == UNREACHED:
                tops.append(vertex)
                top[vertex], depth[vertex] = vertex, 0
                continue
            source, label = edges[0]
            if len(edges) > 1:
                for other, _ in edges:
                    source = self.common(source, other)
                label = EMPTY
                for other, last in edges:
                    label = self._union(label, self._dot(self.between(source, other), last))
            top[vertex], parent[vertex], rest[vertex] = region, source, label
            depth[vertex] = 1 if source == ROOT else depth[source] + 1
        return tops

    def _region(self, edges: Sequence[Arrow]) -> int:
        """Return the top of the only region that edges come from; UNREACHED if there are several, or one is unknown."""
        top = self.top
        region = UNREACHED
        for source, _ in edges:
            found = ROOT if source == ROOT else top[source]
            if found == UNREACHED or (region != UNREACHED and region != found):
                return UNREACHED
            region = found
        return region
