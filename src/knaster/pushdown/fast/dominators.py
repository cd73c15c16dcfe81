"""Reverse post-order and immediate dominators of a directed graph with a root.

Lengauer and Tarjan, A fast algorithm for finding dominators in a flowgraph (TOPLAS 1(1), 1979), the simple version with
path compression, without recursion: O(m log n).

Notation: vertices are 0 … n-1.  d dominates v if every path from the root to v goes through d; the immediate dominator
is the closest one other than v.  Numbers below are preorder numbers of a depth-first search: `semi` the semidominator,
`ancestor` the forest of the search that has been processed, `best` a vertex of least `semi` on the way to its root.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.graphs import depth_first
from knaster.base.records import dataclass

ABSENT = -1


@dataclass(frozen=True, slots=True)
class Flow:
    """The vertices that the root reaches in reverse post-order, the root first, and the dominator tree.

    `dominator[v]` is the immediate dominator of v; `ABSENT` for the root and for what it does not reach.
    """

    order: list[int]
    dominator: list[int]


def analyze_flow(successors: Sequence[Sequence[int]], root: int = 0) -> Flow:
    """Return reverse post-order and dominator tree of the part of a graph that `root` reaches."""
    parent, postorder = depth_first([root], successors.__getitem__)
    preorder = list(parent)
    count = len(preorder)
    number = [ABSENT] * len(successors)
    for position, vertex in enumerate(preorder):
        number[vertex] = position
    before: list[list[int]] = [[] for _ in range(count)]
    for position, vertex in enumerate(preorder):
        for target in successors[vertex]:
            before[number[target]].append(position)
    tree = [ABSENT if above is None else number[above] for above in parent.values()]
    immediate = _immediate_dominators(before, tree)
    dominator = [ABSENT] * len(successors)
    for position in range(1, count):
        dominator[preorder[position]] = preorder[immediate[position]]
    return Flow(postorder[::-1], dominator)


def _immediate_dominators(before: Sequence[Sequence[int]], tree: Sequence[int]) -> list[int]:
    """Return the immediate dominator of every vertex but 0; everything in preorder numbers."""
    count = len(before)
    semi = list(range(count))
    best = list(range(count))
    ancestor = [ABSENT] * count
    dominator = [0] * count
    bucket: list[list[int]] = [[] for _ in range(count)]
    for vertex in range(count - 1, 0, -1):
        for source in before[vertex]:
            lowest = semi[_best(source, ancestor, best, semi)]
            if lowest < semi[vertex]:
                semi[vertex] = lowest
        bucket[semi[vertex]].append(vertex)
        above = tree[vertex]
        ancestor[vertex] = above
        for waiting in bucket[above]:
            candidate = _best(waiting, ancestor, best, semi)
            dominator[waiting] = candidate if semi[candidate] < semi[waiting] else above
        bucket[above].clear()
    for vertex in range(1, count):
        if dominator[vertex] != semi[vertex]:
            dominator[vertex] = dominator[dominator[vertex]]
    return dominator


def _best(vertex: int, ancestor: list[int], best: list[int], semi: list[int]) -> int:
    """Return a vertex of least `semi` on the forest path above `vertex`, itself included, its root excluded."""
    if ancestor[vertex] == ABSENT:
        return vertex
    path = []
    while ancestor[ancestor[vertex]] != ABSENT:
        path.append(vertex)
        vertex = ancestor[vertex]
    top = ancestor[vertex]
    lowest = best[vertex]
    for each in reversed(path):
        if semi[best[each]] > semi[lowest]:
            best[each] = lowest
        else:
            lowest = best[each]
        ancestor[each] = top
    return lowest
