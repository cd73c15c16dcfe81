"""The productions of pre*: how the dependence graph of a backward question grows and shrinks.

Lal (PhD thesis, University of Wisconsin, 2009), Figure 2.13 and, with merge functions, Figure 3.9; (n) is production n.
A path runs against the direction of time, so its last edge happens first.  Out-nodes are the transitions of callees.
An intragraph is a connected component; removing rules does not take one apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Generic, TypeVar

from knaster.pushdown.fast.dependence import DependenceGraph, EdgeList, Partition
from knaster.pushdown.fast.expression import Expressions
from knaster.pushdown.fast.regions import ROOT, Edge
from knaster.pushdown.fast.rule_numbers import NumberedRules, pack
from knaster.pushdown.numbering import NONE, NumberedAutomaton
from knaster.pushdown.tick import EACH, Tick

W = TypeVar("W")


class PreDependence(Generic[W]):
    """The dependence graph of pre* of an automaton; `touched` are the intragraphs that changed."""

    forward = True

    def __init__(
        self,
        rules: NumberedRules[W],
        automaton: NumberedAutomaton[W],
        expressions: Expressions[W],
        tick: Tick | None = None,
    ) -> None:
        self.graph = DependenceGraph()
        self.touched: set[int] = set()
        self.middle: list[int] = []  # pre* adds no state
        self._rules = rules
        self._controls = automaton.controls
        self._expressions = expressions
        self._tick = tick
        self._partition = Partition()
        self._steps: dict[int, list[int]] = {}
        self._pushes: dict[int, list[int]] = {}
        self._leaving: defaultdict[int, list[int]] = defaultdict(list)  # key -> transitions looked at
        self._pending: defaultdict[int, dict[tuple[int, int], int]] = defaultdict(dict)  # key -> (rule, callee), label
        self._edges: defaultdict[int, EdgeList] = defaultdict(EdgeList)
        self._gone: defaultdict[int, list[Edge]] = defaultdict(list)
        self._next = 0
        edges = zip(automaton.source, automaton.symbol, automaton.target, automaton.weight, strict=True)
        for source, symbol, target, weight in edges:  # (1)
            self._connect(ROOT, self.graph.vertex(pack(source, symbol), target), expressions.weight(weight))

    @property
    def below(self) -> range:
        """The vertices that read symbols below the top of the stack: all of them may."""
        return range(len(self.graph))

    def intragraph(self, vertex: int) -> int:
        """Return the intragraph of a vertex."""
        return self._partition.find(vertex)

    def members(self, intragraph: int) -> Sequence[int]:
        """Return the vertices of an intragraph."""
        return self._partition.members(intragraph)

    def edges(self, intragraph: int) -> EdgeList:
        """Return the edges of an intragraph."""
        return self._edges[intragraph]

    def add(self, numbers: Sequence[int]) -> None:
        """Let more rules fire, from all vertices that there are."""
        rules = self._rules
        for r in numbers:
            if rules.pops[r]:  # (2)
                self._connect(ROOT, self.graph.vertex(rules.left[r], rules.to[r]), rules.leaf(r))
            else:
                index = self._steps if rules.second[r] == NONE else self._pushes
                index.setdefault(rules.head[r], []).append(r)
                for t in list(self._leaving.get(rules.head[r], ())):
                    (self._step if rules.second[r] == NONE else self._call)(t, r)
        self._grow()

    def remove(self, numbers: Sequence[int]) -> None:
        """Let some rules fire no more."""
        rules, graph = self._rules, self.graph
        for r in numbers:
            if rules.pops[r]:
                self._disconnect(ROOT, graph.vertex(rules.left[r], rules.to[r]), rules.leaf(r))
                continue
            (self._steps if rules.second[r] == NONE else self._pushes)[rules.head[r]].remove(r)
            for t in self._leaving.get(rules.head[r], ()):
                if rules.second[r] == NONE:  # (3)
                    self._disconnect(t, graph.vertex(rules.left[r], graph.target[t]), rules.leaf(r))
                    continue
                follows = pack(graph.target[t], rules.second[r])
                label = self._pending[follows].pop((r, t))
                for after in self._leaving.get(follows, ()):  # (4)
                    self._disconnect(after, graph.vertex(rules.left[r], graph.target[after]), label)
        for part, edges in self._gone.items():
            self._edges[part].remove(edges)
        self._gone.clear()

    def _grow(self) -> None:
        """Apply all productions to the vertices that were not looked at yet, with a tick now and then."""
        while self._next < len(self.graph):
            if self._tick is not None:
                self._tick()
            self._look(min(len(self.graph), self._next + EACH))

    def _look(self, end: int) -> None:
        """Apply all productions to the vertices below `end` that were not looked at yet."""
        graph = self.graph
        while self._next < end:
            t = self._next
            self._next += 1
            key = graph.key[t]
            for (r, _), label in self._pending.get(key, {}).items():  # (4), t is what follows the callee
                self._connect(t, graph.vertex(self._rules.left[r], graph.target[t]), label)
            self._leaving[key].append(t)
            for r in self._steps.get(key, ()):
                self._step(t, r)
            for r in self._pushes.get(key, ()):
                self._call(t, r)

    def _step(self, t: int, r: int) -> None:
        self._connect(t, self.graph.vertex(self._rules.left[r], self.graph.target[t]), self._rules.leaf(r))  # (3)

    def _call(self, t: int, r: int) -> None:
        """Let the callee's transition t take part in a call by the push rule r (4)."""
        rules, graph = self._rules, self.graph
        returned = graph.target[t] < self._controls
        callee = self._expressions.variable(t)
        label = rules.completed_call(r, callee) if returned else rules.unfinished_call(r, callee)
        follows = pack(graph.target[t], rules.second[r])
        self._pending[follows][r, t] = label
        for after in self._leaving.get(follows, ()):
            self._connect(after, graph.vertex(rules.left[r], graph.target[after]), label)

    def _connect(self, source: int, vertex: int, label: int) -> None:
        partition = self._partition
        partition.grow(len(self.graph))
        part = partition.find(vertex)
        if source != ROOT and (other := partition.find(source)) != part:
            joined = partition.unite(part, other)
            lost = other if joined == part else part
            self._edges[joined].update(self._edges.pop(lost, EdgeList()))
            self.touched.discard(lost)
            part = joined
        self._edges[part].add(source, vertex, label)
        self.touched.add(part)

    def _disconnect(self, source: int, vertex: int, label: int) -> None:
        part = self._partition.find(vertex)
        self._gone[part].append((source, vertex, label))
        self.touched.add(part)
