"""A log-log plot as SVG text: a frame, decades and their 2s and 5s as ticks, one line with markers for each series."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 460
LEFT, RIGHT, TOP, BOTTOM = 78, 190, 52, 62
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#8d5fd3", "#c77d0a", "#4a4e69", "#0e9aa7", "#d96fb8", "#7a5230")
INK, QUIET, GRID, FAINT = "#222222", "#666666", "#d9d9d9", "#eeeeee"


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one line, in the order of x; `note` is shown below the name."""

    name: str
    points: tuple[tuple[float, float], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Axis:
    """A logarithmic scale from `low` to `high` onto pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return self.start + share * (self.end - self.start)


def log_log_plot(title: str, x_label: str, y_label: str, series: Sequence[Series], linear: bool = False) -> str:
    """Return an SVG picture of the series; points that are not positive are left out.

    With `linear` a dashed line shows what linear growth would be: from 1, 1 where something was measured there, else
    through the last point of the first series.
    """
    lines = [
        Series(one.name, tuple((x, y) for x, y in one.points if x > 0 and y > 0), one.note)
        for one in series
        if any(x > 0 and y > 0 for x, y in one.points)
    ]
    xs = [x for one in lines for x, _ in one.points] or [1.0]
    ys = [y for one in lines for _, y in one.points] or [1.0]
    x_axis = _Axis(*_range(xs), LEFT, WIDTH - RIGHT)
    y_axis = _Axis(*_range(ys), HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, TOP - 22, title, size=17, weight="bold"),
        *_grid(x_axis, y_axis, sorted(set(xs))),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, x_label, anchor="middle"),
        f'<g transform="rotate(-90)">{_text(-(TOP + HEIGHT - BOTTOM) / 2, 22, y_label, anchor="middle")}</g>',
    ]
    if linear and lines:
        last = lines[0].points[-1]
        parts += _guide((last[0], last[0]) if (1.0, 1.0) in lines[0].points else last, x_axis, y_axis)
    for index, one in enumerate(lines):
        parts += _line(one, COLOURS[index % len(COLOURS)], x_axis, y_axis)
        parts += _legend(one, COLOURS[index % len(COLOURS)], index)
    return "\n".join([*parts, "</svg>", ""])


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return a little more than the range of the values, never empty."""
    low, high = min(values), max(values)
    margin = max((high / low) ** 0.06, 1.15)
    return low / margin, high * margin


def _ticks(axis: _Axis) -> list[float]:
    """Return multiples of the powers of ten on the axis, the fewer the more decades it spans."""
    exponents = range(math.floor(math.log10(axis.low)), math.ceil(math.log10(axis.high)) + 1)
    decades = math.log10(axis.high / axis.low)
    factors = (1.0,) if decades > 4 else (1.0, 2.0, 5.0) if decades > 1 else (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0)
    ticks = [factor * 10.0**exponent for exponent in exponents for factor in factors]
    return [tick for tick in ticks if axis.low <= tick <= axis.high]


def _grid(x_axis: _Axis, y_axis: _Axis, sizes: Sequence[float]) -> list[str]:
    """Return the frame, the grid and the numbers; the x axis is marked where something was measured."""
    parts = []
    for tick in _ticks(y_axis):
        y = y_axis.at(tick)
        parts.append(_stroke(x_axis.start, y, x_axis.end, y, GRID))
        parts.append(_text(x_axis.start - 8, y + 4, _number(tick), anchor="end"))
    last = -math.inf
    for size in sizes:
        x = x_axis.at(size)
        parts.append(_stroke(x, y_axis.start, x, y_axis.end, FAINT))
        parts.append(_stroke(x, y_axis.start, x, y_axis.start + 5, INK))
        if x - last >= 34:  # room for five digits
            parts.append(_text(x, y_axis.start + 20, _number(size), anchor="middle"))
            last = x
    width, height = x_axis.end - x_axis.start, y_axis.start - y_axis.end
    parts.append(
        f'<rect x="{x_axis.start:g}" y="{y_axis.end:g}" width="{width:g}" height="{height:g}" fill="none" '
        f'stroke="{INK}"/>'
    )
    return parts


def _guide(last: tuple[float, float], x_axis: _Axis, y_axis: _Axis) -> list[str]:
    """Return a dashed line of slope 1 down from a point, as far as it stays in the frame."""
    x, y = last
    share = max(x_axis.low / x, y_axis.low / y)
    ends = [f"{x_axis.at(x * part):.1f},{y_axis.at(y * part):.1f}" for part in (share, 1.0)]
    middle = math.sqrt(share)
    label = _text(x_axis.at(x * middle) - 8, y_axis.at(y * middle) - 4, "linear", "end", size=11, colour=QUIET)
    dashes = 'stroke-width="1" stroke-dasharray="5 4"'
    return [f'<polyline points="{" ".join(ends)}" fill="none" stroke="{QUIET}" {dashes}/>', label]


def _line(series: Series, colour: str, x_axis: _Axis, y_axis: _Axis) -> list[str]:
    pixels = [(x_axis.at(x), y_axis.at(y)) for x, y in series.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in pixels)
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>',
        *(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="white" stroke="{colour}" stroke-width="2"/>'
            for x, y in pixels
        ),
    ]


def _legend(series: Series, colour: str, index: int) -> list[str]:
    x, y = WIDTH - RIGHT + 16, TOP + 12 + 42 * index
    return [
        _stroke(x, y, x + 22, y, colour, 2),
        f'<circle cx="{x + 11}" cy="{y}" r="4" fill="white" stroke="{colour}" stroke-width="2"/>',
        _text(x + 30, y + 4, series.name),
        _text(x + 30, y + 20, series.note, size=11, colour=QUIET),
    ]


def _stroke(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width:g}"/>'


def _text(
    x: float, y: float, text: str, anchor: str = "start", size: int = 13, weight: str = "normal", colour: str = INK
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def _number(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ") if value >= 1 and value == round(value) else f"{value:g}"
