"""Summaries of a program with references as pictures: what a call sees before, and what it leaves behind.

Of patterns only what the call has read is there before; what an effect has written, and the cells that are new, stand
out after it.  Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), Figure 1
and section 6, describe them in this way by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

from knaster.base.records import replace
from knaster.evidence.proofs.heap.effect_table import EffectRow, EffectTable, RootRow
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.model import Procedure
from knaster.program.objects import ClassCell
from knaster.program.types import Reference, Value
from knaster.report.flow.svg import printable
from knaster.report.heap.drawing import drawn_parts, heap_document
from knaster.report.heap.layout import Arranged, arrange
from knaster.report.heap.picture import Box, Picture, Row, rows
from knaster.report.heap.values import Shown

MOST = 40  # calls of a method that are drawn
_PAGE, _MARGIN, _HEAD, _BETWEEN, _LOWER = 1180.0, 14.0, 34.0, 34.0, 24.0
_UNDONE = object()  # what was not there before


def summaries_to_svg(table: EffectTable, note: str = "") -> str:
    """Return a picture of every call of every method, before it and after each of its effects."""
    page = _Page(f"h{crc32(f'{table.program.file}{table.program.source}'.encode('utf-8', 'replace')):08x}")
    show = Shown(table.program)
    for procedure in table.program.procedures:
        roots = [root for root in table.roots if root.procedure == procedure.name]
        if not roots:
            continue
        page.headline(f"{procedure.name}: {_entries(roots)}, {_effects(roots)}")
        for number, root in enumerate(roots[:MOST], start=1):
            page.add(*_panel(show, procedure, root, number))
        if len(roots) > MOST:
            page.line(f"and {len(roots) - MOST:,} more")
    if note:
        page.line(note)
    return page.text(f"summaries of {table.program.file}")


def before(show: Shown, procedure: Procedure, root: RootRow, caption: str = "before") -> Picture:
    """Return what a call begins with."""
    boxes = [
        Box("frame", procedure.name, tuple(_variables(show, procedure.name, procedure.parameters, root.formals))),
        Box("statics", "statics", tuple(_variables(show, "", show.program.globals, root.statics))),
        *(_cell(show, reference, slots, slots) for reference, slots in root.cells.items()),
    ]
    return Picture(tuple(box for box in boxes if box.rows or box.kind == "cell"), caption)


def after(show: Shown, procedure: Procedure, root: RootRow, effect: EffectRow, caption: str) -> Picture:
    """Return what a call leaves behind; what it has written stands out."""
    boxes = []
    if effect.exception is not None:
        boxes.append(Box("frame", f"raises {effect.exception}", ()))
    elif effect.results:
        results = tuple(_variables(show, procedure.name, procedure.results, effect.results))
        boxes.append(
            Box("frame", "returns", tuple(replace(row, name=row.name.replace("@", "result ")) for row in results))
        )
    boxes.append(
        Box("statics", "statics", tuple(_variables(show, "", show.program.globals, effect.statics, root.statics)))
    )
    for reference, slots in {**root.cells, **effect.changed}.items():
        if reference in root.cells:
            boxes.append(_cell(show, reference, slots, root.cells[reference]))
        else:
            fresh = _cell(show, reference, slots, None)
            boxes.append(replace(fresh, title=f"new {fresh.title}"))
    return Picture(tuple(box for box in boxes if box.rows or box.kind != "statics"), caption)


def _panel(show: Shown, procedure: Procedure, root: RootRow, number: int) -> tuple[Picture, list[Picture]]:
    first = before(show, procedure, root, f"{_word(root)} {number}")
    if not first.boxes:
        first = replace(first, caption=f"{_word(root)} {number}: {'anything' if root.held is None else 'nothing'}")
    found = []
    for index, effect in enumerate(root.effects, start=1):
        which = f"effect {index} of {len(root.effects)}" if len(root.effects) > 1 else "after"
        drawn = after(show, procedure, root, effect, which)
        found.append(
            drawn
            if any(box.changed or box.kind == "frame" for box in drawn.boxes)
            else Picture((), f"{which}: nothing changes")
        )
    return first, found or [Picture((), "it does not return")]


def _variables(
    show: Shown, procedure: str, names: Sequence[str], values: Sequence[Any], old: Sequence[Any] | None = None
) -> Iterator[Row]:
    for index, (name, value) in enumerate(zip(names, values, strict=True)):
        if value is not UNREAD:
            before = value if old is None else old[index]
            yield from _rows(show, show.name(name), value, show.type(name, procedure), before)


def _cell(show: Shown, reference: Reference, slots: Any, old: Any) -> Box:
    """Return a cell with its slots that are known; `old` has them before, None for a new cell."""
    cell = show.cells[reference.target]
    title = f"{reference.target}#{reference.number}"
    if slots is UNREAD:
        return Box("cell", title, (), reference)
    fields = cell.fields if isinstance(cell, ClassCell) else [(str(i), cell.element) for i in range(len(slots))]
    known = old if isinstance(old, tuple) else ()
    found: list[Row] = []
    for index, (name, type) in enumerate(fields):
        if slots[index] is not UNREAD:
            before = known[index] if index < len(known) else _UNDONE
            found += _rows(show, name, slots[index], type, before)
    if old is UNREAD or (isinstance(old, tuple) and len(old) > len(slots)):
        found.append(Row("(changed)", changed=True))
    return Box("cell", title, tuple(found), reference)


def _rows(show: Shown, name: str, value: Value, type: Any, before: Any) -> Iterator[Row]:
    if before is UNREAD or before is _UNDONE:
        yield from (replace(row, changed=True) for row in rows(show, name, value, type, value))
    else:
        yield from rows(show, name, value, type, before)


def _word(root: RootRow) -> str:
    """Return what the entry of a call is: a pattern, or all that it can see."""
    return "pattern" if root.held is None else "entry"


def _entries(roots: Sequence[RootRow]) -> str:
    word = _word(roots[0])
    return f"{len(roots):,} {word if len(roots) == 1 else {'pattern': 'patterns', 'entry': 'entries'}[word]}"


def _effects(roots: Sequence[RootRow]) -> str:
    number = sum(len(root.effects) for root in roots)
    return f"{number:,} {'effect' if number == 1 else 'effects'}"


class _Page:
    """Panels from left to right, row by row, below the headlines of their methods."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.parts: list[str] = []
        self.x = _MARGIN
        self.y = _MARGIN
        self.tallest = 0.0
        self.widest = 0.0

    def headline(self, text: str) -> None:
        """Begin the panels of a method."""
        self._break()
        self.y += _HEAD
        self.parts.append(f'<text class="title" x="{_MARGIN:.0f}" y="{self.y - 10:.0f}">{printable(text)}</text>')

    def line(self, text: str) -> None:
        """Add a remark below."""
        self._break()
        self.y += _LOWER
        self.parts.append(f'<text class="caption" x="{_MARGIN:.0f}" y="{self.y - 8:.0f}">{printable(text)}</text>')

    def add(self, first: Picture, others: Sequence[Picture]) -> None:
        """Add a panel: what there is before, and what there is after each effect, one below the other."""
        start, ends = arrange(first), [arrange(other) for other in others]
        left = _wide(first, start)
        width = left + _BETWEEN + max(_wide(other, end) for other, end in zip(others, ends, strict=True))
        height = max(start.height, sum(end.height for end in ends))
        if self.x > _MARGIN and self.x + width > _PAGE:
            self._break()
        self.parts += [
            f'<g transform="translate({self.x:.0f} {self.y:.0f})">',
            f'<rect class="panel" width="{width:.0f}" height="{height:.0f}" rx="6"/>',
            *self._picture(first, start, 0.0, 0.0),
        ]
        down = 0.0
        for other, end in zip(others, ends, strict=True):
            self.parts.append(f'<text class="leads" x="{left + 6:.0f}" y="{down + 25:.0f}">⇒</text>')
            self.parts += self._picture(other, end, left + _BETWEEN - 14, down)
            down += end.height
        self.parts.append("</g>")
        self.x += width + _MARGIN
        self.widest, self.tallest = max(self.widest, self.x), max(self.tallest, height)

    def _picture(self, drawn: Picture, whole: Arranged, x: float, y: float) -> Iterator[str]:
        yield f'<g transform="translate({x:.0f} {y:.0f})">'
        yield f'<text class="caption" x="20" y="22">{printable(drawn.caption)}</text>'
        yield from drawn_parts(drawn, whole, self.key)
        yield "</g>"

    def _break(self) -> None:
        if self.tallest:
            self.y += self.tallest + _MARGIN
        self.x, self.tallest = _MARGIN, 0.0

    def text(self, title: str) -> str:
        """Return the whole page."""
        self._break()
        return heap_document(self.key, title, max(self.widest, 300.0), self.y + _MARGIN, self.parts)


def _wide(drawn: Picture, whole: Arranged) -> float:
    return max(whole.width, len(drawn.caption) * 7.4 + 30)
