"""The picture of a small graph: nodes on a circle, arrows with labels; for notebooks, without any library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import cos, hypot, pi, sin

from knaster.base.named_tuples import NamedTuple

_LEAST = 18  # radius of a node
_LETTER = 3.6  # half the width of one
_MARGIN = 130
_STYLE = "font-family:sans-serif;font-size:12px;background:#fff"
_HEAD = '<marker id="tip" orient="auto" markerWidth="8" markerHeight="8" refX="7" refY="4"><path d="M0,0L8,4L0,8z"/>'
_RIM = "paint-order:stroke;stroke:#fff;stroke-width:4px"
Place = tuple[float, float]


class Node(NamedTuple):
    """A node: what is written in it, whether something begins there, and whether it ends there (two rings)."""

    name: str
    begins: bool = False
    ends: bool = False


class Arrow(NamedTuple):
    """An arrow between two nodes, by their numbers."""

    source: int
    target: int
    label: str
    thick: bool = False


def draw_graph(nodes: Sequence[Node], arrows: Sequence[Arrow], title: str = "") -> str:
    """Return a graph as SVG; arrows between the same nodes are one, with all their labels."""
    longest = max((len(arrow.label) for arrow in arrows), default=0)
    wide = max(90, 45 * len(nodes)) + (4 * longest if len(nodes) > 1 else 0)
    middle = wide / 2 + max(_MARGIN, 2 * _LETTER * longest)
    angles = [pi + 2 * pi * number / max(1, len(nodes)) for number in range(len(nodes))]
    places = [(middle + wide / 2 * cos(angle), middle + wide / 2 * sin(angle)) for angle in angles]
    together: dict[tuple[int, int], list[Arrow]] = {}
    for arrow in arrows:
        together.setdefault((arrow.source, arrow.target), []).append(arrow)
    drawn = [_arrow(places, middle, nodes, group) for group in together.values()]
    parts = [arrow for arrow, _ in drawn]
    parts += [_node(place, node) for place, node in zip(places, nodes, strict=True)]
    parts += [label for _, label in drawn]  # above all, each with a white rim
    size, said = f"{2 * middle:.0f}", f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" style="{_STYLE}">{said}'
        f"<defs>{_HEAD}</marker></defs>{''.join(parts)}</svg>"
    )


def _radius(node: Node) -> float:
    return max(_LEAST, 6 + _LETTER * len(node.name))


def _node(place: Place, node: Node) -> str:
    (x, y), radius = place, _radius(node)
    fill = "#dff" if node.begins else "#fff"
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}" stroke="#000"/>'
    if node.ends:
        ring += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius - 3:g}" fill="none" stroke="#000"/>'
    start = f'<path d="M{x - radius - 27:.1f},{y:.1f}H{x - radius:.1f}" stroke="#000" marker-end="url(#tip)"/>'
    name = f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{escape(node.name)}</text>'
    return f"{start if node.begins else ''}{ring}{name}"


def _arrow(places: Sequence[Place], middle: float, nodes: Sequence[Node], group: Sequence[Arrow]) -> tuple[str, str]:
    """Return an arrow and its label, a line for each if there are several."""
    first = group[0]
    thick = any(arrow.thick for arrow in group)
    line = f'fill="none" stroke="#000" stroke-width="{2.5 if thick else 1}" marker-end="url(#tip)"'
    here, there = places[first.source], places[first.target]
    same = first.source == first.target
    path, (x, y) = _loop(here, middle) if same else _bow(here, there, _radius(nodes[first.target]))
    labels = list(dict.fromkeys(arrow.label for arrow in group))
    shown = [f"{label} or" for label in labels[:-1]] + labels[-1:]
    lines = "".join(f'<tspan x="{x:.1f}" dy="{13 * (n > 0)}">{escape(text)}</tspan>' for n, text in enumerate(shown))
    top = y - 6.5 * (len(shown) - 1) + 4
    return f'<path d="{path}" {line}/>', f'<text y="{top:.1f}" text-anchor="middle" style="{_RIM}">{lines}</text>'


def _loop(place: Place, middle: float) -> tuple[str, Place]:
    """Return the path of an arrow from a node to itself, away from the middle, and the place of its label."""
    x, y = place
    out = hypot(x - middle, y - middle) or 1.0
    dx, dy = ((x - middle) / out, (y - middle) / out) if out > 1 else (0.0, -1.0)
    a, b = x + 70 * dx, y + 70 * dy
    bend = f"M{x - 10 * dy:.1f},{y + 10 * dx:.1f}C{a - 30 * dy:.1f},{b + 30 * dx:.1f}"
    path = f"{bend} {a + 30 * dy:.1f},{b - 30 * dx:.1f} {x + 14 * dy + 12 * dx:.1f},{y - 14 * dx + 12 * dy:.1f}"
    return path, (x + 68 * dx, y + 68 * dy)


def _bow(here: Place, there: Place, radius: float) -> tuple[str, Place]:
    """Return the path of an arrow to another node, bent so that one back does not cover it, and of its label."""
    (x, y), (u, v) = here, there
    length = hypot(u - x, v - y)
    dx, dy = (u - x) / length, (v - y) / length
    a, b = (x + u) / 2 - 25 * dy, (y + v) / 2 + 25 * dx
    path = f"M{x:.1f},{y:.1f}Q{a:.1f},{b:.1f} {u - radius * dx:.1f},{v - radius * dy:.1f}"
    return path, ((x + u) / 2 - 18 * dy, (y + v) / 2 + 18 * dx)
