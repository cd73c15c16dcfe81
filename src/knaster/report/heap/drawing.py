"""A picture of the heap as SVG and for Graphviz; the SVG stands alone, and several of them may stand on one page."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.flow.layers import Size
from knaster.report.flow.svg import FONT, printable
from knaster.report.heap.layout import PADDING, ROW, Arranged, arrange
from knaster.report.heap.picture import Box, Picture, picture

INK, MARK = "#334155", "#fde68a"
STYLE = {
    "text": f"font:12px {FONT};fill:#111",
    ".title": "font-weight:bold",
    ".caption": "fill:#475569",
    ".cell": f"fill:#f8fafc;stroke:{INK}",
    ".frame": "fill:#fefce8;stroke:#a16207",
    ".statics": "fill:#eff6ff;stroke:#1d4ed8",
    ".changed": "stroke-width:2",
    ".mark": f"fill:{MARK}",
    ".arrow": f"fill:none;stroke:{INK}",
    ".panel": "fill:none;stroke:#cbd5e1",
    ".leads": "font-size:20px;fill:#475569",
}


def heap_to_svg(drawn: Picture) -> str:
    """Return a picture as SVG."""
    whole = arrange(drawn)
    key = f"h{crc32(repr(drawn).encode('utf-8', 'replace')):08x}"
    width = max(whole.width, len(drawn.caption) * 7.4 + 40)
    body = [f'<text class="caption" x="20" y="22">{printable(drawn.caption)}</text>', *drawn_parts(drawn, whole, key)]
    return heap_document(key, drawn.caption, width, whole.height, body)


def heap_before_step(program: Program, trace: Trace, step: int) -> str:
    """Return the heap before a step of a trace as SVG."""
    return heap_to_svg(picture(program, trace, step))


def heap_document(key: str, title: str, width: float, height: float, body: list[str]) -> str:
    """Return a whole SVG; styles and names hold inside it only."""
    style = "".join(f"#{key} {selector}{{{rules}}}" for selector, rules in STYLE.items())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{key}" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<title>{printable(title)}</title><style>{style}</style>{tip(key)}",
            '<rect width="100%" height="100%" fill="#fff"/>',
            *body,
            "</svg>",
            "",
        ]
    )


def tip(key: str) -> str:
    """Return the tip of an arrow."""
    return (
        f'<defs><marker id="{key}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>'
    )


def drawn_parts(drawn: Picture, whole: Arranged, key: str, down: float = 0.0) -> Iterator[str]:
    """Yield the records and the references of a picture, moved down."""
    yield f'<g transform="translate(0 {down:.0f})">'
    for box, corner, size in zip(drawn.boxes, whole.corners, whole.sizes, strict=True):
        yield from _record(box, *corner, size)
    for path in whole.paths:
        yield f'<path class="arrow" marker-end="url(#{key}-tip)" d="{path}"/>'
    yield "</g>"


def _record(box: Box, x: float, y: float, size: Size) -> Iterator[str]:
    kind = f"{box.kind} changed" if box.changed else box.kind
    yield f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" width="{size.width:.0f}" height="{size.height:.0f}" rx="4"/>'
    yield f'<text class="title" x="{x + PADDING:.0f}" y="{y + 14:.0f}">{printable(box.title)}</text>'
    for index, row in enumerate(box.rows):
        top = y + (index + 1) * ROW + 2
        if row.changed:
            yield f'<rect class="mark" x="{x + 1:.0f}" y="{top:.0f}" width="{size.width - 2:.0f}" height="{ROW:.0f}"/>'
        yield f'<text x="{x + PADDING:.0f}" y="{top + 13:.0f}">{printable(row.shown)}</text>'


def heap_to_dot(drawn: Picture) -> str:
    """Return a picture for Graphviz."""
    lines = ["digraph heap {", "  rankdir=LR;", "  node [shape=record, fontname=monospace];"]
    lines.append(f'  label="{_quote(drawn.caption)}";')
    for number, box in enumerate(drawn.boxes):
        rows = "".join(f"|<f{index}> {_escape(row.shown)}" for index, row in enumerate(box.rows))
        style = f', style=filled, fillcolor="{MARK}"' if box.changed else ""
        lines.append(f'  b{number} [label="{_escape(box.title)}{rows}"{style}];')
    lines += [f"  b{source}:f{index} -> b{target};" for source, index, target in drawn.links()]
    return "\n".join([*lines, "}", ""])


def _escape(text: str) -> str:
    return _quote("".join(f"\\{each}" if each in "{}|<> " else each for each in text.replace("\\", "\\\\")))


def _quote(text: str) -> str:
    return text.replace('"', '\\"')
