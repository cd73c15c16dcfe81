"""An answer as a page that can be stepped through: source, calls, values, threads, heap, inputs, what was proved.

The page stands alone: `page.js` and `page.css` are written into it, and nothing comes from elsewhere.  The data of the
run are one JSON element, packed where they are long (deflate: Deutsch, RFC 1951, 1996).  Without scripts there are the
source, the targets and the run as a table.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any
from zlib import compress

from knaster.evidence.answers.answer import Reachable, Verdict
from knaster.evidence.questions.question import Temporal
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Kind
from knaster.report.entries import Form, list_entries, with_changes
from knaster.report.lanes.rows import has_lanes
from knaster.report.sentence import Report, endless_run, reachable_traces, sentence, unknown_sentence
from knaster.report.source import SourceText
from knaster.report.stepper.panels import inputs_panel, panel, plain_table, source_panel, targets_panel, words_panel
from knaster.report.stepper.steps import StepRow, columns_of
from knaster.semantics.table import semantics_of

_PACKED = 30_000  # data that are longer are packed
_LARGEST = 100_000  # characters of a picture of the control flow that is still written into a page
_MOST_INPUTS = 1_000


def stepped_page(report: Report, form: Form | None = None) -> str:
    """Return the page of an answer, with the run to the first reachable target, or the one that never ends."""
    run = _Run(report, form)
    data = run.data()
    parts = [
        _header(report.file, report.verdict, sentence(report)),
        f'<main data-steps="{len(run.rows)}" data-step="{1 if run.rows else 0}">',
        _toolbar() if run.rows else search_bar(),
        '<div class="panels">',
        f'<div class="column">{source_panel(report)}{targets_panel(report)}{words_panel(report, run.sentences)}</div>',
        f'<div class="column">{"".join(_run_panels(data))}{inputs_panel(run.inputs())}</div>' if run.rows else "",
        "</div>",
        _control_flow(report, run.trace),
    ]
    if run.rows:
        parts.append(f"<noscript><h2>The run</h2>{''.join(plain_table(report, iter(run.rows)))}</noscript>")
    parts += ["</main>", _HELP if run.rows else "", data_element(data)]
    return whole(report.file, "\n".join(filter(None, parts)))


def nothing_page(file: str, reason: str) -> str:
    """Return a page which says that nothing is known of a file."""
    return whole(file, _header(file, Verdict.UNKNOWN, unknown_sentence(file, reason)) + "<main></main>")


def whole(title: str, body: str) -> str:
    """Return a whole page with the style and the script of all pages; `title` is text, `body` is HTML."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>\n<style>\n{package_text('page.css')}</style></head><body>\n{body}\n"
        f"<script>\n{package_text('page.js')}</script></body></html>\n"
    )


def package_text(name: str) -> str:
    """Return the script or the style sheet of this package."""
    return files(__package__).joinpath(name).read_text("utf-8")


class _Run:
    """The run that a page steps through; no rows where there is none."""

    def __init__(self, report: Report, form: Form | None) -> None:
        self.report = report
        self.sentences: list[str] = []
        self.cycle: int | None = None
        self.deeper = False
        self.trace: Trace | None = None
        lasso, traces = endless_run(report), reachable_traces(report)
        self.rows: list[StepRow] = []
        if form is Form.NONE:
            return
        if lasso is not None:
            self.trace = lasso.once
            self.rows = list(self._endless(lasso, form))
        elif traces:
            target, self.trace = traces[0]
            self.rows = list(self._finite(target, self.trace, form))

    def data(self) -> dict[str, Any]:
        """Return all that the script needs to know."""
        if not self.rows:
            return {}
        assert self.trace is not None
        program = self.report.program
        data: dict[str, Any] = {**columns_of(program, self.rows), "cycle": self.cycle, "deeper": self.deeper}
        data["routine"] = SourceText(program).spelling.routine
        if has_lanes(program, self.trace):
            data["lanes"] = _lanes(program.threads, self.rows)
        if program.kind is Kind.REFERENCES or (program.kind is Kind.MEMORY and not program.is_threaded):
            from knaster.report.stepper.heap_pictures import pictures_of

            data["heap"] = pictures_of(program, self.trace, [row.entry for row in self.rows])
        return data

    def inputs(self) -> list[tuple[str, str, int]]:
        """Return name, value and line of each input in the order in which they are read."""
        if self.trace is None or not semantics_of(self.report.program).reads_inputs:
            return []
        from knaster.evidence.traces.inputs import list_inputs

        spell = SourceText(self.report.program).spelling.value
        read = list_inputs(self.report.program, self.trace, _MOST_INPUTS)
        return [(one.name, spell(one.value), one.line) for one in read]

    def _finite(self, target: object, trace: Trace, form: Form | None) -> Iterator[StepRow]:
        listing = list_entries(self.report.program, trace, form)
        self.sentences += [listing.note] if listing.note else []
        answer = next(answer for each, answer in self.report.answers if each == target)
        if isinstance(answer, Reachable) and answer.failure is not None and answer.failure.kind == "deadlock":
            from knaster.report.heap.deadlock import stuck_threads

            self.sentences += stuck_threads(self.report.program, trace)
        for entry, changed in with_changes(listing):
            yield StepRow(entry, changed)

    def _endless(self, lasso: Any, form: Form | None) -> Iterator[StepRow]:
        from knaster.report.endless import rows_of
        from knaster.report.runs import for_ever

        report = self.report
        self.sentences += for_ever(report.program, lasso)
        self.deeper = lasso.deeper
        shows_atoms = isinstance(report.question, Temporal)
        for number, row in enumerate(rows_of(report.program, report.question, lasso, form)):
            self.cycle = number if row.begins else self.cycle
            changed = frozenset(name for name in row.entry.state if name in row.changed)
            said = f"holds: {', '.join(row.atoms) or 'none'}" if shows_atoms and row.atoms is not None else ""
            yield StepRow(row.entry, row.entry.changed or changed, said)


def _lanes(threads: Sequence[str], rows: Sequence[StepRow]) -> list[tuple[int, str]]:
    """Return the threads by number, each with the procedure in which it begins."""
    lanes = dict(enumerate(threads, start=1))
    for row in rows:
        lanes.setdefault(row.entry.thread, row.entry.procedure)
    return sorted(lanes.items())


def _header(file: str, verdict: Verdict, said: str) -> str:
    rest = said.removeprefix(f"{file}: {verdict.value}. ")
    mark = f'<strong class="{verdict.value}">{verdict.value}</strong>'
    return f'<header><h1>{escape(file)}</h1><p id="verdict">{mark} {escape(rest)}</p></header>'


def _run_panels(data: dict[str, Any]) -> Iterator[str]:
    """Yield the panels that the script fills."""
    fold = '<button type="button" data-fold aria-pressed="false">Fold calls</button>'
    yield panel(
        "calls", "Run", f'{fold}<div class="scroll tree" role="tree" tabindex="0" aria-label="run"></div>', True
    )
    history = '<div class="scroll history" tabindex="0" role="region" aria-label="changes of a value" hidden></div>'
    listed = '<div class="scroll values" tabindex="0" role="region" aria-label="values before the step"></div>'
    yield panel("values", "Values", listed + history, True)
    if "lanes" in data:
        lanes = '<div class="scroll lanes" tabindex="0" role="region" aria-label="lanes"></div>'
        yield panel("threads", "Threads", lanes, True)
    if "heap" in data:
        drawn = '<div class="scroll heap" tabindex="0" role="region" aria-label="picture of the heap"></div>'
        yield panel("heap", "Heap", drawn, True)


_BUTTONS = (  # move, key, label
    ("first", "Home", "First"),
    ("back", "ArrowLeft", "Back"),
    ("next", "ArrowRight", "Next"),
    ("over", "n", "Over"),
    ("out", "u", "Out"),
    ("switch", "s", "Switch"),
    ("change", "c", "Change"),
    ("last", "End", "Last"),
)


def _toolbar() -> str:
    buttons = "".join(
        f'<button type="button" data-move="{move}" aria-keyshortcuts="{key}">{label}</button>'
        for move, key, label in _BUTTONS
    )
    return (
        f'<div class="bar needs"><div role="toolbar" aria-label="step through the run">{buttons}'
        '<button type="button" data-help aria-keyshortcuts="?">Keys</button></div>'
        '<input type="range" min="1" aria-label="step">'
        f'<p class="where" aria-live="polite"></p>{_search_field()}</div>'
    )


def search_bar() -> str:
    """Return the field of a page without a run in which its text is searched."""
    return f'<div class="bar needs">{_search_field()}</div>'


def _search_field() -> str:
    return (
        '<search><input type="search" placeholder="Search (/)" aria-label="search source, statements and values">'
        '<span class="count" role="status"></span></search>'
    )


_KEYS = (
    ("→ ↓ j", "next step"),
    ("← ↑ k", "step back"),
    ("n", "over a call"),
    ("u", "out of the call"),
    ("s", "next switch of threads"),
    ("c", "next change of the chosen variable"),
    ("Home, End", "first and last step"),
    ("/, Enter", "search, next step that matches"),
    ("Esc", "leave the search or this list"),
    ("?", "this list"),
)
_HELP = (
    '<dialog aria-labelledby="h-keys"><h2 id="h-keys">Keys</h2><dl>'
    + "".join(f"<dt>{keys}</dt><dd>{what}</dd>" for keys, what in _KEYS)
    + '</dl><form method="dialog"><button>Close</button></form></dialog>'
)


def _control_flow(report: Report, trace: Trace | None) -> str:
    """Return the picture of the program folded away, where it is small."""
    if report.program.size > _LARGEST // 400:
        return ""
    from knaster.report.flow.svg import program_to_svg

    drawn = program_to_svg(report.program, trace)
    if len(drawn) > _LARGEST:
        return ""
    inner = (
        f'<div class="scroll paper" tabindex="0" role="region" aria-label="picture of the control flow">{drawn}</div>'
    )
    return f"<details><summary>control flow</summary>{inner}</details>"


def data_element(data: dict[str, Any]) -> str:
    """Return the data as an element of the page; nothing in it ends the element."""
    text = json.dumps(data, separators=(",", ":"))
    if len(text) > _PACKED:
        text = json.dumps({"packed": b64encode(compress(text.encode(), 9)).decode("ascii")})
    return f'<script type="application/json" id="data">{text.replace("<", chr(92) + "u003c")}</script>'
