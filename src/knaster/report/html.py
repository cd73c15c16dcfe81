"""An answer as HTML, for a notebook or a page: the verdict, the targets, and the trace as a table.

The fragment stands alone: its styles are inline, it has no script, and it fits a light or a dark page.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from html import escape

from knaster.evidence.answers.answer import Verdict
from knaster.evidence.questions.question import Temporal
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.entries import Entry, EntryKind, Form, Listing, list_entries, texts_of, with_changes
from knaster.report.lanes.rows import has_lanes
from knaster.report.proof_words import lines_of_ending, lines_of_proof
from knaster.report.runs import for_ever, inputs_said
from knaster.report.sentence import Report, endless_run, notes_for_all, reachable_traces, sentence, word_for
from knaster.report.source import SourceText

_COLOURS = {Verdict.TRUE: "#15803d", Verdict.FALSE: "#b91c1c", Verdict.UNKNOWN: "#a16207"}
_CELL = 'style="text-align:left;padding:1px 10px;border:none;font-family:monospace;white-space:pre"'


def result_to_html(report: Report, form: Form | None = None) -> str:
    """Return the answer as an HTML fragment, with the trace of the first reachable target, or what was proved."""
    parts = [f'<div><p style="color:{_COLOURS[report.verdict]}"><b>{escape(sentence(report))}</b></p>']
    if len(report.answers) > 1:
        parts += ["<ul>", *(f"<li>{escape(str(t))}: {word_for(a)}</li>" for t, a in report.answers), "</ul>"]
    if form is not Form.NONE:
        parts += [_run(report.program, trace, form) for _, trace in reachable_traces(report)[:1]]
        parts += _ending(report, form)
    parts.append(_list(lines_of_proof(report)))
    parts += [f"<p>Note: {escape(note)}</p>" for note in notes_for_all(report)]
    return "".join([*parts, "</div>"])


def _run(program: Program, trace: Trace, form: Form | None, after: Iterable[str] = ()) -> str:
    """Return a trace, how it goes on, and the inputs that cause it."""
    said = [*after, " ".join(inputs_said(program, trace))]
    return trace_to_html(program, trace, form) + "".join(f"<p>{escape(line)}</p>" for line in said if line)


def _ending(report: Report, form: Form | None) -> Iterator[str]:
    """Yield the run that never ends, or why every run ends."""
    if (lasso := endless_run(report)) is not None:
        yield _endless(report, lasso, form)
    yield _list(lines_of_ending(report))


def _endless(report: Report, lasso: Lasso, form: Form | None) -> str:
    """Return a run that never ends as a table whose cycle is shaded, and how it goes on."""
    from knaster.report.endless import rows_of

    program, source = report.program, SourceText(report.program)
    words = ("line", source.spelling.routine, "statement", "values before it")
    head = "".join(f"<th {_CELL}>{word}</th>" for word in (*words, *(["atoms"] if _has_atoms(report) else [])))
    rows, shade = [], ""
    for row in rows_of(program, report.question, lasso, form):
        shade = ' style="background:#eef4ff"' if row.begins else shade
        cells = list(_cells(row.entry, row.changed, source))
        cells += [escape(", ".join(row.atoms or ()))] if _has_atoms(report) else []
        mark = ' class="cycle"' if shade else ""
        rows.append(f"<tr{mark}{shade}>" + "".join(f"<td {_CELL}>{cell}</td>" for cell in cells) + "</tr>")
    said = [*for_ever(program, lasso), " ".join(inputs_said(program, lasso.once))]
    table = f'<table style="border-collapse:collapse"><tr>{head}</tr>{"".join(rows)}</table>'
    return table + "".join(f"<p>{escape(line)}</p>" for line in said if line)


def _has_atoms(report: Report) -> bool:
    return isinstance(report.question, Temporal)


def _list(lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    return f'<pre style="font-family:monospace">{escape(text)}</pre>' if text else ""


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
