"""A run of a program with references as a page: the trace on the left, the heap on the right, arrow keys step.

The page stands alone, with a script of its own and nothing from elsewhere.  Records and references that look the same
at several steps are written once, and all of it is packed (deflate: Deutsch, RFC 1951, 1996), so a page of 200 steps
stays small.  Without the script the end of the run is shown.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from html import escape
from typing import Any
from zlib import compress

from knaster.evidence.answers.answer import Reachable
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Kind, Program
from knaster.report.entries import (
    REMARKS,
    Entry,
    EntryKind,
    Form,
    Listing,
    indent,
    list_entries,
    texts_of,
    with_changes,
)
from knaster.report.heap.deadlock import stuck_threads
from knaster.report.heap.drawing import STYLE, drawn_parts, heap_document, tip
from knaster.report.heap.layout import PADDING, ROW, arrange
from knaster.report.heap.picture import Picture, pictures
from knaster.report.html import result_to_html
from knaster.report.page import page
from knaster.report.sentence import Report, reachable_traces
from knaster.report.source import SourceText

_KEY = "heap"
_PAGE_STYLE = """\
.pair { display: flex; gap: 1.5em; align-items: flex-start; }
.steps { flex: 0 1 auto; max-width: 55%; max-height: 80vh; overflow: auto; }
.steps table { border-collapse: collapse; }
.steps td, .steps th { text-align: left; padding: 1px 8px; white-space: pre; }
.steps th { position: sticky; top: 0; background: #fff; }
.steps tr[id] { cursor: pointer; }
.steps tr.now { background: #fde68a; color: #111; }
.steps tr.other td { border-top: 1px solid #cbd5e1; }
.steps .said { color: #1d4ed8; }
.drawn { flex: 1 1 0; overflow: auto; background: #fff; border: 1px solid #cbd5e1; max-height: 80vh; }
@media (prefers-color-scheme: dark) { .steps th { background: #0d1117; } }
@media (max-width: 60em) {
  .pair { flex-direction: column; align-items: stretch; }
  .steps { max-width: 100%; max-height: 45vh; }
  .drawn { flex: 0 0 auto; }
}
"""
_SCRIPT = """\
const packed = Uint8Array.from(atob(document.getElementById("data").textContent), c => c.charCodeAt(0));
const view = document.getElementById("drawn"), rows = document.querySelectorAll("tr[id]");
const text = value => value.replace(/[&<>]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;"})[c]);
let now = rows.length - 1, data;
function record([box, x, y]) {
  const [kind, title, width, height, lines] = data.boxes[box];
  const marked = lines.some(line => line[1]) ? " changed" : "";
  let out = `<rect class="${kind}${marked}" x="${x}" y="${y}" width="${width}" height="${height}" rx="4"/>` +
    `<text class="title" x="${x + PADDING}" y="${y + 14}">${text(title)}</text>`;
  lines.forEach(([shown, changed], index) => {
    const top = y + (index + 1) * ROW + 2;
    if (changed) out += `<rect class="mark" x="${x + 1}" y="${top}" width="${width - 2}" height="${ROW}"/>`;
    out += `<text x="${x + PADDING}" y="${top + 13}">${text(shown)}</text>`;
  });
  return out;
}
function show(index) {
  rows[now].classList.remove("now");
  now = Math.max(0, Math.min(rows.length - 1, index));
  rows[now].classList.add("now");
  rows[now].scrollIntoView({block: "nearest"});
  const [width, height, caption, boxes, paths] = data.steps[now];
  const scale = Math.max(0.6, Math.min(1, (view.clientWidth - 4) / width));
  view.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" id="KEY" width="${width * scale}" ` +
    `height="${height * scale}" viewBox="0 0 ${width} ${height}">` +
    `<style>${data.style}</style>${data.tip}<text class="caption" x="20" y="22">${text(caption)}</text>` +
    boxes.map(number => record(data.placed[number])).join("") +
    paths.map(number => `<path class="arrow" marker-end="url(#KEY-tip)" d="${data.paths[number]}"/>`).join("") +
    "</svg>";
}
function keys(event) {
  const moves = {ArrowDown: now + 1, ArrowRight: now + 1, ArrowUp: now - 1, ArrowLeft: now - 1,
    Home: 0, End: rows.length - 1, PageDown: now + 10, PageUp: now - 10};
  if (event.key in moves && !event.ctrlKey && !event.metaKey && !event.altKey) {
    show(moves[event.key]);
    event.preventDefault();
  }
}
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
new Response(unpacked).json().then(found => {
  data = found;
  rows.forEach((row, index) => row.addEventListener("click", () => show(index)));
  document.addEventListener("keydown", keys);
  show(now);
});
"""


def heap_page(report: Report, form: Form | None = None) -> str | None:
    """Return the page of a result that has a trace of a program with references; None where it has none."""
    traces = reachable_traces(report)
    if report.program.kind is not Kind.REFERENCES or not traces or form is Form.NONE:
        return None
    target, trace = traces[0]
    answer = dict(report.answers)[target]
    listing = list_entries(report.program, trace, form)
    entries = list(with_changes(listing))
    wanted = {entry.step for entry, _ in entries}
    drawn = {number: found for number, found in pictures(report.program, trace, wanted)}
    end = max(drawn)
    stuck: list[str] = []
    if isinstance(answer, Reachable) and answer.failure is not None and answer.failure.kind == "deadlock":
        stuck = [escape(line) for line in stuck_threads(report.program, trace)]
    shown = [drawn.get(entry.step, drawn[end]) for entry, _ in entries] or [drawn[end]]
    body = [
        result_to_html(report, Form.NONE),
        "<p>The arrow keys step through the run; a click on a line leads there.</p>",
        f'<div class="pair"><div class="steps"><table>{"".join(_rows(report.program, listing, trace))}</table>',
        f"<p>{escape(listing.note)}</p>" if listing.note else "",
        f"<pre>{chr(10).join(stuck)}</pre>" if stuck else "",
        f'</div><div class="drawn" id="drawn">{_last(shown[-1])}</div></div>',
        f'<script type="text/plain" id="data">{_pack(_data(shown))}</script>',
        f"<script>{_script()}</script>",
    ]
    return page(report.file, "\n".join(body), _PAGE_STYLE)


def heap_frame(report: Report) -> str | None:
    """Return the page inside a frame, for notebooks."""
    whole = heap_page(report)
    if whole is None:
        return None
    return f'<iframe srcdoc="{escape(whole)}" sandbox="allow-scripts" style="width:100%;height:36em;border:0"></iframe>'


def _rows(program: Program, listing: Listing, trace: Trace) -> Iterator[str]:
    """Yield the rows of the trace; each has the number of its picture."""
    source = SourceText(program)
    threads = len({segment.thread for segment in trace.segments}) > 1
    words = ["step", "line", *(["thread"] if threads else []), "method", "statement", "values before it"]
    yield "<tr>" + "".join(f"<th>{word}</th>" for word in words) + "</tr>"
    context = 0
    for number, (entry, changed) in enumerate(with_changes(listing)):
        texts = texts_of(entry, source.spelling.value)
        values = " ".join(f"{name}={value}" for name, value in texts.items() if name in changed)
        cells = [str(entry.step), str(entry.span.line), *([str(entry.thread)] if threads else [])]
        cells += [entry.procedure, _statement(source, entry), values]
        said = f'{" " if values else ""}<span class="said">says: {escape(entry.said)}</span>' if entry.said else ""
        kind = ' class="other"' if entry.context != context else ""
        context = entry.context
        inner = "".join(f"<td>{escape(cell)}</td>" for cell in cells[:-1])
        yield f'<tr id="s{number}"{kind}>{inner}<td>{escape(cells[-1])}{said}</td></tr>'


def _statement(source: SourceText, entry: Entry) -> str:
    remark = " (fails)" if entry.kind is EntryKind.TARGET else REMARKS.get(entry.kind, "")
    return indent(entry.depth) + source.statement(entry.span) + remark


def _last(drawn: Picture) -> str:
    """Return the picture that is there before the script runs."""
    whole = arrange(drawn)
    return heap_document(_KEY, drawn.caption, whole.width, whole.height, list(drawn_parts(drawn, whole, _KEY)))


def _data(drawn: list[Picture]) -> str:
    """Return all pictures as JSON: a step has the numbers of its records and paths, which are listed once."""
    boxes: dict[Any, int] = {}
    placed: dict[Any, int] = {}
    paths: dict[str, int] = {}
    steps = []
    for each in drawn:
        whole = arrange(each)
        numbers = []
        for box, (x, y), size in zip(each.boxes, whole.corners, whole.sizes, strict=True):
            rows = tuple((row.shown, int(row.changed)) for row in box.rows)
            record = box.kind, box.title, round(size.width), round(size.height), rows
            number = boxes.setdefault(record, len(boxes))
            numbers.append(placed.setdefault((number, round(x), round(y)), len(placed)))
        ways = [paths.setdefault(path, len(paths)) for path in whole.paths]
        width = max(whole.width, len(each.caption) * 7.4 + 40)
        steps.append([round(width), round(whole.height), each.caption, numbers, ways])
    style = "".join(f"#{_KEY} {selector}{{{rules}}}" for selector, rules in STYLE.items())
    found = {"boxes": list(boxes), "placed": list(placed), "paths": list(paths), "steps": steps}
    return json.dumps({**found, "style": style, "tip": tip(_KEY)}, separators=(",", ":"))


def _pack(text: str) -> str:
    """Return a text as the script of the page reads it."""
    return b64encode(compress(text.encode(), 9)).decode("ascii")


def _script() -> str:
    return _SCRIPT.replace("PADDING", f"{PADDING:.0f}").replace("ROW", f"{ROW:.0f}").replace("KEY", _KEY)
