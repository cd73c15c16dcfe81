"""A procedure while it is read: its control-flow graph, locations in the order of the text, edges patched later.

A `Draft` also has the names that can only be resolved at the end of the text.

`open` holds the edges that lead to the next statement.  A block remembers what waits for its end: the edge that leaves
the condition when it is false and, for an `if`, the open edges of the branches that are already closed.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.program.expression import TRUE, Expr, Not
from knaster.program.model import Action, Assume, Edge, Location, Procedure, result_name

SKIP = Assume(TRUE)
_NOWHERE = -1


@dataclass(slots=True)
class Block:
    """An `if` or `while` that is not closed yet.  `otherwise` is the edge for a false condition, None behind `else`.

    `at` is the token of its keyword, `else_if` that of an `else` with an `if` directly behind it, `inner_else_if` that
    of one in a block inside that is closed; `is_broken` says that its head was refused.
    """

    keyword: str
    head: Location
    otherwise: int | None
    at: int
    is_broken: bool = False
    else_if: int | None = None
    inner_else_if: int | None = None
    closed: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Graph:
    """The control-flow graph of one procedure as it grows."""

    sources: list[Location] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    targets: list[Location] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    failing: list[int] = field(default_factory=list)  # the edge of each assert that leads to its failure
    leaving: list[int] = field(default_factory=list)  # the edges that lead to the exit
    size: int = 0

    def enter(self) -> Location:
        """Begin a statement: every open edge leads here."""
        location = self.size
        self.size += 1
        for edge in self.open:
            self.targets[edge] = location
        return location

    def add(self, source: Location, action: Action, span: Span, target: Location = _NOWHERE) -> int:
        """Add an edge and return its index."""
        self.sources.append(source)
        self.actions.append(action)
        self.targets.append(target)
        self.spans.append(span)
        return len(self.sources) - 1

    def step(self, action: Action, span: Span) -> int:
        """Add a statement that goes on to the next one; return its edge."""
        location = self.size  # what `enter` and `add` do, written out: most statements come this way
        self.size = location + 1
        targets = self.targets
        for edge in self.open:
            targets[edge] = location
        edge = len(targets)
        self.sources.append(location)
        self.actions.append(action)
        targets.append(_NOWHERE)
        self.spans.append(span)
        self.open = [edge]
        return edge

    def leave(self, action: Action, span: Span) -> int:
        """Add a statement that goes to the exit; return its edge."""
        edge = self.add(self.enter(), action, span)
        self.leaving.append(edge)
        self.open = []
        return edge

    def check(self, condition: Expr, span: Span) -> None:
        """Add an assertion."""
        location = self.enter()
        self.open = [self.add(location, Assume(condition), span)]
        self.failing.append(self.add(location, Assume(Not(condition)), span))

    def branch(self, condition: Expr, span: Span) -> tuple[Location, int]:
        """Add a condition; the edge for true is open, the one for false is returned with the location."""
        location = self.enter()
        self.open = [self.add(location, Assume(condition), span)]
        return location, self.add(location, Assume(Not(condition)), span)

    def open_block(self, keyword: str, condition: Expr, span: Span, at: int, is_broken: bool = False) -> None:
        """Begin an `if` or `while` whose keyword is token `at`."""
        head, otherwise = self.branch(condition, span)
        self.blocks.append(Block(keyword, head, otherwise, at, is_broken))

    def next_branch(self) -> Block:
        """Go on behind `else` or `elsif`: what was open waits for the end, a false condition leads here."""
        block = self.blocks[-1]
        block.closed = _merge(block.closed, self.open)
        self.open = [] if block.otherwise is None else [block.otherwise]
        block.otherwise = None
        return block

    def close_block(self) -> None:
        """End the innermost block."""
        block = self.blocks.pop()
        suspect = block.inner_else_if if block.else_if is None else block.else_if
        if suspect is not None and self.blocks:
            self.blocks[-1].inner_else_if = suspect
        if block.keyword == "while":
            for edge in self.open:
                self.targets[edge] = block.head
            self.open = []
        self.open = _merge(self.open, block.closed)
        if block.otherwise is not None:
            self.open.append(block.otherwise)

    def finish(self) -> None:
        """Give the edges to the exit and to the failures their targets."""
        for edge in self.open + self.leaving:
            self.targets[edge] = self.size
        for index, edge in enumerate(self.failing):
            self.targets[edge] = self.size + 1 + index

    def procedure(
        self,
        name: str,
        parameters: Iterable[str],
        results: int,
        local: Iterable[str],
        labels: Iterable[tuple[str, Location]],
        enforce: Expr,
        span: Span,
    ) -> Procedure:
        """Return the finished procedure."""
        return Procedure(
            name=name,
            parameters=tuple(parameters),
            results=tuple(map(result_name, range(results))),
            locals=tuple(local),
            entry=0,
            exit=self.size,
            edges=tuple(map(Edge, self.sources, self.actions, self.targets, self.spans)),
            labels=tuple(labels),
            failures=tuple(range(self.size + 1, self.size + 1 + len(self.failing))),
            enforce=enforce,
            span=span,
        )


class CallSite(NamedTuple):
    """A call or a thread start: its edge, the token of the callee, the number of its arguments and results.

    `results` is None where the statement does not say: a call without `:=`.
    """

    edge: int
    at: int
    arguments: int
    results: int | None


@dataclass(slots=True)
class Draft:
    """A procedure as it was read.  `results` is None where the text does not declare their number."""

    name: str
    at: int
    results: int | None
    parameters: tuple[str, ...] = ()
    locals: tuple[str, ...] = ()
    enforce: Expr = TRUE
    graph: Graph = field(default_factory=Graph)
    labels: list[tuple[str, Location]] = field(default_factory=list)
    jumps: list[tuple[int, int]] = field(default_factory=list)  # an edge and the token of its label
    starts: list[tuple[int, int]] = field(default_factory=list)  # the same for `start_thread goto`
    returns: list[tuple[int, int]] = field(default_factory=list)  # a number of values and the token
    calls: list[CallSite] = field(default_factory=list)


def _merge(some: list[int], others: list[int]) -> list[int]:
    """Return all members, moving only the shorter list, so that deep nesting stays cheap."""
    if len(some) < len(others):
        some, others = others, some
    some += others
    return some
