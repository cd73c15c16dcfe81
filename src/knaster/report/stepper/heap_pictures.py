"""The pictures of the heap along a run, for the script of the page: records and references are listed once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.evidence.traces.trace import Trace
from knaster.program.model import Kind, Program
from knaster.report.entries import Entry
from knaster.report.heap.layout import PADDING, ROW, arrange
from knaster.report.heap.picture import Picture, pictures

MOST = 1_000  # pictures of one page


def pictures_of(program: Program, trace: Trace, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the picture before each entry, of a long run before its last ones."""
    first = max(0, len(entries) - MOST)
    wanted = {entry.step: number for number, entry in enumerate(entries[first:], first + 1)}
    draw = pictures
    if program.kind is Kind.MEMORY:
        from knaster.report.memory.picture import pictures as draw
    drawn = dict(draw(program, trace, wanted))
    end = max(drawn)
    shown = [drawn.get(entry.step, drawn[end]) for entry in entries[first:]] or [drawn[end]]
    return {"first": first, **pictures_to_data(shown), "row": ROW, "padding": PADDING}


def pictures_to_data(drawn: Sequence[Picture]) -> dict[str, Any]:
    """Return pictures as numbers: each has its size, its caption, and the numbers of its records and of its paths."""
    boxes: dict[Any, int] = {}
    placed: dict[tuple[int, int, int], int] = {}
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
    return {"boxes": list(boxes), "placed": list(placed), "paths": list(paths), "steps": steps}
