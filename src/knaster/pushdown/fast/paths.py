"""Single-source path expressions: for every vertex an expression for all paths from the root to it.

Tarjan, Fast algorithms for solving path problems (JACM 28(3), 1981), as Lal (PhD thesis, University of Wisconsin,
2009), section 4.1.1, uses it: dominators are solved before what they dominate, loops before what follows them.
Regions (`regions.py`) are contracted first; here the dominator tree of their tops decides.

Notation: ∪, dot and * are given by an algebra; parent and rest as in `regions.py`.  P(s, v) is the derived edge between
siblings of the dominator tree of the tops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from knaster.base.graphs import components
from knaster.base.named_tuples import NamedTuple
from knaster.pushdown.fast.dominators import analyze_flow
from knaster.pushdown.fast.expression import EMPTY, EPSILON
from knaster.pushdown.fast.regions import ROOT, Arrow, Edge, Regions
from knaster.pushdown.tick import Tick, with_ticks


class Algebra(Protocol):
    """How expressions are combined; EMPTY is ∅ and EPSILON is ε."""

    def union(self, first: int, second: int, /) -> int:
        """Return first ∪ second."""
        ...

    def star(self, body: int, /) -> int:
        """Return body*."""
        ...


class PathExpressions:
    """Path expressions for the vertices of a graph, part by part; parts can be solved again.

    `dot` joins a path and what follows it.
    """

    def __init__(self, algebra: Algebra, dot: Callable[[int, int], int], tick: Tick | None = None) -> None:
        self._union, self._star, self._dot, self._tick = algebra.union, algebra.star, dot, tick
        self.regions = Regions(algebra.union, dot, tick)

    def solve(self, members: Sequence[int], edges: Iterable[Edge]) -> None:
        """Find the paths to `members` along `edges`.  Requires: edges lead from members or ROOT to members."""
        tops = self.regions.build(members, edges)
        if tops:
            self._solve_tops(tops)
        self.regions.release()

    def expression(self, vertex: int) -> int:
        """Return the paths from the root to `vertex`; ∅ if there is none."""
        return self.regions.expression(vertex)

    def _solve_tops(self, tops: Sequence[int]) -> None:
        """Solve the contracted graph: local vertex 0 is the root, i + 1 is tops[i]."""
        names = [ROOT, *tops]
        local = {vertex: number for number, vertex in enumerate(names)}
        entering: list[list[_Entrance]] = [[]]
        for vertex in tops:
            found = self.regions.entrances(vertex)
            entering.append([_Entrance(local[region], source, label) for region, source, label in found])
        leaving: list[list[int]] = [[] for _ in names]
        for target, arrows in enumerate(entering):
            for region in dict.fromkeys(arrow.region for arrow in arrows):
                leaving[region].append(target)
        flow = analyze_flow(leaving)
        children: list[list[int]] = [[] for _ in names]
        for number in flow.order[1:]:
            children[flow.dominator[number]].append(number)
        forest = _Forest(len(names), self._dot)
        for above in with_ticks(reversed(flow.order), self._tick):
            if children[above]:
                self._solve_siblings(_Siblings(above, children[above], entering, forest), names)
                for child in children[above]:
                    vertex = names[child]
                    paths = self._dot(
                        self.regions.between(names[above], self.regions.parent[vertex]), self.regions.rest[vertex]
                    )
                    forest.link(child, above, paths)

    def _solve_siblings(self, siblings: _Siblings, names: Sequence[int]) -> None:
        """Set `parent` and `rest` of all tops that one vertex immediately dominates."""
        members = siblings.members
        vertices = [names[child] for child in members]
        rank = {child: number for number, child in enumerate(members)}
        derived: list[dict[int, int]] = [{} for _ in members]  # derived[v][s] = P(s, v)
        following: list[list[int]] = [[] for _ in members]
        for number, child in enumerate(with_ticks(members, self._tick)):
            for region, source, label in siblings.entering[child]:
                if region != siblings.above:
                    sibling, path = siblings.forest.eval(region)
                    path = self._dot(self._dot(path, self.regions.between(names[region], source)), label)
                    place = rank[sibling]
                    derived[number][place] = self._union(derived[number].get(place, EMPTY), path)
                    following[place].append(number)
        retreats = any(target < source for source, targets in enumerate(following) for target in targets)
        groups = list(components(range(len(members)), following.__getitem__))[::-1] if retreats else None
        for group in groups or ([number] for number in range(len(members))):
            inside = sorted(group)
            entrances = [
                [(source, label) for region, source, label in siblings.entering[members[n]] if region == siblings.above]
                for n in inside
            ]
            self._solve_group(vertices, inside, entrances, derived)

    def _solve_group(
        self,
        siblings: Sequence[int],
        inside: Sequence[int],
        entrances: Sequence[Sequence[Arrow]],
        derived: Sequence[dict[int, int]],
    ) -> None:
        """Set `parent` and `rest` of siblings that reach each other, below the nearest vertex that dominates them."""
        union, dot, parent, rest = self._union, self._dot, self.regions.parent, self.regions.rest
        group = set(inside)
        outside = [[s for s in sorted(derived[number]) if s not in group] for number in inside]
        above = [source for arrows in entrances for source, _ in arrows]
        above += [parent[siblings[s]] for sources in outside for s in sources]
        nearest = above[0]
        for vertex in above[1:]:
            nearest = self.regions.common(nearest, vertex)
        starts = []
        for number, arrows, sources in zip(inside, entrances, outside, strict=True):
            paths = EMPTY
            for source, label in arrows:
                paths = union(paths, dot(self.regions.between(nearest, source), label))
            for s in sources:
                before = dot(self.regions.between(nearest, parent[siblings[s]]), rest[siblings[s]])
                paths = union(paths, dot(before, derived[number][s]))
            starts.append(paths)
        for number, paths in zip(inside, self._eliminate(inside, starts, derived), strict=True):
            parent[siblings[number]], rest[siblings[number]] = nearest, paths

    def _eliminate(self, inside: Sequence[int], starts: list[int], derived: Sequence[dict[int, int]]) -> list[int]:
        """Return the paths that begin with `starts` and go on along derived edges, by Gauss–Jordan elimination."""
        union, dot, star = self._union, self._dot, self._star
        count = len(inside)
        result = list(starts)
        place = {number: s for s, number in enumerate(inside)}
        arrow = {
            (place[source], t): path
            for t, number in enumerate(inside)
            for source, path in derived[number].items()
            if source in place
        }
        for v in range(count):
            if self._tick is not None:
                self._tick()
            loop = star(arrow.get((v, v), EMPTY))
            result[v] = dot(result[v], loop)
            onward = [(y, arrow[v, y]) for y in range(v + 1, count) if (v, y) in arrow]
            for y, label in onward:
                result[y] = union(result[y], dot(result[v], label))
            for x in range(v + 1, count):
                if (x, v) in arrow:
                    if self._tick is not None:
                        self._tick()
                    back = arrow[x, v] = dot(arrow[x, v], loop)
                    for y, label in onward:
                        arrow[x, y] = union(arrow.get((x, y), EMPTY), dot(back, label))
        for v in range(count - 1, -1, -1):
            for x in range(v + 1, count):
                if (x, v) in arrow:
                    result[v] = union(result[v], dot(result[x], arrow[x, v]))
        return result


class _Entrance(NamedTuple):
    """An edge into a top: from which region (by local number), from which vertex, with which label."""

    region: int
    source: int
    label: int


class _Siblings(NamedTuple):
    """The tops that one top (or the root) immediately dominates, in reverse post-order; all by local number."""

    above: int
    members: Sequence[int]
    entering: Sequence[Sequence[_Entrance]]
    forest: _Forest


class _Forest:
    """Trees of solved vertices with the paths from each tree's root, shortened whenever they are asked for."""

    def __init__(self, count: int, dot: Callable[[int, int], int]) -> None:
        self._ancestor = [ROOT] * count
        self._paths = [EPSILON] * count
        self._dot = dot

    def link(self, child: int, parent: int, paths: int) -> None:
        """Hang the root `child` below `parent`."""
        self._ancestor[child] = parent
        self._paths[child] = paths

    def eval(self, vertex: int) -> Arrow:
        """Return the root of the tree of `vertex` and the paths from there."""
        ancestor, paths, dot = self._ancestor, self._paths, self._dot
        if ancestor[vertex] == ROOT:
            return vertex, EPSILON
        above = []
        current = vertex
        while ancestor[ancestor[current]] != ROOT:
            above.append(current)
            current = ancestor[current]
        root = ancestor[current]
        for each in reversed(above):
            paths[each] = dot(paths[ancestor[each]], paths[each])
            ancestor[each] = root
        return root, paths[vertex]
