"""A program as a picture: one panel for each procedure, one box for each basic block, loops at the side.

The text stands alone: no script, no font, no style sheet from elsewhere.  A trace, where there is one, is drawn in red,
and the cycle of a run that never ends in violet.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from zlib import crc32

from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.flow.blocks import Block, BlockGraph, Row, block_graph, heading
from knaster.report.flow.layers import Placed, Size, place
from knaster.report.flow.visits import Visited, visit
from knaster.report.source import SourceText

CHARACTER = 6.65  # the width of one character of the font
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_ROW = 16.0
_PADDING = 8.0
_LONGEST = 44  # characters of a statement that are shown
_TALLEST = 24  # rows of a block that are shown
_ACROSS, _DOWN = 26.0, 34.0
_LANE = 9.0
_MARGIN = 18.0
_TITLE = 30.0
_PAGE = 1180.0

_STYLE = {
    "text": f"font:11px {FONT};fill:#1f2937",
    ".panel": "fill:#f8fafc;stroke:#cbd5e1",
    ".title": "font-weight:bold;font-size:13px;fill:#0f172a",
    ".code": "fill:#fff;stroke:#64748b",
    ".exit": "fill:#e2e8f0;stroke:#64748b",
    ".failure": "fill:#fee2e2;stroke:#b91c1c",
    ".number": "fill:#94a3b8",
    ".call": "fill:#1d4ed8",
    ".label": "font-size:10px;fill:#475569",
    ".more": "fill:#94a3b8;font-style:italic",
    ".link": "fill:none;stroke:#64748b",
    ".taken": "fill:none;stroke:#dc2626;stroke-width:2",
    ".on": "fill:#fef2f2",
    ".goal": "fill:#fecaca",
}
_OF_CYCLES = {".again": "fill:none;stroke:#7c3aed;stroke-width:3", ".around": "fill:#ede9fe"}
_TIPS = (("link", 7, "#64748b"), ("taken", 8, "#dc2626"), ("again", 9, "#7c3aed"))


def program_to_svg(program: Program, trace: Trace | None = None, cycle: Trace | None = None) -> str:
    """Return a picture of the control flow of every procedure; a trace is drawn into it, and a cycle over that."""
    source = SourceText(program)
    visited = visit(trace) if trace is not None else Visited()
    again = visit(cycle) if cycle is not None else Visited()
    key = f"k{crc32(f'{program.file}{visited.goal}{program.source}'.encode('utf-8', 'replace')):08x}"
    panels = [_Panel(key, block_graph(procedure, source), visited, again) for procedure in program.procedures]
    page = max([_PAGE, *(panel.width for panel in panels)])
    x = y = _MARGIN
    tallest = widest = 0.0
    parts: list[str] = []
    for panel in panels:
        if x > _MARGIN and x + panel.width > page:
            x, y, tallest = _MARGIN, y + tallest + _MARGIN, 0.0
        parts.append(panel.draw(x, y))
        widest = max(widest, x + panel.width)
        x, tallest = x + panel.width + _MARGIN, max(tallest, panel.height)
    return _document(program.file, key, widest + _MARGIN, y + tallest + _MARGIN, "".join(parts))


def _document(title: str, key: str, width: float, height: float, body: str) -> str:
    """Return the whole picture; styles and names hold inside it only, because a page may have several."""
    styles = {**_STYLE, **(_OF_CYCLES if 'class="around"' in body else {})}
    style = "".join(f"#{key} {selector}{{{rules}}}\n" for selector, rules in styles.items())
    tips = "".join(
        f'<marker id="{key}-{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="{size}" markerHeight="{size}" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        for name, size, colour in _TIPS
        if name != "again" or f"{key}-{name}" in body
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{key}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}">\n<title>{printable(title)}</title>\n<style>\n{style}</style>\n'
        f'<defs>{tips}</defs>\n<rect width="100%" height="100%" fill="#fff"/>\n{body}</svg>\n'
    )


class _Panel:
    """The picture of one procedure."""

    def __init__(self, key: str, graph: BlockGraph, visited: Visited, again: Visited) -> None:
        self.key = key
        name = graph.procedure.name
        self.graph = graph
        self.title = heading(graph.procedure)
        self.locations = visited.locations.get(name, frozenset())
        self.edges = visited.edges.get(name, frozenset())
        self.around, self.again = again.locations.get(name, frozenset()), again.edges.get(name, frozenset())
        self.goal = visited.goal[1] if visited.goal is not None and visited.goal[0] == name else None
        self.rows = [_shorten(block) for block in graph.blocks]
        self.sizes = [_size(rows) for rows in self.rows]
        self.placed = place(self.sizes, [(link.source, link.target) for link in graph.links], _ACROSS, _DOWN)
        self.lanes = _side_lanes(self.placed, self.sizes, graph)
        self.ports = self._ports()
        right = max([x + size.width / 2 for x, size in zip(self.placed.x, self.sizes, strict=True)])
        right = max([right, *self.lanes.values(), *(x for route in self.placed.routes for x, _ in route)])
        self.width = max(right, len(self.title) * 8.0) + 2 * _PADDING + _LANE
        self.height = _TITLE + self.placed.lower[-1] + 2 * _PADDING + _DOWN * 0.75

    def draw(self, x: float, y: float) -> str:
        """Return the panel with its upper left corner at a point."""
        parts = [
            f'<g transform="translate({x:.1f} {y:.1f})" id="{self._anchor(self.graph.procedure.name)}">',
            f'<rect class="panel" width="{self.width:.1f}" height="{self.height:.1f}" rx="6"/>',
            f'<text class="title" x="{_PADDING}" y="19">{printable(self.title)}</text>',
            f'<g transform="translate({_PADDING} {_TITLE + _DOWN / 2:.1f})">',
            *(self._link(index) for index in sorted(range(len(self.graph.links)), key=self._is_taken)),
            *(self._block(index) for index in range(len(self.graph.blocks))),
            "</g></g>\n",
        ]
        return "\n".join(parts)

    def _block(self, index: int) -> str:
        size, block = self.sizes[index], self.graph.blocks[index]
        left, top = self.placed.x[index] - size.width / 2, self.placed.top[index]
        parts = [
            f'<rect class="{block.kind}" x="{left:.1f}" y="{top:.1f}" '
            f'width="{size.width:.1f}" height="{size.height:.1f}" rx="{12 if block.kind == "exit" else 3}"/>'
        ]
        digits = _digits(self.rows[index])
        for number, row in enumerate(self.rows[index]):
            parts.append(self._row(row, left, top + _PADDING / 2 + number * _ROW, size.width, digits))
        return "".join(parts)

    def _row(self, row: Row | str, left: float, top: float, width: float, digits: int) -> str:
        base = top + _ROW - 4.5
        if isinstance(row, str):
            return f'<text class="more" x="{left + _PADDING:.1f}" y="{base:.1f}">{printable(row)}</text>'
        mark = ""
        if row.location in self.locations:
            kind = "goal" if row.location == self.goal else "on"
            kind = "around" if row.location in self.around else kind
            mark = f'<rect class="{kind}" x="{left + 1:.1f}" y="{top:.1f}" width="{width - 2:.1f}" height="{_ROW}"/>'
        if not digits:
            middle = left + width / 2
            return f'{mark}<text x="{middle:.1f}" y="{base:.1f}" text-anchor="middle">{printable(row.text)}</text>'
        text = cut(row.text)
        number_x, text_x = left + _PADDING, left + _PADDING + (digits + 1.5) * CHARACTER
        number = f'<text class="number" x="{number_x:.1f}" y="{base:.1f}">{row.span.line:>{digits}}</text>'
        whole = f"<title>{printable(row.text)}</title>" if text != row.text else ""
        if row.calls is None:
            return f'{mark}{number}<text x="{text_x:.1f}" y="{base:.1f}">{printable(text)}{whole}</text>'
        link = f'<text class="call" x="{text_x:.1f}" y="{base:.1f}">{printable(text)}{whole}</text>'
        return f'{mark}{number}<a href="#{self._anchor(row.calls)}">{link}</a>'

    def _anchor(self, procedure: str) -> str:
        return f"{self.key}-{printable(procedure).replace(' ', '_')}"

    def _is_taken(self, index: int) -> bool:
        return self.graph.links[index].locations in self.edges

    def _link(self, index: int) -> str:
        link = self.graph.links[index]
        x = self.placed.x[link.source] + self.ports[index]
        bottom = self.placed.top[link.source] + self.sizes[link.source].height
        path = self._side_path(index, x, bottom) if index in self.lanes else self._down_path(index, x, bottom)
        kind = "taken" if self._is_taken(index) else "link"
        kind = "again" if self.graph.links[index].locations in self.again else kind
        label = ""
        if link.label:
            side, anchor = (3, "start") if self.ports[index] < 0 else (-3, "end")  # between the two ways
            label = (
                f'<text class="label" x="{x + side:.1f}" y="{bottom + 11:.1f}" text-anchor="{anchor}">'
                f"{link.label}</text>"
            )
        return f'<path class="{kind}" d="{path}" marker-end="url(#{self.key}-{kind})"/>{label}'

    def _ports(self) -> dict[int, float]:
        """Return where each link leaves its block, relative to the middle: left to right as the targets stand."""
        leaving: dict[int, list[int]] = {}
        for index, link in enumerate(self.graph.links):
            leaving.setdefault(link.source, []).append(index)
        ports: dict[int, float] = {}
        for source, links in leaving.items():
            links.sort(key=lambda index: (index in self.lanes, self._heading(index)))
            spread = min(24.0, self.sizes[source].width / (len(links) + 1))
            for number, index in enumerate(links):
                ports[index] = (number - (len(links) - 1) / 2) * spread
        return ports

    def _heading(self, index: int) -> float:
        route = self.placed.routes[index]
        return route[0][0] if route else self.placed.x[self.graph.links[index].target]

    def _down_path(self, index: int, x: float, y: float) -> str:
        """Return a curve that bends between ranks only, where no block is."""
        placed, link = self.placed, self.graph.links[index]
        rank = placed.rank[link.source]
        parts = [f"M{x:.1f} {y:.1f}V{placed.lower[rank]:.1f}"]
        y = placed.lower[rank]
        for next_x, next_rank in (*placed.routes[index], (placed.x[link.target], placed.rank[link.target])):
            top = placed.upper[next_rank]
            middle = (y + top) / 2
            parts.append(f"C{x:.1f} {middle:.1f} {next_x:.1f} {middle:.1f} {next_x:.1f} {top:.1f}")
            x, y = next_x, top
            if next_rank != placed.rank[link.target]:
                y = placed.lower[next_rank]
                parts.append(f"V{y:.1f}")
        return "".join(parts)

    def _side_path(self, index: int, x: float, y: float) -> str:
        """Return the way of a link that leads upwards: out below its block, up its lane, in above the target."""
        placed, link, lane, bend = self.placed, self.graph.links[index], self.lanes[index], 5.0
        low = placed.lower[placed.rank[link.source]] + _DOWN * 0.4
        high = placed.upper[placed.rank[link.target]] - _DOWN * 0.4
        goal = placed.x[link.target]
        return (
            f"M{x:.1f} {y:.1f}V{low - bend:.1f}q0 {bend} {bend} {bend}H{lane - bend:.1f}"
            f"q{bend} 0 {bend} {-bend}V{high + bend:.1f}q0 {-bend} {-bend} {-bend}H{goal + bend:.1f}"
            f"q{-bend} 0 {-bend} {bend}V{placed.top[link.target]:.1f}"
        )


def _side_lanes(placed: Placed, sizes: Sequence[Size], graph: BlockGraph) -> dict[int, float]:
    """Return the x of the lane of each link that leads upwards, right of all that stands between its ends.

    Links to the same target share a lane.
    """
    right = [0.0] * len(placed.upper)
    for vertex, size in enumerate(sizes):
        rank = placed.rank[vertex]
        right[rank] = max(right[rank], placed.x[vertex] + size.width / 2)
    for route in placed.routes:
        for x, rank in route:
            right[rank] = max(right[rank], x)
    loops: dict[int, list[int]] = {}
    for index in sorted(placed.back):
        loops.setdefault(graph.links[index].target, []).append(index)
    bottom = {head: max(placed.rank[graph.links[i].source] for i in loops[head]) for head in loops}
    lanes: dict[int, float] = {}
    for head in sorted(loops, key=lambda vertex: (bottom[vertex] - placed.rank[vertex], vertex)):
        between = slice(placed.rank[head], bottom[head] + 1)
        lane = max(right[between]) + _LANE
        right[between] = [lane] * len(right[between])
        lanes.update((index, lane) for index in loops[head])
    return lanes


def _shorten(block: Block) -> list[Row | str]:
    rows: list[Row | str] = list(block.rows)
    if len(rows) > _TALLEST:
        keep = _TALLEST // 2
        rows[keep:-keep] = [f"... {len(rows) - 2 * keep} more statements ..."]
    return rows


def _digits(rows: Sequence[Row | str]) -> int:
    """Return the width of the line numbers of a block; the exit and failures have none."""
    return max((len(str(row.span.line)) for row in rows if isinstance(row, Row) and row.is_statement), default=0)


def _size(rows: Sequence[Row | str]) -> Size:
    digits = _digits(rows)
    characters = max(len(row) if isinstance(row, str) else len(cut(row.text)) for row in rows)
    room = (digits + 1.5) * CHARACTER if digits else 0.0
    return Size(characters * CHARACTER + room + 2 * _PADDING, len(rows) * _ROW + _PADDING)


def cut(text: str, longest: int = _LONGEST) -> str:
    """Return the beginning of a text that is too long."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def printable(text: str) -> str:
    """Return a text as it stands in a picture."""
    return escape("".join(char if char.isprintable() else "\ufffd" for char in text))
