"""A picture of the heap at one step of a trace.

Statics, the frames of every thread and the cells are records, references are arrows.
Ranks go from left to right, so a list reads like a sentence.  What the step changes stands out; garbage is not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from knaster.errors import UsageError
from knaster.heap.configuration import Configuration
from knaster.heap.interpreter import Machine
from knaster.program.model import Program
from knaster.program.objects import ClassCell
from knaster.program.types import Reference, Type, Value
from knaster.results.heap_replay import steps_of
from knaster.results.render.heap_values import Shown, visible
from knaster.results.render.layered import Size, place
from knaster.results.trace import Trace

_ROW, _CHARACTER, _PADDING = 18.0, 7.4, 8.0
_STYLE = """text { font: 12px monospace; fill: #111 } .title { font-weight: bold }
.cell { fill: #f8fafc; stroke: #334155 } .frame { fill: #fefce8; stroke: #a16207 }
.statics { fill: #eff6ff; stroke: #1d4ed8 }
.changed { fill: #fde68a } .arrow { fill: none; stroke: #334155 } .null { stroke: #94a3b8 }
"""


@dataclass(slots=True)
class Box:
    """A record: a title and rows of name, text, the cell that it points to, and whether the step changes it."""

    kind: str
    title: str
    rows: list[tuple[str, str, Reference | None, bool]] = field(default_factory=list)
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes, the index of each cell's box, and a caption."""

    boxes: list[Box]
    cells: dict[Reference, int]
    caption: str


def picture(program: Program, trace: Trace, step: int | None = None) -> Picture:
    """Return what there is before a step of a trace, counted from 1; None is the end of the trace."""
    machine = Machine(program)
    now = machine.start()
    after: Configuration | None = None
    count = 0
    for thread, taken in steps_of(trace):
        count += 1
        if after is not None:
            now, after = after, None
        values = list(machine.alternatives(now, thread))
        after = now.copy()
        machine.step(after, thread, values.index(taken.inputs[0]) if taken.inputs else 0)
        if count == step:
            return _drawn(program, now, after, f"before step {step}, line {taken.edge.span.line}, thread {thread}")
    if step is not None:
        raise UsageError(f"the trace has {count} steps; there is no step {step}")
    return _drawn(program, after or now, None, f"after {count} steps")


def _drawn(program: Program, now: Configuration, after: Configuration | None, caption: str) -> Picture:
    show = Shown(program)
    boxes = [_variables(show, "statics", "statics", "", now.statics, after.statics if after else now.statics)]
    values: list[Value] = list(now.statics.values())
    for number, frames in enumerate(now.threads, start=1):
        for depth, frame in enumerate(frames):
            later = after.threads[number - 1] if after else frames
            new = later[depth].values if depth < len(later) else frame.values
            title = f"{frame.procedure}, thread {number}" if len(now.threads) > 1 else frame.procedure
            boxes.append(_variables(show, "frame", title, frame.procedure, frame.values, new))
            values += frame.values.values()
    cells: dict[Reference, int] = {}
    for reference in visible(values, now.heap):
        cells[reference] = len(boxes)
        boxes.append(_cell(show, reference, now, after))
    if not boxes[0].rows and len(boxes) > 1:
        del boxes[0]
        cells = {reference: number - 1 for reference, number in cells.items()}
    return Picture(boxes, cells, caption)


def _variables(
    show: Shown, kind: str, title: str, procedure: str, values: dict[str, Value], new: dict[str, Value]
) -> Box:
    box = Box(kind, title)
    for name, value in values.items():
        box.rows.append(_row(show, show.name(name), value, show.type(name, procedure), new.get(name, value) != value))
    return box


def _cell(show: Shown, reference: Reference, now: Configuration, after: Configuration | None) -> Box:
    slots, cell = now.heap[reference], show.cells[reference.target]
    new = after.heap[reference] if after is not None else slots
    box = Box("cell", f"{reference.target}#{reference.number}", changed=new != slots)
    if isinstance(cell, ClassCell):
        for index, (name, type) in enumerate(cell.fields):
            box.rows.append(_row(show, name, slots[index], type, new[index] != slots[index]))
    else:
        for index, value in enumerate(slots):
            box.rows.append(_row(show, str(index), value, cell.element, index >= len(new) or new[index] != value))
    return box


def _row(show: Shown, name: str, value: Value, type: Type, changed: bool) -> tuple[str, str, Reference | None, bool]:
    target = value if isinstance(value, Reference) else None
    return name, "" if target else "∅" if value is None else show.text(value, type), target, changed


def heap_to_dot(drawn: Picture) -> str:
    """Return a picture for Graphviz."""
    lines = ["digraph heap {", "  rankdir=LR;", "  node [shape=record, fontname=monospace];"]
    lines.append(f'  label="{_quoted(drawn.caption)}";')
    for number, box in enumerate(drawn.boxes):
        rows = "|".join(f"<f{i}> {_record(f'{name} {text}'.strip())}" for i, (name, text, _, _) in enumerate(box.rows))
        style = ', style=filled, fillcolor="#fde68a"' if box.changed else ""
        lines.append(f'  b{number} [label="{_record(box.title)}{"|" if rows else ""}{rows}"{style}];')
        for index, (_, _, target, _) in enumerate(box.rows):
            if target is not None:
                lines.append(f"  b{number}:f{index} -> b{drawn.cells[target]};")
    return "\n".join([*lines, "}", ""])


def heap_to_svg(drawn: Picture) -> str:
    """Return a picture as SVG."""
    sizes = [_size(box) for box in drawn.boxes]
    links = [
        (number, index, drawn.cells[target])
        for number, box in enumerate(drawn.boxes)
        for index, (_, _, target, _) in enumerate(box.rows)
        if target is not None
    ]
    turned = [Size(size.height, size.width) for size in sizes]
    placed = place(turned, [(source, target) for source, _, target in links if source != target], 22.0, 60.0)
    corners = [
        (placed.top[number] + 20, placed.x[number] - sizes[number].height / 2 + 40) for number in range(len(sizes))
    ]
    width = max(x + size.width for (x, _), size in zip(corners, sizes, strict=True)) + 40
    height = max(y + size.height for (_, y), size in zip(corners, sizes, strict=True)) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">',
        f"<title>{escape(drawn.caption)}</title><style>{_STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#334155"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="20" y="22">{escape(drawn.caption)}</text>',
    ]
    for number, box in enumerate(drawn.boxes):
        parts += _drawn_box(box, *corners[number], sizes[number])
    for source, index, target in links:
        x, y = corners[source][0] + sizes[source].width - 6, corners[source][1] + (index + 1.5) * _ROW + 2
        end_x, end_y = corners[target][0], corners[target][1] + _ROW * 0.6
        bend = max(30.0, abs(end_x - x) / 2)
        parts.append(
            f'<path class="arrow" marker-end="url(#tip)" d="M{x:.1f} {y:.1f}'
            f'C{x + bend:.1f} {y:.1f} {end_x - bend:.1f} {end_y:.1f} {end_x:.1f} {end_y:.1f}"/>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _size(box: Box) -> Size:
    longest = max([len(box.title), *(len(name) + len(text) + 3 for name, text, _, _ in box.rows)])
    return Size(longest * _CHARACTER + 2 * _PADDING, (len(box.rows) + 1) * _ROW + 6)


def _drawn_box(box: Box, x: float, y: float, size: Size) -> Iterator[str]:
    kind = f"{box.kind} changed" if box.changed else box.kind
    yield f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{size.width:.1f}" height="{size.height:.1f}" rx="4"/>'
    yield f'<text class="title" x="{x + _PADDING:.1f}" y="{y + 14:.1f}">{escape(box.title)}</text>'
    for index, (name, text, _, changed) in enumerate(box.rows):
        top = y + (index + 1) * _ROW + 2
        if changed:
            yield f'<rect class="changed" x="{x + 1:.1f}" y="{top:.1f}" width="{size.width - 2:.1f}" height="{_ROW}"/>'
        yield f'<text x="{x + _PADDING:.1f}" y="{top + 13:.1f}">{escape(f"{name} {text}".strip())}</text>'


def _record(text: str) -> str:
    return _quoted("".join(f"\\{each}" if each in "{}|<> " else each for each in text))


def _quoted(text: str) -> str:
    return text.replace('"', '\\"')
