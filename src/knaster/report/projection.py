"""An error projection for people and programs: the source text with everything dimmed that cannot matter.

The HTML page stands alone: no script, no request, a few kilobytes besides the program; annotations unfold on a click.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from knaster.base.visible import make_line, make_visible
from knaster.evidence.answers.projection import Node, Projection, Values
from knaster.report.envelope import Json, envelope, to_line
from knaster.report.html import trace_to_html
from knaster.report.json import trace_to_json
from knaster.report.page import page

NAMED = 3  # targets in a sentence
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"
_STYLE = """\
.line { font-family: ui-monospace, monospace; font-size: 13px; display: block; white-space: pre; padding: 0 .5em; }
.line i { display: inline-block; width: 4em; color: #8c959f; font-style: normal; }
.in { background: #fff8c5; }
.out { color: #c4c9ce; }
details > div { margin: .3em 0 .6em 5em; padding: .4em .8em; border-left: 3px solid #d4a72c; }
@media (prefers-color-scheme: dark) { .in { background: #3a2f0b; } .out { color: #484f58; } }
"""


def projection_to_text(projection: Projection, colour: bool = False) -> str:
    """Return the program with a mark at each line of the projection; the other lines dimmed where colour is wanted."""
    inside = set(projection.lines)
    marked = [make_line(f"{projection.program.file}: {_sentence(projection)}"), ""]
    for number, line in enumerate(_source(projection), start=1):
        shown = make_visible(f"{'>' if number in inside else ' '} {number:5d}  {line.rstrip()}")
        marked.append(f"{_DIM}{shown}{_PLAIN}" if colour and number not in inside else shown)
    for node in projection.nodes:
        if node.values is not None:
            said = make_visible(_annotation(node))
            marked += ["", said] if node is projection.nodes[0] else [said]
    if projection.note:
        marked += ["", _shortage(projection)]
    return "\n".join(marked) + "\n"


def projection_to_json(projection: Projection, options: Mapping[str, object] | None = None) -> str:
    """Return the projection as one JSON object on one line; `options` are what was in force."""
    verdict, word = ("FALSE", "reachable") if projection.nodes else ("TRUE", "unreachable")
    reason = f"{_names(projection)} is {word}"
    file, body = projection.program.file, _content(projection)
    return to_line(envelope("project", file, "answered", verdict, reason, options or {}, body))


def _content(projection: Projection) -> dict[str, Json]:
    """Return the lines, and the statements with their witnesses and values."""
    nodes: list[Json] = []
    for node in projection.nodes:
        shown: dict[str, Json] = {"line": node.line, "procedure": node.procedure, "witness": [], "values": []}
        if node.witness is not None:
            shown["witness"] = trace_to_json(projection.program, node.witness)[0]
        if node.values is not None:
            shown["values"] = [
                {name: int(value) for name, value in valuation.items()} for valuation in node.values.valuations
            ]
            if not node.values.complete:
                shown["more_values"] = True
        nodes.append(shown)
    whole: dict[str, Json] = {
        "target": projection.name,
        "lines": list(projection.lines),
        "nodes": nodes,
    }
    if projection.note:
        whole["note"] = _shortage(projection)
    return whole


def projection_to_html(projection: Projection) -> str:
    """Return a page with the program, everything outside the projection dimmed, annotations to unfold."""
    title = f"{projection.program.file}: what can matter for {_names(projection)}"
    traces = list({id(node.witness): node.witness for node in projection.nodes if node.witness is not None}.values())
    numbers = {id(trace): number for number, trace in enumerate(traces, start=1)}
    lines = "".join(_html_lines(projection, numbers))
    witnesses = "".join(
        f'<h2 id="w{numbers[id(trace)]}">Witness {numbers[id(trace)]}</h2>{trace_to_html(projection.program, trace)}'
        for trace in traces
    )
    sentence = _sentence(projection)
    if any(node.values is not None for node in projection.nodes):
        sentence += " Click on a marked line for the values with which it can matter, and for a witness."
    if projection.note:
        sentence += f" {_shortage(projection)}"
    return page(title, f"<p>{escape(sentence)}</p>\n<div>{lines}</div>\n{witnesses}", _STYLE)


def projection_to_frame(projection: Projection) -> str:
    """Return the page inside a frame, for notebooks: its style must not become that of the notebook."""
    page = escape(projection_to_html(projection))
    return f'<iframe srcdoc="{page}" sandbox="" style="width: 100%; height: 32em; border: 0"></iframe>'


def _html_lines(projection: Projection, numbers: Mapping[int, int]) -> Iterator[str]:
    by_line: dict[int, list[Node]] = {}
    for node in projection.nodes:
        by_line.setdefault(node.line, []).append(node)
    outside = set(projection.outside) if projection.nodes else set(range(1, len(_source(projection)) + 1))
    for number, line in enumerate(_source(projection), start=1):
        kind = "in" if number in by_line else "out" if number in outside else ""
        text = f"<i>{number}</i>{escape(line.rstrip()) or ' '}"
        nodes = [node for node in by_line.get(number, ()) if node.values is not None]
        if nodes:
            inner = "".join(_html_annotation(node, numbers) for node in nodes)
            yield f'<details><summary class="line {kind}">{text}</summary><div>{inner}</div></details>'
        else:
            yield f'<span class="line {kind}">{text}</span>'


def _html_annotation(node: Node, numbers: Mapping[int, int]) -> str:
    assert node.values is not None
    values = "<br>".join(escape(_valuation(each)) for each in node.values.valuations) + _more(node.values)
    number = numbers.get(id(node.witness))
    witness = f' (<a href="#w{number}">witness {number}</a>)' if number is not None else ""
    return f"in <b>{escape(node.procedure)}</b>{witness} with<br>{values}"


def _annotation(node: Node) -> str:
    assert node.values is not None
    values = " | ".join(map(_valuation, node.values.valuations)) + _more(node.values)
    steps = f", witness of {node.witness.expanded_length} steps" if node.witness is not None else ""
    return f"  line {node.line}, {node.procedure}: {values}{steps}"


def _valuation(valuation: Mapping[str, bool]) -> str:
    return " ".join(f"{name}={value:d}" for name, value in valuation.items()) or "any values"


def _more(values: Values) -> str:
    return "" if values.complete else " and more"


def _sentence(projection: Projection) -> str:
    if not projection.nodes:
        return f"no execution reaches {_names(projection)}: no line matters."
    inside, outside = len(projection.lines), len(projection.outside)
    return f"{inside} of {inside + outside} lines with statements can matter for {_names(projection)}."


def _names(projection: Projection) -> str:
    """Name the targets, as many as a line has room for."""
    names = [target.name for target in projection.targets]
    few = names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    return few[0] if len(few) == 1 else f"{', '.join(few[:-1])} or {few[-1]}"


def _shortage(projection: Projection) -> str:
    """Say how many witnesses there are, and why not more."""
    found = sum(node.witness is not None for node in projection.nodes)
    return f"Witnesses for {found} of {len(projection.nodes)} statements: {projection.note}."


def _source(projection: Projection) -> list[str]:
    return projection.program.source.rstrip("\n").split("\n")
