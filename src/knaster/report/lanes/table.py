"""A trace of several threads as an HTML table: one column for each thread, one row for each statement.

Between two contexts a rule says which thread goes on; the values are those that are new.  Styles are inline and colours
half transparent, so that it fits a light or a dark page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.entries import Form, list_entries
from knaster.report.flow.svg import cut
from knaster.report.lanes.rows import Context, Row, contexts_of, lanes_of

COLOURS = ("#2563eb", "#d97706", "#059669", "#c026d3", "#0891b2", "#65a30d", "#e11d48", "#7c3aed")
_CELL = "text-align:left;vertical-align:top;padding:1px 10px;border:none;font-family:monospace;white-space:pre"
_RULE = "padding:5px 10px 1px;border:none;border-top:2px solid #88888899;font-family:monospace;text-align:left"


def lanes_to_html(program: Program, trace: Trace, form: Form | None = None) -> str:
    """Return a trace as a table with a lane for each thread."""
    listing = list_entries(program, trace, form)
    contexts = list(contexts_of(listing))
    lanes = lanes_of(program, contexts)
    parts = ['<table style="border-collapse:collapse"><tr>', _cell("th", "line"), _cell("th", "procedure")]
    for number, name in lanes.items():
        parts.append(_cell("th", f"thread {number}: {escape(name)}", f"border-bottom:3px solid {_colour(number)}"))
    parts += [_cell("th", "values before it"), "</tr>", *(_context(context, lanes) for context in contexts), "</table>"]
    note = f"<p>{escape(listing.note)}</p>" if listing.note else ""
    return "".join(parts) + note


def _context(context: Context, lanes: Mapping[int, str]) -> str:
    """Return the rows of one context, after a rule where it follows another one."""
    width = len(lanes) + 3
    rule = ""
    if context.number:
        said = f"switch {context.number}: thread {context.thread} ({escape(lanes[context.thread])})"
        rule = f'<tr><td colspan="{width}" style="{_RULE}"><small>{said}</small></td></tr>'
    return rule + "".join(_rows(context, lanes))


def _rows(context: Context, lanes: Mapping[int, str]) -> Iterator[str]:
    colour = _colour(context.thread)
    for row in context.rows:
        cells = [_cell("td", str(row.line)), _cell("td", escape(row.procedure))]
        for number in lanes:
            if number == context.thread:
                own = f"background:{colour}22;border-left:3px solid {colour}"
                cells.append(_cell("td", _statement(row), own))
            else:
                cells.append(_cell("td", "", f"border-left:1px dotted {_colour(number)}"))
        cells.append(_cell("td", escape(" ".join(row.values)), "white-space:normal;min-width:24em"))
        yield f"<tr>{''.join(cells)}</tr>"


def _statement(row: Row) -> str:
    """Return the statement of a row; one that would make its lane too wide is shown when the pointer is there."""
    text = escape(cut(row.text))
    if row.is_target:
        return f"<b>{text}</b>"
    return text if cut(row.text) == row.text else f'<span title="{escape(row.text.strip())}">{text}</span>'


def _cell(tag: str, content: str, style: str = "") -> str:
    whole = f"{_CELL};{style}" if style else _CELL
    return f'<{tag} style="{whole}">{content}</{tag}>'


def _colour(thread: int) -> str:
    return COLOURS[(thread - 1) % len(COLOURS)]
