"""A control-flow graph that knows which locals live where: an edge that leaves a block forgets its locals."""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import Span
from knaster.frontends.c.lower.graph import Graph
from knaster.program.expression import TRUE
from knaster.program.memory import Begin, Invoke
from knaster.program.model import Action, Assume, Call, Edge, Location

Scope = frozenset[str]


class ScopedGraph(Graph):
    """The graph of one function; `scope` has the locals that are declared where control stands."""

    def __init__(self) -> None:
        self.scope: Scope = frozenset()
        self.scopes: dict[Location, Scope] = {}
        self._left_with: dict[Location, Scope] = {}  # what lives where an edge leaves, declared without a step too
        super().__init__()

    def emit(self, action: Action, span: Span, target: Location | None = None) -> None:
        """Add an edge from here; control stands at its end."""
        here = self.current()
        self.scopes.setdefault(here, self.scope)
        self._left_with[here] = self._left_with.get(here, self.scopes[here]) | self.scope
        super().emit(action, span, target)
        if target is None and self.here is not None:
            self.scopes[self.here] = self.scope

    def place(self, location: Location) -> None:
        """Let control go on at a location."""
        super().place(location)
        self.scopes[location] = self.scope

    def forget(self, names: Iterable[str]) -> None:
        """Let variables end where control stands: whatever comes here forgets them."""
        if self.here is not None:
            here = self.find(self.here)
            self.scopes[here] = self.scopes.get(here, self.scope).difference(names)

    def finish(
        self,
    ) -> tuple[Location, Location, tuple[Edge, ...], tuple[tuple[str, Location], ...], tuple[int, ...]]:
        """Return entry, exit, edges, labels and failures; each edge forgets what does not live after it."""
        self._end_after_calls()
        self.edges = [
            (source, _Marked(action, self._forgets(source, target)), target, span)  # type: ignore[misc]
            for source, action, target, span in self.edges
        ]
        entry, leave, edges, labels, failures = super().finish()
        return entry, leave, tuple(map(_unmark, edges)), labels, failures

    def _end_after_calls(self) -> None:
        """Let objects end by an edge of its own where a call leaves their block: whoever is called may use them."""
        objects = {action.name for _, action, _, _ in self.edges if isinstance(action, Begin)}
        for number, (source, action, target, span) in enumerate(list(self.edges)):
            if isinstance(action, Call | Invoke) and objects.intersection(self._forgets(source, target)):
                after = self.new()
                self.scopes[after] = self.scopes[source]
                self.edges[number] = source, action, after, span
                self.edges.append((after, Assume(TRUE), target, span))

    def _forgets(self, source: Location, target: Location) -> tuple[str, ...]:
        before = self._left_with.get(source, self.scopes.get(source, frozenset()))
        return tuple(sorted(before - self.scopes.get(self.find(target), frozenset())))


class _Marked:
    """An action with what is forgotten after it."""

    def __init__(self, action: Action, forgets: tuple[str, ...]) -> None:
        self.action, self.forgets = action, forgets


def _unmark(edge: Edge) -> Edge:
    marked = edge.action
    assert isinstance(marked, _Marked)
    return Edge(edge.source, marked.action, edge.target, edge.span, forgets=marked.forgets)
