"""An error projection as text and JSON: the source text with everything dimmed that cannot matter.

`stepper/projection_page` is the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.base.visible import make_line, make_visible
from knaster.evidence.answers.projection import Cause, Causes, Node, Projection, Values
from knaster.frontends.languages import spelling_of
from knaster.program.model import Assume
from knaster.report.envelope import Json, envelope, to_line
from knaster.report.json import trace_to_json

NAMED = 3  # targets in a sentence
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"


def projection_to_text(projection: Projection, colour: bool = False) -> str:
    """Return the program with a mark at each line of the projection; the other lines dimmed where colour is wanted."""
    inside, undecided, sliced = set(projection.lines), set(projection.open_lines), set(projection.slice or ())
    marked = [make_line(f"{projection.program.file}: {projection_sentence(projection)}"), ""]
    for number, line in enumerate(_source(projection), start=1):
        mark = ">" if number in inside else "?" if number in undecided else " "
        shown = make_visible(f"{'>>' if number in sliced else mark + ' '}{number:5d}  {line.rstrip()}")
        marked.append(f"{_DIM}{shown}{_PLAIN}" if colour and number not in inside else shown)
    if projection.slice is not None:
        marked += [
            "",
            f"The target depends on {len(sliced)} of {len(inside)} lines (>>); what else is marked is passed.",
        ]
    annotated = [make_visible(_annotation(node)) for node in projection.nodes if has_annotation(node)]
    marked += ["", *annotated] if annotated else []
    marked += ["", *said] if (said := list(switches_to_text(projection))) else []
    marked += ["", *said] if (said := list(causes_to_text(projection))) else []
    if projection.note and not projection.undecided:
        marked += ["", shortage_of_witnesses(projection)]
    return "\n".join(marked) + "\n"


def projection_to_json(projection: Projection, options: Mapping[str, object] | None = None) -> str:
    """Return the projection as one JSON object on one line; `options` are what was in force."""
    verdict, word = ("FALSE", "reachable") if projection.nodes else ("TRUE", "unreachable")
    reason = f"{target_names(projection)} is {word}"
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
        whole["note"] = projection.note if projection.undecided else shortage_of_witnesses(projection)
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


def _annotation(node: Node) -> str:
    parts = [] if node.values is None else [" | ".join(text_of_valuations(node.values))]
    parts += [] if node.witness is None else [f"witness of {node.witness.expanded_length} steps"]
    return f"  line {node.line}, {node.procedure}: {', '.join(parts)}"


def has_annotation(node: Node) -> bool:
    """Tell whether there is something to say of a statement besides that it can matter."""
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


def text_of_valuations(values: Values) -> list[str]:
    """Return each valuation as text; the last one says whether there are more."""
    texts = [_valuation(each) for each in values.valuations]
    return texts if values.complete or not texts else [*texts[:-1], f"{texts[-1]} and more"]


def projection_sentence(projection: Projection) -> str:
    """Say how many lines can matter."""
    bound = "" if projection.bound is None else f" with {projection.bound}"
    undecided = len(projection.open_lines)
    if not projection.nodes and not undecided:
        return f"no execution{bound} reaches {target_names(projection)}: no line matters."
    inside, outside = len(projection.lines), len(projection.outside)
    total = inside + outside + undecided
    said = f"{inside} of {total} lines with statements can matter for {target_names(projection)}{bound}."
    return f"{said} Of {undecided} it is not known: {projection.note}." if undecided else said


def target_names(projection: Projection) -> str:
    """Name the targets, as many as a line has room for."""
    names = [target.name for target in projection.targets]
    few = names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    return few[0] if len(few) == 1 else f"{', '.join(few[:-1])} or {few[-1]}"


def shortage_of_witnesses(projection: Projection) -> str:
    """Say how many witnesses there are, and why not more."""
    found = sum(node.witness is not None for node in projection.nodes)
    return f"Witnesses for {found} of {len(projection.nodes)} statements: {projection.note}."


def _source(projection: Projection) -> list[str]:
    return projection.program.source.rstrip("\n").split("\n")
