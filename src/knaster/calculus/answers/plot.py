"""The size of each relation, round by round, as an SVG picture without any library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10

from knaster.base.records import dataclass

_COLOURS = ("#1f6feb", "#d1480f", "#1a7f37", "#8250df", "#bf3989", "#9a6700", "#0a7ea4", "#57606a")
_DASHES = ("", "6 3", "2 3")
_WIDTH, _HEIGHT = 880, 420
_LEFT, _TOP, _BOTTOM = 76, 48, 52
_LEGEND = 220
_ROW = 20
_MAX_CURVES = 24
_INK, _PALE, _GRID = "#1f2328", "#57606a", "#e4e7eb"


@dataclass(frozen=True, slots=True)
class _Axes:
    """Where a round and a number of nodes lie in the picture."""

    rounds: int
    top: int  # the largest number of nodes
    logarithmic: bool
    height: int

    @property
    def right(self) -> int:
        return _WIDTH - _LEGEND

    @property
    def bottom(self) -> int:
        return self.height - _BOTTOM

    @property
    def ceiling(self) -> float:
        """The number of nodes at the upper end."""
        if self.logarithmic:
            return float(10 ** ceil(log10(max(10, self.top))))
        step = _step(self.top)
        return step * ceil(self.top / step)

    def across(self, count: float) -> float:
        return _LEFT + (self.right - _LEFT) * (count - 1) / max(1, self.rounds - 1)

    def upwards(self, nodes: float) -> float:
        share = log10(max(1.0, nodes)) / log10(self.ceiling) if self.logarithmic else nodes / self.ceiling
        return self.bottom - (self.bottom - _TOP) * share

    def heights(self) -> list[float]:
        """Return the numbers of nodes that get a line."""
        if self.logarithmic:
            return [float(10**power) for power in range(round(log10(self.ceiling)) + 1)]
        step = _step(self.top)
        return [step * index for index in range(round(self.ceiling / step) + 1)]

    def counts(self) -> list[int]:
        """Return the rounds that get a mark."""
        step = max(1, int(_step(self.rounds)))
        return sorted({1, *range(step, self.rounds + 1, step)} | ({self.rounds} if self.rounds < 2 * step else set()))


def plot(sizes: Mapping[str, Sequence[int]], title: str) -> str:
    """Return a picture of the curves: rounds to the right, BDD nodes upwards, one colour for each relation."""
    curves = {name: list(values) for name, values in sizes.items() if values}
    shown = sorted(curves, key=lambda name: (-max(curves[name]), name))[:_MAX_CURVES]
    peaks = [max(curves[name]) for name in shown] or [1]
    axes = _Axes(
        rounds=max((len(curves[name]) for name in shown), default=1),
        top=max(1, *peaks),
        logarithmic=max(peaks) > 50 * max(1, min(peaks)),
        height=max(_HEIGHT, _TOP + _BOTTOM + _ROW * (len(shown) + 1)),
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {axes.height}" width="{_WIDTH}" '
        f'height="{axes.height}" font-family="system-ui, sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{axes.height}" fill="#ffffff"/>',
        _text(_LEFT, 26, title, size=15),
        *_grid(axes),
    ]
    for index, name in enumerate(shown):
        parts += _curve(axes, index, name, curves[name])
    if not shown:
        parts.append(_text(_LEFT + 20, axes.height // 2, "no recursive predicate was evaluated", _PALE))
    elif len(curves) > len(shown):
        rest = f"and {len(curves) - len(shown)} smaller ones"
        parts.append(_text(axes.right + 20, _TOP + _ROW * len(shown) + 4, rest, _PALE))
    return "\n".join([*parts, "</svg>", ""])


def _grid(axes: _Axes) -> list[str]:
    """Draw the axes with their marks and names."""
    parts: list[str] = []
    for nodes in axes.heights():
        y = axes.upwards(nodes)
        parts.append(f'<path d="M{_LEFT} {y:.1f} H{axes.right}" stroke="{_GRID}"/>')
        parts.append(_text(_LEFT - 8, y + 4, _short(nodes), _PALE, anchor="end"))
    for count in axes.counts():
        x = axes.across(count)
        parts.append(f'<path d="M{x:.1f} {axes.bottom} v5" stroke="{_PALE}"/>')
        parts.append(_text(x, axes.bottom + 19, str(count), _PALE, anchor="middle"))
    parts.append(f'<path d="M{_LEFT} {_TOP} V{axes.bottom} H{axes.right}" fill="none" stroke="{_PALE}"/>')
    middle = (_TOP + axes.bottom) / 2
    name = "BDD nodes (logarithmic)" if axes.logarithmic else "BDD nodes"
    parts.append(f'<g transform="rotate(-90 18 {middle})">{_text(18, middle, name, anchor="middle")}</g>')
    parts.append(_text((_LEFT + axes.right) / 2, axes.height - 12, "round", anchor="middle"))
    return parts


def _curve(axes: _Axes, index: int, name: str, values: list[int]) -> list[str]:
    """Draw one curve and its line of the legend."""
    colour = _COLOURS[index % len(_COLOURS)]
    dash = _DASHES[index // len(_COLOURS)]
    style = f'fill="none" stroke="{colour}" stroke-width="1.8" stroke-linejoin="round"'
    style += f' stroke-dasharray="{dash}"' if dash else ""
    places = [(axes.across(count), axes.upwards(nodes)) for count, nodes in _thin_out(values)]
    path = " ".join(f"{'L' if number else 'M'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(places))
    parts = [f'<path d="{path}" {style}/>']
    if len(places) <= 40:
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>' for x, y in places]
    y = _TOP + _ROW * index
    label = name if len(name) <= 24 else f"{name[:8]}…{name[-15:]}"
    note = f"<title>{escape(name)}: {len(values)} rounds, {values[-1]} nodes at the end, {max(values)} at most</title>"
    parts.append(f'<g>{note}<path d="M{axes.right + 20} {y} h22" {style}/>')
    parts.append(f"{_text(axes.right + 48, y + 4, label)}</g>")
    return parts


def _thin_out(values: list[int]) -> list[tuple[int, int]]:
    """Return (round, nodes), at most a thousand of them, the last and the extremes of each stretch included."""
    pairs = list(enumerate(values, 1))
    stretch = ceil(len(pairs) / 500)
    if stretch == 1:
        return pairs
    chosen = {pairs[-1]}
    for start in range(0, len(pairs), stretch):
        part = pairs[start : start + stretch]
        chosen |= {part[0], max(part, key=lambda pair: pair[1])}
    return sorted(chosen)


def _step(top: float) -> float:
    """Return a round distance between marks, so that there are about five."""
    rough = max(1.0, top / 5)
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


def _short(number: float) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:g}{unit}"
    return f"{number:g}"


def _text(x: float, y: float, text: str, colour: str = _INK, anchor: str = "start", size: int = 12) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"
