"""A control-flow graph that knows which locals live where: an edge that leaves a block forgets its locals.

A local lives until its block is left, also where a jump goes back before its declaration (C17 6.2.4); an array of
variable length ends there.
"""

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

    def __init__(self, jumps: bool = False) -> None:
        self.jumps = jumps  # whether a jump may go back
        self.scope: Scope = frozenset()
        self.scopes: dict[Location, Scope] = {}
        self._blocks: list[set[str]] = [set()]  # those that are open, with the locals that live until their end
        self._open_at: dict[Location, tuple[set[str], ...]] = {}
        self._ended: dict[Location, frozenset[str]] = {}
        self._left_with: dict[Location, Scope] = {}  # what lives where an edge leaves, declared without a step too
        super().__init__()

    def emit(self, action: Action, span: Span, target: Location | None = None) -> None:
        """Add an edge from here; control stands at its end."""
        here = self.current()
        if here not in self.scopes:
            self._note(here)
        self._left_with[here] = self._left_with.get(here, self.scopes[here]) | self.scope
        super().emit(action, span, target)
        if target is None and self.here is not None:
            self._note(self.here)

    def open(self) -> None:
        """Begin a block."""
        self._blocks.append(set())

    def close(self) -> None:
        """End a block."""
        self._blocks.pop()

    def declare(self, name: str, until_here: bool = False) -> None:
        """Let a local be known from here on; `until_here`: a jump back before this place ends it."""
        self.scope |= {name}
        if not until_here:
            self._blocks[-1].add(name)

    def _note(self, location: Location) -> None:
        self.scopes[location] = self.scope
        if self.jumps:
            self._open_at[location] = tuple(self._blocks)

    def place(self, location: Location) -> None:
        """Let control go on at a location."""
        super().place(location)
        self._note(location)

    def forget(self, names: Iterable[str]) -> None:
        """Let variables end where control stands: whatever comes here forgets them."""
        if self.here is not None:
            here = self.find(self.here)
            self.scopes[here] = self.scopes.get(here, self.scope).difference(names)
            self._ended[here] = self._ended.get(here, frozenset()).union(names)

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
        before = self._left_with.get(source, self.scopes.get(source, frozenset())) | self._in_blocks(source)
        end = self.find(target)
        after = self.scopes.get(end, frozenset()) | (self._in_blocks(end) - self._ended.get(end, frozenset()))
        return tuple(sorted(before - after))

    def _in_blocks(self, location: Location) -> Scope:
        """Return the locals of the blocks that are open at a location, where a jump may have gone back to it."""
        return frozenset().union(*self._open_at.get(location, ()))


class _Marked:
    """An action with what is forgotten after it."""

    def __init__(self, action: Action, forgets: tuple[str, ...]) -> None:
        self.action, self.forgets = action, forgets


def _unmark(edge: Edge) -> Edge:
    marked = edge.action
    assert isinstance(marked, _Marked)
    return Edge(edge.source, marked.action, edge.target, edge.span, forgets=marked.forgets)
