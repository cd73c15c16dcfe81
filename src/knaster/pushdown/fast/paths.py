"""Single-source path expressions: for every vertex an expression for all paths from the root to it.

Tarjan, Fast algorithms for solving path problems (JACM 28(3), 1981), as Lal (PhD thesis, University of Wisconsin,
2009), section 4.1.1, uses it: dominators are solved before what they dominate, loops before what follows them.

Before Tarjan's method runs, straight-line code and branches that meet again are contracted: a vertex all of whose edges
come from the region of one vertex s belongs to that region.  What is left, the *tops*, are loop heads and vertices that
several regions enter; there the dominator tree decides.

Notation: an edge into v is (source, label), the source ROOT for an edge from the root; ∪, dot and * are given by an
algebra.  top[v] is the top of v's region and prefix[v] the paths top → v inside it (ε for a top).  For a top v with the
immediate dominator u: rest[v] are the paths u → v that do not return to u; P(s, v) the derived edge between siblings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from knaster.pushdown.fast.components import strong_components
from knaster.pushdown.fast.dominators import analyze_flow
from knaster.pushdown.fast.expression import EMPTY, EPSILON

ROOT = -1
UNREACHED = -2

Edge = tuple[int, int]


class Algebra(Protocol):
    """How expressions are combined; EMPTY is ∅ and EPSILON is ε."""

    def union(self, first: int, second: int, /) -> int:
        """Return first ∪ second."""
        ...

    def star(self, body: int, /) -> int:
        """Return body*."""
        ...


class PathExpressions:
    """Path expressions for the vertices of a graph, part by part; the graph may grow, its parts can be solved again.

    `into[v]` are the edges into v and `out[v]` the vertices that edges from v lead to.  `dot` joins a path and what
    follows it.
    """

    def __init__(
        self,
        into: Sequence[Sequence[Edge]],
        out: Sequence[Sequence[int]],
        algebra: Algebra,
        dot: Callable[[int, int], int],
    ) -> None:
        self._into = into
        self._out = out
        self._union, self._star, self._dot = algebra.union, algebra.star, dot
        self._top: list[int] = []
        self._prefix: list[int] = []
        self._above: list[int] = []  # of a top: its immediate dominator
        self._rest: list[int] = []  # of a top: the paths from there
        self._answer: list[int] = []
        self._reached = bytearray()

    def solve(self, members: Sequence[int]) -> None:
        """Find the paths to `members`.  Requires: no edge into a member leaves another vertex than members and ROOT."""
        missing = len(self._into) - len(self._top)
        for column in (self._top, self._prefix, self._above, self._rest, self._answer):
            column.extend([UNREACHED] * missing)
        self._reached.extend(bytes(missing))
        roots = []
        for vertex in members:
            self._top[vertex] = self._answer[vertex] = UNREACHED
            self._reached[vertex] = 0
            for source, _ in self._into[vertex]:
                if source == ROOT:
                    roots.append(vertex)
                    break
        tops = self._contract(self._reverse_post_order(roots))
        if tops:
            self._solve_tops(tops)

    def expression(self, vertex: int) -> int:
        """Return the paths from the root to `vertex`; ∅ if there is none."""
        answer, dot = self._answer, self._dot
        todo = []
        while vertex != ROOT and answer[vertex] == UNREACHED:
            if self._top[vertex] == UNREACHED:
                answer[vertex] = EMPTY
                break
            todo.append(vertex)
            vertex = self._predecessor(vertex)[0]
        for waiting in reversed(todo):
            source, label = self._predecessor(waiting)
            answer[waiting] = dot(EPSILON if source == ROOT else answer[source], label)
        return answer[todo[0] if todo else vertex]

    def _predecessor(self, vertex: int) -> Edge:
        """Return a vertex through which all paths to `vertex` go, and the paths from there."""
        top = self._top[vertex]
        if top == vertex:
            return self._above[vertex], self._rest[vertex]
        edges = self._into[vertex]
        return edges[0] if len(edges) == 1 else (top, self._prefix[vertex])

    def _reverse_post_order(self, roots: Sequence[int]) -> list[int]:
        """Mark and return what `roots` reach, in reverse post-order of a depth-first search."""
        out, reached = self._out, self._reached
        order: list[int] = []
        path: list[int] = []
        ways: list[Iterator[int]] = [iter(roots)]
        while ways:
            for target in ways[-1]:
                if not reached[target]:
                    reached[target] = 1
                    path.append(target)
                    ways.append(iter(out[target]))
                    break
            else:
                ways.pop()
                if path:
                    order.append(path.pop())
        order.reverse()
        return order

    def _contract(self, order: Sequence[int]) -> list[int]:
        """Give every vertex its region, in reverse post-order; return the tops."""
        into, top, prefix, dot, union = self._into, self._top, self._prefix, self._dot, self._union
        reached = self._reached
        tops = []
        for vertex in order:
            edges = into[vertex]
            region, paths = UNREACHED, EMPTY
            for source, label in edges:
                if source == ROOT:
                    above, path = ROOT, label
                elif not reached[source]:
                    continue
                else:
                    above = top[source]
                    path = dot(prefix[source], label)
                if above == UNREACHED or (region != above and region != UNREACHED):
                    region = UNREACHED
                    break
                region, paths = above, union(paths, path)
            if region == UNREACHED:
                tops.append(vertex)
                region, paths = vertex, EPSILON
            top[vertex], prefix[vertex] = region, paths
        return tops

    def _solve_tops(self, tops: Sequence[int]) -> None:
        """Solve the contracted graph: local vertex 0 is the root, i + 1 is tops[i]."""
        local = {vertex: number for number, vertex in enumerate(tops, 1)}
        local[ROOT] = 0
        entering = [{}, *(self._entering(vertex, local) for vertex in tops)]
        leaving: list[list[int]] = [[] for _ in entering]
        for target, edges in enumerate(entering):
            for source in edges:
                leaving[source].append(target)
        flow = analyze_flow(leaving)
        children: list[list[int]] = [[] for _ in entering]
        for vertex in flow.order[1:]:
            children[flow.dominator[vertex]].append(vertex)
        forest = _Forest(len(entering), self._dot)
        rest = [EMPTY] * len(entering)
        for parent in reversed(flow.order):
            if children[parent]:
                self._solve_children(parent, children[parent], entering, forest, rest)
                for child in children[parent]:
                    forest.link(child, parent, rest[child])
        for number, vertex in enumerate(tops, 1):
            above = flow.dominator[number]
            self._above[vertex] = ROOT if above == 0 else tops[above - 1]
            self._rest[vertex] = rest[number]

    def _entering(self, vertex: int, local: dict[int, int]) -> dict[int, int]:
        """Return the edges into a top: from which top, along which paths."""
        edges: dict[int, int] = {}
        for source, label in self._into[vertex]:
            if source == ROOT:
                above, path = 0, label
            elif self._top[source] != UNREACHED:
                region = self._top[source]
                above = 0 if region == ROOT else local[region]
                path = self._dot(self._prefix[source], label)
            else:
                continue
            edges[above] = self._union(edges.get(above, EMPTY), path)
        return edges

    def _solve_children(
        self, parent: int, children: Sequence[int], entering: Sequence[dict[int, int]], forest: _Forest, rest: list[int]
    ) -> None:
        """Set `rest` for all vertices that `parent` immediately dominates, given in reverse post-order."""
        union, dot, star = self._union, self._dot, self._star
        rank = {child: number for number, child in enumerate(children)}
        derived: list[dict[int, int]] = [{} for _ in children]  # derived[v][s] = P(s, v)
        retreating = False
        for number, child in enumerate(children):
            rest[child] = EMPTY
            for source, label in entering[child].items():
                if source == parent:
                    rest[child] = union(rest[child], label)
                    continue
                sibling, path = forest.eval(source)
                place = rank[sibling]
                derived[number][place] = union(derived[number].get(place, EMPTY), dot(path, label))
                retreating |= place > number
        if retreating:
            solved = _eliminate([rest[child] for child in children], derived, union, dot, star)
            for child, paths in zip(children, solved, strict=True):
                rest[child] = paths
            return
        for number, child in enumerate(children):
            paths = rest[child]
            loop = EMPTY
            for source, label in derived[number].items():
                if source == number:
                    loop = label
                else:
                    paths = union(paths, dot(rest[children[source]], label))
            rest[child] = dot(paths, star(loop))


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

    def eval(self, vertex: int) -> Edge:
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


def _eliminate(
    start: list[int],
    derived: Sequence[dict[int, int]],
    union: Callable[[int, int], int],
    dot: Callable[[int, int], int],
    star: Callable[[int], int],
) -> list[int]:
    """Return the paths to 0 … n-1 that begin with `start[v]` and go on along `derived[v][s]`, edges s → v.

    Gauss–Jordan elimination inside each strong component, in topological order of the components.
    """
    following: list[list[int]] = [[] for _ in start]
    for target, edges in enumerate(derived):
        for source in edges:
            following[source].append(target)
    result = list(start)
    for component in strong_components(range(len(start)), following.__getitem__):
        inside = sorted(component)
        member = set(inside)
        for target in inside:
            for source, label in sorted(derived[target].items()):
                if source not in member:
                    result[target] = union(result[target], dot(result[source], label))
        arrow = {(s, t): label for t in inside for s, label in derived[t].items() if s in member}
        for position, vertex in enumerate(inside):
            loop = star(arrow.get((vertex, vertex), EMPTY))
            result[vertex] = dot(result[vertex], loop)
            later = inside[position + 1 :]
            onward = [(y, arrow[vertex, y]) for y in later if (vertex, y) in arrow]
            for y, label in onward:
                result[y] = union(result[y], dot(result[vertex], label))
            for x in later:
                if (x, vertex) in arrow:
                    back = arrow[x, vertex] = dot(arrow[x, vertex], loop)
                    for y, label in onward:
                        arrow[x, y] = union(arrow.get((x, y), EMPTY), dot(back, label))
        for position in range(len(inside) - 1, -1, -1):
            for x in inside[position + 1 :]:
                if (x, inside[position]) in arrow:
                    back = dot(result[x], arrow[x, inside[position]])
                    result[inside[position]] = union(result[inside[position]], back)
    return result
