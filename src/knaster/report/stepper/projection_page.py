"""The page of `knaster project`: the text, what cannot matter shaded, values and witnesses that unfold at a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from knaster.evidence.answers.projection import Node, Projection
from knaster.report.html import trace_to_html
from knaster.report.projection import (
    causes_to_text,
    has_annotation,
    projection_sentence,
    shortage_of_witnesses,
    switches_to_text,
    target_names,
    text_of_valuations,
)
from knaster.report.stepper.page import data_element, search_bar, whole
from knaster.report.stepper.panels import panel

OUTSIDE, OPEN = "cannot matter", "not known"


def projection_to_html(projection: Projection) -> str:
    """Return the page, which has the style of those that `check` makes."""
    file = projection.program.file
    traces = list({id(node.witness): node.witness for node in projection.nodes if node.witness is not None}.values())
    numbers = {id(trace): number for number, trace in enumerate(traces, start=1)}
    header = f'<header><h1>{escape(file)}</h1><p id="verdict">{escape(_sentence(projection))}</p></header>'
    lines = "".join(_lines(projection, numbers))
    code = f'<div class="scroll code" tabindex="0" role="region" aria-label="source text">{lines}</div>'
    more = [*switches_to_text(projection), *causes_to_text(projection)]
    told = panel("causes", "Runs", f"<p>{'<br>'.join(map(escape, more))}</p>") if more else ""
    runs = "".join(
        f'<h3 id="w{numbers[id(trace)]}">Witness {numbers[id(trace)]}</h3>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="witness {numbers[id(trace)]}">'
        f"{trace_to_html(projection.program, trace)}</div>"
        for trace in traces
    )
    columns = f'<div class="column">{panel("source", "Source", code)}</div>'
    if told or runs:
        columns += f'<div class="column">{told}{panel("witnesses", "Witnesses", runs) if runs else ""}</div>'
    body = f'<main data-steps="0" data-step="0">{search_bar()}<div class="panels">{columns}</div></main>'
    return whole(f"{file}: what can matter for {target_names(projection)}", f"{header}\n{body}\n{data_element({})}")


def projection_to_frame(projection: Projection) -> str:
    """Return the page inside a frame, for notebooks: its style must not become that of the notebook."""
    page = escape(projection_to_html(projection))
    return f'<iframe srcdoc="{page}" sandbox="" style="width: 100%; height: 32em; border: 0"></iframe>'


def _sentence(projection: Projection) -> str:
    sentence = projection_sentence(projection)
    if any(map(has_annotation, projection.nodes)):
        sentence += " Click on a marked line for the values with which it can matter, and for a witness."
    if projection.note and not projection.undecided:
        sentence += f" {shortage_of_witnesses(projection)}"
    return sentence


def _lines(projection: Projection, numbers: Mapping[int, int]) -> Iterator[str]:
    """Yield the lines of the program; a line with annotations unfolds."""
    by_line: dict[int, list[Node]] = {}
    for node in projection.nodes:
        by_line.setdefault(node.line, []).append(node)
    outside, undecided = set(projection.outside), set(projection.open_lines)
    for number, text in enumerate(projection.program.source.rstrip("\n").split("\n"), start=1):
        shown = f"<i>{number}</i><code>{escape(text.rstrip()) or ' '}</code>"
        if number in by_line:
            nodes = [node for node in by_line[number] if has_annotation(node)]
            inner = "".join(f"<p>{_annotation(node, numbers)}</p>" for node in nodes)
            unfolds = f"<details><summary>{shown}</summary>{inner}</details>"
            yield f'<div data-line="{number}" data-matters>{unfolds if nodes else shown}</div>'
        elif number in outside or number in undecided:
            word = OUTSIDE if number in outside else OPEN
            yield f'<div data-line="{number}" data-unreached>{shown}<span class="never">{word}</span></div>'
        else:
            yield f'<div data-line="{number}">{shown}</div>'


def _annotation(node: Node, numbers: Mapping[int, int]) -> str:
    number = numbers.get(id(node.witness))
    witness = f' (<a href="#w{number}">witness {number}</a>)' if number is not None else ""
    if node.values is None:
        return f"in <b>{escape(node.procedure)}</b>{witness}"
    values = "<br>".join(map(escape, text_of_valuations(node.values)))
    return f"in <b>{escape(node.procedure)}</b>{witness} with<br>{values}"
