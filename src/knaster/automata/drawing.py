"""The picture of an automaton: states on a circle, accepting steps drawn thick."""

from __future__ import annotations

from html import escape
from math import cos, hypot, pi, sin

from knaster.automata.automaton import Automaton, Step, guard_text

_RADIUS = 18  # of a state
_MARGIN = 130
_STYLE = "font-family:sans-serif;font-size:12px"


def draw(automaton: Automaton) -> str:
    """Return an automaton as SVG."""
    wide = max(90, 45 * automaton.states)
    middle = wide / 2 + _MARGIN
    angles = [pi + 2 * pi * state / max(1, automaton.states) for state in range(automaton.states)]
    places = [(middle + wide / 2 * cos(angle), middle + wide / 2 * sin(angle)) for angle in angles]
    together: dict[tuple[int, int], list[Step]] = {}
    for step in automaton.steps:
        together.setdefault((step.source, step.target), []).append(step)
    parts = [_arrow(places, middle, pair, steps, automaton) for pair, steps in together.items()]
    parts += [_state(places[state], state, state in automaton.initial) for state in range(automaton.states)]
    size = f"{2 * middle:.0f}"
    title = f"<title>{escape(automaton.formula)}</title>" if automaton.formula else ""
    head = '<marker id="tip" orient="auto" markerWidth="8" markerHeight="8" refX="7" refY="4"><path d="M0,0L8,4L0,8z"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" style="{_STYLE}">{title}'
        f"<defs>{head}</marker></defs>{''.join(parts)}</svg>"
    )


def _state(place: tuple[float, float], number: int, begins: bool) -> str:
    x, y = place
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" fill="{"#dff" if begins else "#fff"}" stroke="#000"/>'
    start = (
        f'<path d="M{x - 45:.1f},{y:.1f}H{x - _RADIUS:.1f}" stroke="#000" marker-end="url(#tip)"/>' if begins else ""
    )
    return f'{start}{ring}<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{number}</text>'


def _arrow(
    places: list[tuple[float, float]], middle: float, pair: tuple[int, int], steps: list[Step], automaton: Automaton
) -> str:
    accepting = any(automaton.accepting(step) for step in steps)
    line = f'fill="none" stroke="#000" stroke-width="{2.5 if accepting else 1}" marker-end="url(#tip)"'
    (x, y), (u, v) = places[pair[0]], places[pair[1]]
    if pair[0] == pair[1]:
        out = hypot(x - middle, y - middle) or 1.0
        dx, dy = ((x - middle) / out, (y - middle) / out) if out > 1 else (0.0, -1.0)
        a, b = x + 70 * dx, y + 70 * dy
        bend = f"M{x - 10 * dy:.1f},{y + 10 * dx:.1f}C{a - 30 * dy:.1f},{b + 30 * dx:.1f}"
        path = f"{bend} {a + 30 * dy:.1f},{b - 30 * dx:.1f} {x + 14 * dy + 12 * dx:.1f},{y - 14 * dx + 12 * dy:.1f}"
        text = x + 68 * dx, y + 68 * dy
    else:
        length = hypot(u - x, v - y)
        dx, dy = (u - x) / length, (v - y) / length
        a, b = (x + u) / 2 - 25 * dy, (y + v) / 2 + 25 * dx
        path = f"M{x:.1f},{y:.1f}Q{a:.1f},{b:.1f} {u - _RADIUS * dx:.1f},{v - _RADIUS * dy:.1f}"
        text = (x + u) / 2 - 18 * dy, (y + v) / 2 + 18 * dx
    label = escape(" or ".join(dict.fromkeys(_label(step, automaton) for step in steps)))
    return f'<path d="{path}" {line}/><text x="{text[0]:.1f}" y="{text[1]:.1f}" text-anchor="middle">{label}</text>'


def _label(step: Step, automaton: Automaton) -> str:
    return guard_text(step.guard) + (" *" if automaton.accepting(step) else "")
