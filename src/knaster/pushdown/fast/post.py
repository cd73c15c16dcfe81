"""The productions of post*: how the dependence graph of a forward question grows and shrinks.

Lal (PhD thesis, University of Wisconsin, 2009), Figure 2.14 and, with merge functions, Figure 3.13 in the argument
order of Figure 3.4; (n) is production n.  All paths of an intragraph end in one state, so the intragraph of a vertex
is its target state; the callee entered at <p', g'> is that of mid = p'_g'.  Its out-nodes are the empty transitions.

The transitions that leave mid, production (6), are the configurations in which callers wait: edges lead to them, none
lead on.  Transitions that become underivable by removing rules keep their vertices: no path leads there any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Generic, TypeVar

from knaster.pushdown.fast.dependence import DependenceGraph, EdgeList
from knaster.pushdown.fast.expression import EPSILON, Expressions
from knaster.pushdown.fast.regions import ROOT, Edge
from knaster.pushdown.fast.rule_numbers import LOW, SHIFT, NumberedRules, pack, state_of, symbol_of
from knaster.pushdown.numbering import NONE, NumberedAutomaton
from knaster.pushdown.tick import EACH, Tick

W = TypeVar("W")


class PostDependence(Generic[W]):
    """The dependence graph of post* from an automaton; `touched` are the intragraphs that changed."""

    forward = False

    def __init__(
        self,
        rules: NumberedRules[W],
        automaton: NumberedAutomaton[W],
        expressions: Expressions[W],
        tick: Tick | None = None,
    ) -> None:
        self.graph = DependenceGraph()
        self.touched: set[int] = set()
        self.middle: list[int] = []  # p' << 32 | g' of every state that was added
        self.below: dict[int, None] = {}  # the vertices that read symbols below the top of the stack
        self._rules = rules
        self._automaton = automaton
        self._expressions = expressions
        self._tick = tick
        self._firing: dict[int, int] = {}  # key -> the last rule with this left side
        self._next_rule: list[int] = []  # rule -> another one with the same left side
        self._middle: dict[int, int] = {}  # key (p', g') -> mid
        self._calls: defaultdict[int, dict[tuple[int, int], None]] = defaultdict(dict)  # mid -> caller, rule
        self._returns: defaultdict[int, list[int]] = defaultdict(list)  # q -> empty transitions into q
        self._reading: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)  # q -> symbol, target, weight
        self._edges: defaultdict[int, EdgeList] = defaultdict(EdgeList)
        self._gone: defaultdict[int, list[Edge]] = defaultdict(list)
        self._next = 0
        self._start()

    def intragraph(self, vertex: int) -> int:
        """Return the intragraph of a vertex."""
        return self.graph.target[vertex]

    def members(self, intragraph: int) -> Sequence[int]:
        """Return the vertices of an intragraph."""
        return list(self.graph.index[intragraph].values())

    def edges(self, intragraph: int) -> EdgeList:
        """Return the edges of an intragraph."""
        return self._edges[intragraph]

    def add(self, numbers: Sequence[int]) -> None:
        """Let more rules fire, from all vertices that there are."""
        left = self._rules.left
        self._next_rule.extend([NONE] * (len(left) - len(self._next_rule)))
        for r in numbers:
            self._next_rule[r] = self._firing.get(left[r], NONE)
            self._firing[left[r]] = r
        if self._next:
            for r in numbers:
                for t in list(self.graph.vertices_with(self._rules.left[r])):
                    if t < self._next:
                        self._fire(t, r)
        self._grow()

    def remove(self, numbers: Sequence[int]) -> None:
        """Let some rules fire no more."""
        rules, graph = self._rules, self.graph
        for r in numbers:
            self._unlink(r)
            for t in graph.vertices_with(rules.left[r]):
                q, leaf = graph.target[t], rules.leaf(r)
                if rules.second[r] == NONE:  # (2), (4)
                    self._disconnect(t, graph.vertex(rules.head[r], q), leaf)
                    continue
                mid = self._middle[rules.head[r]]
                del self._calls[mid][t, r]
                self._disconnect(t, graph.vertex(pack(mid, rules.second[r]), q), leaf)  # (6)
                for returned in self._returns[mid]:  # (3)
                    head = graph.vertex(pack(state_of(graph.key[returned]), rules.second[r]), q)
                    self._disconnect(t, head, rules.completed_call(r, self._expressions.variable(returned)))
        for q, edges in self._gone.items():
            self._edges[q].remove(edges)
        self._gone.clear()

    def _start(self) -> None:
        """Add the transitions of the automaton (1)."""
        automaton, make = self._automaton, self._expressions
        edges = zip(automaton.source, automaton.symbol, automaton.target, automaton.weight, strict=True)
        for source, symbol, target, weight in edges:
            label = make.weight(weight)
            vertex = self.graph.vertex(pack(source, symbol), target)
            self._connect(ROOT, vertex, label)
            if source >= automaton.controls:
                self.below[vertex] = None
                self._reading[source].append((symbol, target, label))

    def _grow(self) -> None:
        """Apply all productions to the vertices that were not looked at yet, with a tick now and then."""
        while self._next < len(self.graph):
            if self._tick is not None:
                self._tick()
            self._look(min(len(self.graph), self._next + EACH))

    def _look(self, end: int) -> None:
        """Apply all productions to the vertices below `end` that were not looked at yet.

        Productions (2) and (4) are written out: they make most of the graph.
        """
        graph, rules, firing, controls = self.graph, self._rules, self._firing, self._automaton.controls
        keys, targets, seconds, heads, leaves = graph.key, graph.target, rules.second, rules.head, rules.leaves
        following = self._next_rule
        while self._next < end:
            t = self._next
            self._next += 1
            key, q = keys[t], targets[t]
            if not key & LOW:
                self._return(t)
                continue
            r = firing.get(key, NONE)
            if r == NONE or key >> SHIFT >= controls:
                continue
            places, edges = graph.index[q], self._edges[q]
            self.touched.add(q)
            while r != NONE:
                if seconds[r] == NONE:  # (2), (4)
                    head, label = heads[r], leaves[r]
                    vertex = places.get(head)
                    if vertex is None:
                        vertex = places[head] = len(keys)
                        keys.append(head)
                        targets.append(q)
                    edges.source.append(t)
                    edges.vertex.append(vertex)
                    edges.label.append(rules.leaf(r) if label == NONE else label)
                else:
                    self._fire(t, r)
                r = following[r]

    def _unlink(self, r: int) -> None:
        """Take a rule out of the list of its left side."""
        left, following = self._rules.left[r], self._next_rule
        before = self._firing[left]
        if before == r:
            if following[r] == NONE:
                del self._firing[left]
            else:
                self._firing[left] = following[r]
            return
        while following[before] != r:
            before = following[before]
        following[before] = following[r]

    def _fire(self, t: int, r: int) -> None:
        rules, graph = self._rules, self.graph
        q = graph.target[t]
        if rules.second[r] == NONE:  # (2), (4)
            self._connect(t, graph.vertex(rules.head[r], q), rules.leaf(r))
            return
        mid = self._middle_state(rules.head[r])
        self._calls[mid][t, r] = None
        below = graph.vertex(pack(mid, rules.second[r]), q)
        self.below[below] = None
        self._connect(t, below, rules.leaf(r))  # (6)
        for returned in self._returns[mid]:  # (3)
            self._complete(t, r, returned)

    def _return(self, t: int) -> None:
        """Let all callers of a callee that has returned, and all readers of the automaton, go on (3)."""
        graph = self.graph
        q, p = graph.target[t], state_of(graph.key[t])
        self._returns[q].append(t)
        for caller, r in self._calls[q]:
            self._complete(caller, r, t)
        for symbol, target, weight in self._reading[q]:
            label = self._expressions.product(weight, self._expressions.variable(t))
            self._connect(ROOT, graph.vertex(pack(p, symbol), target), label)

    def _complete(self, caller: int, r: int, returned: int) -> None:
        graph = self.graph
        head = graph.vertex(pack(state_of(graph.key[returned]), self._rules.second[r]), graph.target[caller])
        self._connect(caller, head, self._rules.completed_call(r, self._expressions.variable(returned)))

    def _middle_state(self, head: int) -> int:
        """Return mid for the entry of a callee, and let the callee start (5)."""
        mid = self._middle.get(head)
        if mid is None:
            mid = self._middle[head] = len(self._automaton.states.names) + len(self.middle)
            self.middle.append(state_of(head) << SHIFT | symbol_of(head))
            self._connect(ROOT, self.graph.vertex(head, mid), EPSILON)
        return mid

    def _connect(self, source: int, vertex: int, label: int) -> None:
        q = self.graph.target[vertex]
        self._edges[q].add(source, vertex, label)
        self.touched.add(q)

    def _disconnect(self, source: int, vertex: int, label: int) -> None:
        q = self.graph.target[vertex]
        self._gone[q].append((source, vertex, label))
        self.touched.add(q)
