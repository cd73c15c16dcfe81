"""The transition dependence graph: which transition is made of which, by which rule.

Lal (PhD thesis, University of Wisconsin, 2009), Definition 4.1.1 and section 4.1.2.  A vertex is a transition that a
saturation without weights finds; an edge t → t' with a label w says that the weight of t' contains the weight of t
extended by w.  A production with two transitions on the right, a call, is an edge whose label contains the variable of
the callee's transition, its *out-node*.  Recording the productions finds the transitions, so one pass does both.

Vertices fall into *intragraphs*, which no edge joins.  `post.py` and `pre.py` tell which productions there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.pushdown.fast.paths import ROOT, Edge


class DependenceGraph:
    """Vertices with the edges into and out of each; vertex t is the transition (key[t], target[t]).

    `into[t]` are pairs (source, label), the source ROOT for what starts a path.
    """

    def __init__(self) -> None:
        self.key: list[int] = []
        self.target: list[int] = []
        self.into: list[list[Edge]] = []
        self.out: list[list[int]] = []
        self.index: dict[int, dict[int, int]] = {}  # target -> key -> vertex
        self._by_key: dict[int, list[int]] = {}
        self._indexed = 0

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
            self.into.append([])
            self.out.append([])
        return found

    def connect(self, source: int, vertex: int, label: int) -> None:
        """Add an edge."""
        self.into[vertex].append((source, label))
        if source != ROOT:
            self.out[source].append(vertex)

    def disconnect(self, source: int, vertex: int, label: int) -> None:
        """Remove one such edge."""
        self.into[vertex].remove((source, label))
        if source != ROOT:
            self.out[source].remove(vertex)

    def having(self, key: int) -> list[int]:
        """Return the vertices whose key is `key`, in ascending order."""
        for vertex in range(self._indexed, len(self.key)):
            self._by_key.setdefault(self.key[vertex], []).append(vertex)
        self._indexed = len(self.key)
        return self._by_key.get(key, [])


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
