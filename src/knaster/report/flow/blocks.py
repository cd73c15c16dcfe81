"""The control-flow graph of a procedure in basic blocks, for drawing.

A block is a longest stretch of statements with one way in and one way on, so a picture has a box where the reader sees
a paragraph.  The exit and each failing assertion are boxes of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.program.expression import FALSE, TRUE, Expr, Not
from knaster.program.model import Assume, Call, Edge, Location, Procedure
from knaster.report.source import SourceText


@dataclass(frozen=True, slots=True)
class Row:
    """One statement of a block; `calls` names the procedure that it calls."""

    location: Location
    span: Span
    text: str
    calls: str | None = None
    is_statement: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """A way from one block to another; `locations` are the model's edge that it stands for."""

    source: int
    target: int
    label: str
    locations: tuple[Location, Location]


@dataclass(frozen=True, slots=True)
class Block:
    """A box: statements, or the exit or a failure, whose only row has a word instead of a statement."""

    kind: str  # "code", "exit", "failure"
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class BlockGraph:
    """The blocks of one procedure; the first is the entry."""

    procedure: Procedure
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]


def block_graph(procedure: Procedure, source: SourceText) -> BlockGraph:
    """Return the blocks of a procedure in the order of the text; an exit that nothing leads to is left out."""
    leaving = procedure.leaving
    starts = _starts(procedure, leaving)
    todo = sorted(starts)
    found: dict[Location, Block] = {}
    covered: set[Location] = set()
    while todo:
        for location in todo:
            found[location] = _block(procedure, source, location, leaving, starts)
            covered.update(row.location for row in found[location].rows)
        todo = sorted(leaving.keys() - covered)[:1]  # a loop that nothing leads to
        starts.update(todo)
    order = sorted(found)
    number = {location: index for index, location in enumerate(order)}
    links = [
        Link(number[location], number[edge.target], label, (edge.source, edge.target))
        for location in order
        for label, edge in _labels_of(leaving.get(found[location].rows[-1].location, ()), source.spelling.expression)
    ]
    return BlockGraph(procedure, tuple(found[location] for location in order), tuple(links))


def heading(procedure: Procedure) -> str:
    """Return the name of a procedure with its parameters."""
    return f"{procedure.name}({', '.join(procedure.parameters)})"


def _starts(procedure: Procedure, leaving: Mapping[Location, Sequence[Edge]]) -> set[Location]:
    """Return the locations that begin a block."""
    starts = {procedure.entry}
    arriving: Counter[Location] = Counter()
    for edges in leaving.values():
        targets = {edge.target for edge in edges}
        arriving.update(targets)
        if len(targets) > 1:
            starts |= targets
        starts.update(target for target in targets if target not in leaving)  # the exit, a failure
    starts.update(location for location in leaving if arriving[location] != 1)
    return starts


def _block(
    procedure: Procedure,
    source: SourceText,
    location: Location,
    leaving: Mapping[Location, Sequence[Edge]],
    starts: set[Location],
) -> Block:
    if location == procedure.exit:
        return Block("exit", (Row(location, procedure.span, "end", is_statement=False),))
    if location in procedure.failures:
        return Block("failure", (Row(location, procedure.span, "assertion fails", is_statement=False),))
    rows: list[Row] = []
    while True:
        edges = leaving.get(location, ())
        span = edges[0].span if edges else procedure.span
        calls = next((edge.action.procedure for edge in edges if isinstance(edge.action, Call)), None)
        text = source.statement(span) or (source.spelling.statement(procedure, edges[0]) if edges else "")
        rows.append(Row(location, span, text, calls))
        targets = {edge.target for edge in edges}
        if len(targets) != 1 or min(targets) in starts:
            return Block("code", tuple(rows))
        location = min(targets)


def _labels_of(edges: Sequence[Edge], spell: Callable[[Expr], str]) -> list[tuple[str, Edge]]:
    """Return each way on, with true and false where a condition decides; two edges to one place are one way."""
    labels = [""] * len(edges)
    match edges:
        case [Edge(action=Assume(yes)), Edge(action=Assume(Not(no)))] if yes is no:
            labels = [spell(TRUE), spell(FALSE)]
        case [Edge(action=Assume(Not(no))), Edge(action=Assume(yes))] if yes is no:
            labels = [spell(FALSE), spell(TRUE)]
    seen: dict[Location, tuple[str, Edge]] = {}
    for label, edge in zip(labels, edges, strict=True):
        seen[edge.target] = ("" if edge.target in seen else label, edge)
    return list(seen.values())
