"""An error projection for people and programs: the source text with everything dimmed that cannot matter.

The HTML page stands alone: no script, no request, a few kilobytes besides the program; annotations unfold on a click.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from knaster.base.visible import make_line, make_visible
from knaster.evidence.answers.projection import Cause, Causes, Node, Projection, Values
from knaster.frontends.languages import spelling_of
from knaster.program.model import Assume
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
    inside, undecided, sliced = set(projection.lines), set(projection.open_lines), set(projection.slice or ())
    marked = [make_line(f"{projection.program.file}: {_sentence(projection)}"), ""]
    for number, line in enumerate(_source(projection), start=1):
        mark = ">" if number in inside else "?" if number in undecided else " "
        shown = make_visible(f"{'>>' if number in sliced else mark + ' '}{number:5d}  {line.rstrip()}")
        marked.append(f"{_DIM}{shown}{_PLAIN}" if colour and number not in inside else shown)
    if projection.slice is not None:
        marked += [
            "",
            f"The target depends on {len(sliced)} of {len(inside)} lines (>>); what else is marked is passed.",
        ]
    annotated = [make_visible(_annotation(node)) for node in projection.nodes if _has_annotation(node)]
    marked += ["", *annotated] if annotated else []
    marked += ["", *said] if (said := list(switches_to_text(projection))) else []
    marked += ["", *said] if (said := list(causes_to_text(projection))) else []
    if projection.note and not projection.undecided:
        marked += ["", _shortage(projection)]
    return "\n".join(marked) + "\n"


def projection_to_json(projection: Projection, options: Mapping[str, object] | None = None) -> str:
    """Return the projection as one JSON object on one line; `options` are what was in force."""
    verdict, word = ("FALSE", "reachable") if projection.nodes else ("TRUE", "unreachable")
    reason = f"{_names(projection)} is {word}"
    status = "answered"
    if verdict == "TRUE" and (projection.bound is not None or projection.undecided):
        verdict, status = "UNKNOWN", "undecided"
        reason = projection.note or f"{reason} with {projection.bound}"
    file, body = projection.program.file, _content(projection)
    return to_line(envelope("project", file, status, verdict, reason, options or {}, body))


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
        whole["note"] = projection.note if projection.undecided else _shortage(projection)
    if projection.bound is not None:
        points: list[Json] = [
            {"line": point.line, "procedure": point.place[0], "must": point.must} for point in projection.switches
        ]
        whole |= {"bound": {projection.bound.kind: projection.bound.number}, "switches": points}
    if projection.undecided:
        whole["undecided"] = list(projection.open_lines)
    if projection.slice is not None:
        whole["slice"] = list(projection.slice)
    if projection.causes is not None:
        whole["causes"] = _causes_to_json(projection, projection.causes)
    return whole


def _causes_to_json(projection: Projection, causes: Causes) -> dict[str, Json]:
    def shown(each: Cause) -> dict[str, Json]:
        said = _statement(projection, each)
        place: dict[str, Json] = {"line": each.edge.span.line, "procedure": each.procedure}
        return {**place, "statement": said, "always": each.always}

    together = None if causes.together is None else [shown(each) for each in causes.together]
    whole: dict[str, Json] = {"edges": [shown(each) for each in causes.edges], "together": together}
    return {**whole, "note": causes.note} if causes.note else whole


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
    if any(map(_has_annotation, projection.nodes)):
        sentence += " Click on a marked line for the values with which it can matter, and for a witness."
    if projection.note and not projection.undecided:
        sentence += f" {_shortage(projection)}"
    more = [*switches_to_text(projection), *causes_to_text(projection)]
    told = f"<pre>{escape(chr(10).join(more))}</pre>" if more else ""
    return page(title, f"<p>{escape(sentence)}</p>\n<div>{lines}</div>\n{told}{witnesses}", _STYLE)


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
        nodes = [node for node in by_line.get(number, ()) if _has_annotation(node)]
        if nodes:
            inner = "".join(_html_annotation(node, numbers) for node in nodes)
            yield f'<details><summary class="line {kind}">{text}</summary><div>{inner}</div></details>'
        else:
            yield f'<span class="line {kind}">{text}</span>'


def _html_annotation(node: Node, numbers: Mapping[int, int]) -> str:
    number = numbers.get(id(node.witness))
    witness = f' (<a href="#w{number}">witness {number}</a>)' if number is not None else ""
    if node.values is None:
        return f"in <b>{escape(node.procedure)}</b>{witness}"
    values = "<br>".join(escape(_valuation(each)) for each in node.values.valuations) + _more(node.values)
    return f"in <b>{escape(node.procedure)}</b>{witness} with<br>{values}"


def _annotation(node: Node) -> str:
    parts = [] if node.values is None else [" | ".join(map(_valuation, node.values.valuations)) + _more(node.values)]
    parts += [] if node.witness is None else [f"witness of {node.witness.expanded_length} steps"]
    return f"  line {node.line}, {node.procedure}: {', '.join(parts)}"


def _has_annotation(node: Node) -> bool:
    return node.values is not None or node.witness is not None


def switches_to_text(projection: Projection) -> Iterator[str]:
    """Yield lines that tell where failing runs switch to another thread."""
    if projection.switches:
        yield "failing runs switch to another thread:"
    for point in projection.switches:
        yield f"  before line {point.line} in {point.place[0]}: {'all of them' if point.must else 'some'}"


def causes_to_text(projection: Projection) -> Iterator[str]:
    """Yield lines that tell what only failing runs do, what all of them do first."""
    causes = projection.causes
    if causes is None:
        return
    if causes.edges:
        yield "only failing runs take:"
    for number, each in enumerate(causes.edges, start=1):
        runs = "all of them do" if each.always else "some do"
        yield f"  {number}. {_place(projection, each)} ({runs})"
    if not causes.edges and causes.together is not None:
        yield "no run that ends well takes all of these, which one failing run does:"
        yield from (f"  {_place(projection, each)}" for each in causes.together)
    if causes.note:
        yield f"causes: {causes.note}."


def _place(projection: Projection, each: Cause) -> str:
    return make_line(f"line {each.edge.span.line}, {each.procedure}: {_statement(projection, each)}")


def _statement(projection: Projection, each: Cause) -> str:
    own = projection.program.procedure(each.procedure)
    spelling = spelling_of(projection.program)
    if isinstance(each.edge.action, Assume):
        return f"where {spelling.expression(each.edge.action.condition)}"
    return spelling.statement(own, each.edge)


def _valuation(valuation: Mapping[str, bool]) -> str:
    return " ".join(f"{name}={value:d}" for name, value in valuation.items()) or "any values"


def _more(values: Values) -> str:
    return "" if values.complete else " and more"


def _sentence(projection: Projection) -> str:
    bound = "" if projection.bound is None else f" with {projection.bound}"
    undecided = len(projection.open_lines)
    if not projection.nodes and not undecided:
        return f"no execution{bound} reaches {_names(projection)}: no line matters."
    inside, outside = len(projection.lines), len(projection.outside)
    total = inside + outside + undecided
    said = f"{inside} of {total} lines with statements can matter for {_names(projection)}{bound}."
    return f"{said} Of {undecided} it is not known: {projection.note}." if undecided else said


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
