"""The picture of an automaton: states on a circle, accepting steps drawn thick."""

from __future__ import annotations

from knaster.automata.automaton import Automaton, Step, guard_text
from knaster.base.circle_graph import Arrow, Node, draw_graph


def draw(automaton: Automaton) -> str:
    """Return an automaton as SVG."""
    nodes = [Node(str(state), state in automaton.initial) for state in range(automaton.states)]
    arrows = [
        Arrow(step.source, step.target, _label(step, automaton), automaton.accepting(step)) for step in automaton.steps
    ]
    return draw_graph(nodes, arrows, automaton.formula)


def _label(step: Step, automaton: Automaton) -> str:
    return guard_text(step.guard) + (" *" if automaton.accepting(step) else "")
