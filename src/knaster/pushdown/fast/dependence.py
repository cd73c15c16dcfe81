"""The transition dependence graph: which transition is made of which, by which rule.

Lal (PhD thesis, University of Wisconsin, 2009), Definition 4.1.1 and section 4.1.2.  A vertex is a transition that a
saturation without weights finds; an edge t → t' with a label w says that the weight of t' contains the weight of t
extended by w.  A production with two transitions on the right, a call, is an edge whose label contains the variable of
the callee's transition, its *out-node*.  Recording the productions finds the transitions, so one pass does both.

Vertices fall into *intragraphs*, which no edge joins.  `post.py` and `pre.py` tell which productions there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from knaster.pushdown.fast.regions import Edge


class EdgeList:
    """The edges (source, vertex, label) of an intragraph, the source ROOT for what starts a path; by column.

    Flat columns rather than objects: a graph has hundreds of thousands of edges, and Python's garbage collector looks
    at every object again and again.
    """

    __slots__ = ("label", "source", "vertex")

    def __init__(self) -> None:
        self.source: list[int] = []
        self.vertex: list[int] = []
        self.label: list[int] = []

    def __len__(self) -> int:
        return len(self.source)

    def __iter__(self) -> Iterator[Edge]:
        return zip(self.source, self.vertex, self.label, strict=True)

    def add(self, source: int, vertex: int, label: int) -> None:
        """Add an edge."""
        self.source.append(source)
        self.vertex.append(vertex)
        self.label.append(label)

    def update(self, other: EdgeList) -> None:
        """Add all edges of another list."""
        self.source += other.source
        self.vertex += other.vertex
        self.label += other.label

    def remove(self, edges: Sequence[Edge]) -> None:
        """Remove edges, each as often as it is given."""
        gone = Counter(edges)
        kept = []
        for edge in self:
            if gone[edge]:
                gone[edge] -= 1
            else:
                kept.append(edge)
        self.source, self.vertex, self.label = ([edge[column] for edge in kept] for column in range(3))


class DependenceGraph:
    """The vertices; vertex t is the transition (key[t], target[t])."""

    def __init__(self) -> None:
        self.key: list[int] = []
        self.target: list[int] = []
        self.index: dict[int, dict[int, int]] = {}  # target -> key -> vertex
        self._last: dict[int, int] = {}  # key -> the last vertex that has it
        self._previous: list[int] = []  # vertex -> the one before it with the same key

    def __len__(self) -> int:
        return len(self.key)

    def vertex(self, key: int, target: int) -> int:
        """Return the vertex of a transition, a new one if it is new."""
        places = self.index.get(target)
        if places is None:
            places = self.index[target] = {}
        found = places.get(key)
        if found is None:
            found = places[key] = len(self.key)
            self.key.append(key)
            self.target.append(target)
        return found

    def vertices_with(self, key: int) -> list[int]:
        """Return the vertices whose key is `key`, in ascending order."""
        for vertex in range(len(self._previous), len(self.key)):
            self._previous.append(self._last.get(self.key[vertex], -1))
            self._last[self.key[vertex]] = vertex
        found = []
        vertex = self._last.get(key, -1)
        while vertex >= 0:
            found.append(vertex)
            vertex = self._previous[vertex]
        return found[::-1]


class Partition:
    """Which vertices belong together: classes that can be united."""

    def __init__(self) -> None:
        self._parent: list[int] = []
        self._members: dict[int, list[int]] = {}

    def grow(self, count: int) -> None:
        """Let there be vertices 0 … count-1; new ones are alone."""
        for vertex in range(len(self._parent), count):
            self._parent.append(vertex)
            self._members[vertex] = [vertex]

    def find(self, vertex: int) -> int:
        """Return the representative of the class of a vertex."""
        parent = self._parent
        while parent[vertex] != vertex:
            parent[vertex] = parent[parent[vertex]]
            vertex = parent[vertex]
        return vertex

    def unite(self, first: int, second: int) -> int:
        """Make one class of two; return its representative."""
        one, other = self.find(first), self.find(second)
        if one == other:
            return one
        if len(self._members[one]) < len(self._members[other]):
            one, other = other, one
        self._parent[other] = one
        self._members[one] += self._members.pop(other)
        return one

    def members(self, representative: int) -> Sequence[int]:
        """Return the vertices of a class."""
        return self._members[representative]
