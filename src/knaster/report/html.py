"""A trace as an HTML table.

The fragment stands alone: its styles are inline, it has no script, and it fits a light or a dark page.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from html import escape

from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.entries import Entry, EntryKind, Form, Listing, list_entries, texts_of, with_changes
from knaster.report.lanes.rows import has_lanes
from knaster.report.source import SourceText

_CELL = 'style="text-align:left;padding:1px 10px;border:none;font-family:monospace;white-space:pre"'


def trace_to_html(program: Program, trace: Trace, form: Form | None = None) -> str:
    """Return a trace as an HTML table, with threads in lanes; values that are new or have changed are bold."""
    if has_lanes(program, trace):
        from knaster.report.lanes.table import lanes_to_html

        return lanes_to_html(program, trace, form)
    listing = list_entries(program, trace, form)
    source = SourceText(program)
    words = ("line", source.spelling.routine, "statement", "values before it")
    head = "".join(f"<th {_CELL}>{word}</th>" for word in words)
    note = f"<p>{escape(listing.note)}</p>" if listing.note else ""
    rows = "".join(_rows(listing, source))
    return f'<table style="border-collapse:collapse"><tr>{head}</tr>{rows}</table>{note}'


def _rows(listing: Listing, source: SourceText) -> Iterator[str]:
    for entry, changed in with_changes(listing):
        cells = _cells(entry, changed, source)
        yield "<tr>" + "".join(f"<td {_CELL}>{cell}</td>" for cell in cells) + "</tr>"


def _cells(entry: Entry, changed: Container[str], source: SourceText) -> tuple[str, str, str, str]:
    texts = texts_of(entry, source.spelling.value)
    values = " ".join(_value(name, text, name in changed) for name, text in texts.items())
    folded = " (returns)" if entry.kind is EntryKind.SUMMARY else ""
    text = "  " * entry.depth + source.statement(entry.span) + folded
    return str(entry.span.line), escape(entry.procedure), escape(text), values


def _value(name: str, value: str, is_new: bool) -> str:
    text = f"{escape(name)}={escape(value)}"
    return f"<b>{text}</b>" if is_new else text
