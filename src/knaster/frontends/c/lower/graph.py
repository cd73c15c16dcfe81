"""A control-flow graph that grows statement by statement.

Locations that only a jump connects are one location (union-find), so a graph has an edge for each thing that a program
does and none for how its text is nested.  At the end locations are numbered in the order of the text, then the exit,
then the failures.
"""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.frontends.c.lower.values import negate
from knaster.program.expression import FALSE, TRUE, Expr
from knaster.program.model import Action, Assume, Edge, Location

_Draft = tuple[Location, Action, Location, Span]


class Graph:
    """The graph of one function; `here` is where control stands, None after a jump."""

    def __init__(self) -> None:
        self.parent: list[Location] = []
        self.edges: list[_Draft] = []
        self.failures: list[Location] = []
        self.labels: list[tuple[str, Location]] = []
        self.left: set[Location] = set()  # roots that some edge leaves
        self.exit = self.new()
        self.entry = self.new()
        self.here: Location | None = self.entry
        self.span = Span(0, 0, 0)  # of the statement that is being read

    def new(self) -> Location:
        """Return a location that nothing leads to yet."""
        self.parent.append(len(self.parent))
        return len(self.parent) - 1

    def find(self, location: Location) -> Location:
        """Return the one location that stands for all that were joined with this one."""
        while self.parent[location] != location:
            self.parent[location] = self.parent[self.parent[location]]
            location = self.parent[location]
        return location

    def current(self) -> Location:
        """Return where control stands; after a jump, a location that nothing leads to."""
        if self.here is None:
            self.here = self.new()
        return self.here

    def emit(self, action: Action, span: Span, target: Location | None = None) -> None:
        """Add an edge from here; control stands at its end."""
        source = self.current()
        target = self.new() if target is None else target
        self.edges.append((source, action, target, span))
        self.left.add(self.find(source))
        self.here = target

    def enter(self, action: Action, span: Span) -> None:
        """Add an edge before all others."""
        before, self.entry = self.entry, self.new()
        self.edges.insert(0, (self.entry, action, before, span))
        self.left.add(self.entry)

    def jump(self, target: Location) -> None:
        """Go to a location; nothing stands here any more."""
        if self.here is not None:
            here, there = self.find(self.here), self.find(target)
            stuck = here == there or here in self.left or target in self.failures
            if stuck or (here == self.find(self.entry) and there == self.find(self.exit)):
                self.emit(Assume(TRUE), self.span, target)
            else:
                self.parent[here] = there
        self.here = None

    def place(self, location: Location) -> None:
        """Let control go on at a location."""
        if self.here is not None:
            self.jump(location)
        self.here = location

    def mark_undefined(self, kind: str, line: int, column: int) -> None:
        """Put labels of an undefined step here: `kind:line:column`, and `kind:line` where the line has no other one."""
        location, short = self.new(), f"{kind}:{line}"
        self.place(location)
        names = [f"{short}:{column}"] if short in dict(self.labels) else [short, f"{short}:{column}"]
        self.labels += [(name, location) for name in names]
        self.emit(Assume(TRUE), self.span)  # so that no jump makes it one with where others come to

    def branch(self, condition: Expr, yes: Location, no: Location, span: Span) -> None:
        """Go to `yes` where the condition holds, else to `no`."""
        if condition in (TRUE, FALSE) and no not in self.failures:
            self.jump(yes if condition == TRUE else no)
            return
        source = self.current()
        self.emit(Assume(condition), span, yes)
        self.here = source
        self.emit(Assume(negate(condition)), span, no)
        self.here = None

    def stop(self, span: Span) -> None:
        """End the run."""
        self.emit(Assume(TRUE), span)
        self.here = None

    def finish(
        self,
    ) -> tuple[Location, Location, tuple[Edge, ...], tuple[tuple[str, Location], ...], tuple[int, ...]]:
        """Return entry, exit, edges, labels and failures, numbered in the order of the text."""
        numbers: dict[Location, Location] = {}
        last = {self.find(self.exit), *map(self.find, self.failures)}
        places = dict.fromkeys([self.entry, *(end for source, _, target, _ in self.edges for end in (source, target))])
        labelled = {location for _, location in self.labels}
        for place in (*places, *(location for _, location in self.labels), *range(len(self.parent))):
            root = self.find(place)
            if root not in last and (root in numbers or place in places or place in labelled):
                numbers.setdefault(root, len(numbers))
        for place in (self.exit, *self.failures):
            numbers.setdefault(self.find(place), len(numbers))
        edges = [
            Edge(numbers[self.find(source)], action, numbers[self.find(target)], span)
            for source, action, target, span in self.edges
        ]
        edges.sort(key=lambda edge: edge.source)
        labels = tuple((name, numbers[self.find(location)]) for name, location in self.labels)
        failures = tuple(numbers[self.find(place)] for place in self.failures)
        return numbers[self.find(self.entry)], numbers[self.find(self.exit)], tuple(edges), labels, failures
