"""A trace of several threads as contexts: what one thread does in one go, row by row, for tables and pictures.

Every thread that exists has a lane, also one that never runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.records import dataclass
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Kind, Program
from knaster.report.entries import REMARKS, EntryKind, Listing, indent, texts_of, with_changes
from knaster.report.source import SourceText


@dataclass(frozen=True, slots=True)
class Row:
    """One statement that is about to be executed, and the values that are new just before it."""

    line: int
    procedure: str
    text: str  # indented by the depth of the call stack
    values: tuple[str, ...]
    is_target: bool


@dataclass(frozen=True, slots=True)
class Context:
    """What one thread does until another one goes on; `number` is the number of switches before."""

    number: int
    thread: int
    rows: tuple[Row, ...]


def has_lanes(program: Program, trace: Trace) -> bool:
    """Tell whether a trace is shown in lanes: there are threads, or some were started."""
    if program.kind is Kind.REFERENCES:
        return len({segment.thread for segment in trace.segments}) > 1
    return program.is_threaded


def contexts_of(listing: Listing) -> Iterator[Context]:
    """Yield the contexts of a trace in the order of execution."""
    source = SourceText(listing.program)
    rows: list[Row] = []
    thread, number = 0, 0
    for entry, changed in with_changes(listing):
        if rows and entry.context != number:
            yield Context(number, thread, tuple(rows))
            rows = []
        thread, number = entry.thread, entry.context
        texts = texts_of(entry, source.spelling.value)
        text = indent(entry.depth) + source.statement(entry.span) + REMARKS.get(entry.kind, "")
        values = tuple(f"{name}={value}" for name, value in texts.items() if name in changed)
        rows.append(Row(entry.span.line, entry.procedure, text, values, entry.kind is EntryKind.TARGET))
    yield Context(number, thread, tuple(rows))


def lanes_of(program: Program, contexts: list[Context]) -> dict[int, str]:
    """Return the threads by number, each with the procedure in which it begins."""
    lanes = dict(enumerate(program.threads, start=1))
    for context in contexts:
        lanes.setdefault(context.thread, context.rows[0].procedure)
    return {number: lanes[number] for number in sorted(lanes)}
