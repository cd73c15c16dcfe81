"""The control-flow graph of one method while it is read: a location for each step of Zing, edges patched as they close.

Every location knows its scope, its atomic region (0: none) and its innermost `try`.  When the method is complete, an
edge keeps on where it stays inside its region, and forgets the variables of the scopes that it leaves.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import Span
from knaster.base.records import dataclass, field
from knaster.frontends.zing.nested_calls import NestedCalls
from knaster.program.expression import TRUE, Expr, Not
from knaster.program.model import Action, Assume, Edge, Location, Procedure, Return, result_name
from knaster.program.objects import Handler
from knaster.program.types import BOOL, Type

SKIP = Assume(TRUE)
EXIT = -1  # where a return leads until the locations are counted


@dataclass(slots=True)
class Draft:
    """An edge whose target may not be known yet."""

    source: Location
    action: Action
    span: Span
    target: Location | None = None
    failure: int = -1  # the number of the assert that it fails
    leaves: bool = False  # it ends its atomic region


@dataclass(slots=True)
class Label:
    """A label: where it stands, and in which region its statement would be without its own."""

    location: Location | None
    region: int


@dataclass(slots=True)
class Try:
    """A `try`: the one around it, and its handlers in order."""

    outer: int
    handlers: list[tuple[str | None, Location]] = field(default_factory=list)


@dataclass(slots=True)
class Graph:
    """One method."""

    drafts: list[Draft] = field(default_factory=list)
    scopes: list[int] = field(default_factory=list)  # of each location
    regions: list[int] = field(default_factory=list)
    tries: list[int] = field(default_factory=list)
    outer: list[int] = field(default_factory=lambda: [-1])  # the scope around each scope
    owned: list[list[str]] = field(default_factory=lambda: [[]])  # the variables of each scope
    blocks: list[Try] = field(default_factory=list)
    labels: dict[str, Label] = field(default_factory=dict)
    jumps: list[tuple[Draft, int, str]] = field(default_factory=list)  # the token of the label
    open: list[Draft] = field(default_factory=list)  # edges that lead to the next location
    waiting: list[Label] = field(default_factory=list)  # labels of the next location
    scope: int = 0
    region: int = 0
    trying: int = -1
    asserts: int = 0
    count_regions: int = 0
    nested: NestedCalls | None = None  # takes calls out of expressions
    outside: int | None = None  # the scope of the statement whose expressions call something

    def enter(self) -> Location:
        """Return a new location, to which everything open leads."""
        location = len(self.scopes)
        self.scopes.append(self.scope)
        self.regions.append(self.region)
        self.tries.append(self.trying)
        self.lead(self.open, location)
        self.open = []
        for label in self.waiting:
            label.location = location
        self.waiting = []
        return location

    def lead(self, drafts: Iterable[Draft], location: Location) -> None:
        """Let edges lead to a location."""
        for draft in drafts:
            draft.target = location

    def add(self, location: Location, action: Action, span: Span) -> Draft:
        """Return a new edge that leaves a location."""
        draft = Draft(location, action, span)
        self.drafts.append(draft)
        return draft

    def step(self, action: Action, span: Span) -> Draft:
        """Add a statement that goes on behind it; calls in its expressions are steps before it."""
        draft = self.plain_step(self._without_calls(action, span), span)
        self._end_values()
        return draft

    def plain_step(self, action: Action, span: Span) -> Draft:
        """Add a step whose expressions call nothing."""
        draft = self.add(self.enter(), action, span)
        self.open = [draft]
        return draft

    def branch(self, condition: Expr, span: Span) -> tuple[Draft, Draft]:
        """Add a test; return where it goes if it holds, and if it does not."""
        test = self._without_calls(Assume(condition), span)
        assert isinstance(test, Assume)
        drafts = self.plain_branch(test.condition, span)
        self._end_values()
        return drafts

    def plain_branch(self, condition: Expr, span: Span) -> tuple[Draft, Draft]:
        """Add a test that calls nothing."""
        location = self.enter()
        return self.add(location, Assume(condition), span), self.add(location, Assume(Not(condition)), span)

    def _without_calls(self, action: Action, span: Span) -> Action:
        return action if self.nested is None else self.nested.take_out(action, span)

    def begin_values(self) -> None:
        """Begin the scope of the values that calls inside expressions leave, once for a statement."""
        if self.outside is None:
            self.outside = self.scope
            self.begin_scope()

    def _end_values(self) -> None:
        if self.outside is not None:
            self.end_scope()
            self.outside = None

    def check(self, condition: Expr, span: Span) -> None:
        """Add an assertion."""
        holds, fails = self.branch(condition, span)
        fails.failure = self.asserts
        self.asserts += 1
        self.open = [holds]

    def leave(self, values: tuple[Expr, ...], span: Span) -> None:
        """Add a return."""
        self.step(Return(values), span).target = EXIT
        self.open = []

    def begin_scope(self) -> None:
        """Enter a block."""
        self.outer.append(self.scope)
        self.owned.append([])
        self.scope = len(self.outer) - 1

    def end_scope(self) -> None:
        """Leave it."""
        self.scope = self.outer[self.scope]

    def begin_region(self) -> int:
        """Enter an atomic block; return the region around it."""
        before = self.region
        if not before:
            self.count_regions += 1
            self.region = self.count_regions
        return before

    def end_region(self, before: int, span: Span) -> None:
        """Leave it by a step of its own."""
        self.step(SKIP, span).leaves = not before
        self.region = before

    def build(
        self, name: str, parameters: tuple[str, ...], results: list[Type], types: dict[str, Type], span: Span
    ) -> Procedure:
        """Return the procedure.  Requires: every edge leads somewhere."""
        size = len(self.scopes)
        failures = tuple(range(size + 1, size + 1 + self.asserts))
        edges = [self._edge(draft, size) for draft in self.drafts]
        edges.sort(key=lambda edge: edge.source)
        typed = [*types.items(), *((result_name(index), type) for index, type in enumerate(results))]
        return Procedure(
            name,
            parameters,
            tuple(result_name(index) for index in range(len(results))),
            tuple(variable for variable in types if variable not in parameters),
            0,
            size,
            tuple(edges),
            tuple((label, place.location) for label, place in self.labels.items() if place.location is not None),
            failures,
            span=span,
            types=tuple((variable, type) for variable, type in typed if type != BOOL),
            handlers=tuple(self._handlers()),
        )

    def _edge(self, draft: Draft, exit: Location) -> Edge:
        if draft.failure >= 0:
            return Edge(draft.source, draft.action, exit + 1 + draft.failure, draft.span)
        assert draft.target is not None
        if draft.target == EXIT:
            return Edge(draft.source, draft.action, exit, draft.span)
        keeps = self.regions[draft.source] != 0 and not draft.leaves
        forgets = self._left_variables(self.scopes[draft.source], self.scopes[draft.target])
        return Edge(draft.source, draft.action, draft.target, draft.span, keeps=keeps, forgets=forgets)

    def _left_variables(self, source: int, target: int) -> tuple[str, ...]:
        """Return the variables of the scopes that an edge leaves."""
        if source == target:
            return ()
        kept = set()
        while target >= 0:
            kept.add(target)
            target = self.outer[target]
        found: list[str] = []
        while source not in kept:
            found += self.owned[source]
            source = self.outer[source]
        return tuple(found)

    def _handlers(self) -> Iterable[Handler]:
        for location, block in enumerate(self.tries):
            while block >= 0:
                for exception, target in self.blocks[block].handlers:
                    yield Handler(location, exception, target)
                block = self.blocks[block].outer
