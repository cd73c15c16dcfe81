"""A trace of several threads as a picture: a lane for each thread, a box for each context, an arrow for each switch.

The text stands alone, like that of `svg`: no script, no font, no style sheet from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from knaster.base.records import replace
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.entries import Form, list_entries
from knaster.report.flow.svg import CHARACTER, FONT, cut, printable
from knaster.report.lanes.rows import Context, Row, contexts_of, lanes_of
from knaster.report.lanes.table import COLOURS

_ROW, _PADDING, _MARGIN = 16.0, 8.0, 18.0
_BETWEEN = 30.0  # from one context to the next one
_HEAD = 30.0
_TALLEST = 40  # rows of a context that are shown
_NARROWEST = 14  # characters of a lane
_VALUES = 60  # characters of values that are shown

_STYLE = {
    "text": f"font:11px {FONT};fill:#1f2937",
    ".head": "font-weight:bold",
    ".number": "fill:#94a3b8",
    ".value": "fill:#475569",
    ".goal": "font-weight:bold;fill:#b91c1c",
    ".more": "fill:#94a3b8;font-style:italic",
    ".life": "stroke:#cbd5e1;stroke-dasharray:2 4",
    ".switch": "fill:none;stroke:#64748b;stroke-width:1.5",
    ".label": "font-size:10px;fill:#475569",
}
_OF_CYCLES = {".cycle": "fill:none;stroke:#7c3aed;stroke-width:3", ".again": "font-size:10px;fill:#7c3aed"}


def lanes_to_svg(program: Program, trace: Trace, form: Form | None = None) -> str:
    """Return a picture of a trace with a lane for each thread."""
    contexts = list(contexts_of(list_entries(program, trace, form)))
    return _Picture(program, contexts).text()


def lasso_to_svg(program: Program, lasso: Lasso, form: Form | None = None) -> str:
    """Return a picture of a run that never ends with a lane for each thread, and a line beside its cycle."""
    stem, cycle = (list(contexts_of(list_entries(program, part, form))) for part in (lasso.stem, lasso.cycle))
    if lasso.stays:
        return _Picture(program, stem).text()
    before = [each for each in map(_without_target, stem) if each.rows]
    after = len(stem) - 1
    around = [replace(each, number=each.number + after) for each in map(_without_target, cycle) if each.rows]
    return _Picture(program, before + around, len(before)).text()


def _without_target(context: Context) -> Context:
    """Return a context without the statement at which a part of a run only stops."""
    return replace(context, rows=tuple(row for row in context.rows if not row.is_target))


class _Picture:
    """Where everything stands: line numbers at the left, then the lanes, then the values."""

    def __init__(self, program: Program, contexts: Sequence[Context], cycle: int | None = None) -> None:
        self.contexts, self.cycle = contexts, cycle  # with which context the cycle begins
        self.lanes = lanes_of(program, list(contexts))
        self.title = program.file
        self.key = f"k{crc32(f'{program.file}{contexts}'.encode('utf-8', 'replace')):08x}"
        self.digits = max(len(str(row.line)) for context in contexts for row in context.rows)
        widths = {number: max(_NARROWEST, len(self._head(number))) for number in self.lanes}
        for context in contexts:
            longest = max(len(cut(row.text)) for row in context.rows)
            widths[context.thread] = max(widths[context.thread], longest)
        self.left: dict[int, float] = {}
        self.width: dict[int, float] = {}
        x = _MARGIN + (self.digits + 1.5) * CHARACTER
        for number, characters in widths.items():
            self.left[number], self.width[number] = x, characters * CHARACTER + 2 * _PADDING
            x += self.width[number] + _MARGIN
        self.values = x
        shown = max(len(_values(row)) for context in contexts for row in context.rows)
        self.right = x + max(shown, _NARROWEST) * CHARACTER + _MARGIN

    def text(self) -> str:
        """Return the whole picture."""
        boxes: list[str] = []
        y = _MARGIN + _HEAD
        leaving: tuple[float, float] | None = None
        last, top = 0, y
        for number, context in enumerate(self.contexts):
            if leaving is not None and context.thread != last:
                boxes.append(self._switch(context, leaving, y))
            drawn, below = self._context(context, y)
            boxes.append(drawn)
            last, top = context.thread, y if number == self.cycle else top
            leaving = (self._middle(context.thread), below)
            y = below + _BETWEEN
        bottom = y - _BETWEEN + _MARGIN
        if self.cycle is not None:
            boxes.append(_around(top, y - _BETWEEN))
        heads = [self._lane(number, bottom - _MARGIN / 2) for number in self.lanes]
        styles = {**_STYLE, **(_OF_CYCLES if self.cycle is not None else {})}
        style = "".join(f"#{self.key} {selector}{{{rules}}}\n" for selector, rules in styles.items())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{self.key}" viewBox="0 0 {self.right:.0f} {bottom:.0f}" '
            f'width="{self.right:.0f}" height="{bottom:.0f}">\n<title>{printable(self.title)}</title>\n'
            f"<style>\n{style}</style>\n{self._tip()}\n"
            f'<rect width="100%" height="100%" fill="#fff"/>\n{"".join(heads)}'
            f'<text class="head" x="{self.values:.1f}" y="{_MARGIN + 11:.1f}">values before it</text>\n'
            f"{''.join(boxes)}</svg>\n"
        )

    def _tip(self) -> str:
        return (
            f'<defs><marker id="{self.key}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#64748b"/></marker></defs>'
        )

    def _head(self, number: int) -> str:
        return f"thread {number}: {self.lanes[number]}"

    def _middle(self, number: int) -> float:
        return self.left[number] + self.width[number] / 2

    def _lane(self, number: int, bottom: float) -> str:
        x, top, colour = self.left[number], _MARGIN + 17, COLOURS[(number - 1) % len(COLOURS)]
        return (
            f'<text class="head" x="{x:.1f}" y="{_MARGIN + 11:.1f}">{printable(self._head(number))}</text>'
            f'<path d="M{x:.1f} {top:.1f}h{self.width[number]:.1f}" stroke="{colour}" stroke-width="3"/>'
            f'<path class="life" d="M{self._middle(number):.1f} {top:.1f}V{bottom:.1f}"/>\n'
        )

    def _context(self, context: Context, top: float) -> tuple[str, float]:
        """Return the box of a context, and where it ends."""
        x, width = self.left[context.thread], self.width[context.thread]
        rows = _shorten(context.rows)
        height = len(rows) * _ROW + _PADDING
        colour = COLOURS[(context.thread - 1) % len(COLOURS)]
        parts = [
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="3" fill="#fff"/>'
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="3" '
            f'fill="{colour}" fill-opacity="0.1" stroke="{colour}"/>'
        ]
        for number, row in enumerate(rows):
            base = top + _PADDING / 2 + (number + 1) * _ROW - 4.5
            parts.append(self._row(row, x + _PADDING, base))
        return "".join(parts) + "\n", top + height

    def _row(self, row: Row | str, x: float, base: float) -> str:
        if isinstance(row, str):
            return f'<text class="more" x="{x:.1f}" y="{base:.1f}">{printable(row)}</text>'
        depth = len(row.text) - len(row.text.lstrip())
        kind = ' class="goal"' if row.is_target else ""
        whole = f"{row.procedure}, line {row.line}: {row.text.strip()}"
        edge = _MARGIN + self.digits * CHARACTER
        return (
            f'<text class="number" x="{edge:.1f}" y="{base:.1f}" text-anchor="end">{row.line}</text>'
            f'<text{kind} x="{x + depth * CHARACTER:.1f}" y="{base:.1f}">{printable(cut(row.text).lstrip())}'
            f"<title>{printable(whole)}</title></text>{self._values(row, base)}"
        )

    def _values(self, row: Row, base: float) -> str:
        whole, shown = " ".join(row.values), _values(row)
        if not whole:
            return ""
        more = f"<title>{printable(whole)}</title>" if shown != whole else ""
        return f'<text class="value" x="{self.values:.1f}" y="{base:.1f}">{printable(shown)}{more}</text>'

    def _switch(self, context: Context, leaving: tuple[float, float], top: float) -> str:
        """Return an arrow from the end of one context to the beginning of the next one."""
        x, y = leaving
        goal, middle = self._middle(context.thread), (leaving[1] + top) / 2
        return (
            f'<path class="switch" d="M{x:.1f} {y:.1f}V{middle:.1f}H{goal:.1f}V{top:.1f}" '
            f'marker-end="url(#{self.key}-tip)"/>'
            f'<text class="label" x="{_MARGIN:.1f}" y="{middle + 3.5:.1f}">switch {context.number}</text>\n'
        )


def _around(top: float, bottom: float) -> str:
    """Return the line beside the cycle."""
    x = _MARGIN / 2
    return (
        f'<path class="cycle" d="M{x + 4:.1f} {bottom:.1f}H{x:.1f}V{top:.1f}H{x + 4:.1f}"/>'
        f'<text class="again" x="{x:.1f}" y="{top - 4:.1f}">the cycle, for ever</text>\n'
    )


def _shorten(rows: Sequence[Row]) -> list[Row | str]:
    shown: list[Row | str] = list(rows)
    if len(shown) > _TALLEST:
        keep = _TALLEST // 2
        shown[keep:-keep] = [f"... {len(rows) - 2 * keep} more statements ..."]
    return shown


def _values(row: Row) -> str:
    return cut(" ".join(row.values), _VALUES)
