"""Pictures of pushdown systems and of sets of configurations, for notebooks.

A system is drawn over its pairs <p, g> of a control state and the symbol on top; an arrow is a rule.  A rule that
pushes says what it leaves below, one that pops leads to the control state alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from knaster.base.circle_graph import Arrow, Node, draw_graph
from knaster.pushdown.automaton import Automaton, Empty, Wildcard, sorted_names
from knaster.pushdown.system import PushdownSystem, Rule

LARGEST = 40  # nodes of a picture that can be looked at


def draw_system(system: PushdownSystem[Any]) -> str | None:
    """Return a system as SVG; None where it is too large to be looked at."""
    rules = system.given
    if len(rules) > 4 * LARGEST:
        return None
    one = len({rule.source for rule in rules} | {rule.target for rule in rules}) == 1
    heads = [(rule.source, rule.symbol) for rule in rules] + [_after(rule) for rule in rules]
    numbers = {head: number for number, head in enumerate(dict.fromkeys(heads))}
    if len(numbers) > LARGEST:
        return None
    nodes = [Node(_head(head, one)) for head in numbers]
    arrows = [Arrow(numbers[rule.source, rule.symbol], numbers[_after(rule)], _label(system, rule)) for rule in rules]
    return draw_graph(nodes, arrows, repr(system))


def _after(rule: Rule[Any]) -> tuple[Hashable, Hashable | None]:
    return rule.target, rule.push[0] if rule.push else None


def _head(head: tuple[Hashable, Hashable | None], one: bool) -> str:
    state, symbol = head
    if symbol is None:
        return f"{state}"
    return f"{symbol}" if one else f"{state}, {symbol}"


def _label(system: PushdownSystem[Any], rule: Rule[Any]) -> str:
    below = f"push {' '.join(map(str, rule.push[1:]))}" if len(rule.push) > 1 else "" if rule.push else "pop"
    weight = "" if rule.weight == system.domain.one else str(rule.weight)
    return " / ".join(part for part in (below, weight if len(weight) <= 12 else "...") if part)


def draw_automaton(automaton: Automaton[Any]) -> str | None:
    """Return a set of configurations as SVG: control states have an arrow, final states two rings."""
    entered = [state for edge in automaton.edges for state in (edge.source, edge.target)]
    states = list(dict.fromkeys([*sorted_names(automaton.initial), *entered, *sorted_names(automaton.final)]))
    if len(states) > LARGEST:
        return None
    numbers = {state: number for number, state in enumerate(states)}
    nodes = [Node(_state(state, states), state in automaton.initial, state in automaton.final) for state in states]
    arrows = [
        Arrow(numbers[e.source], numbers[e.target], _letter(e.symbol) + _weight(e.weight)) for e in automaton.edges
    ]
    return draw_graph(nodes, arrows, f"{len(states)} states, {len(arrows)} edges")


def draw_answer(answer: Any) -> str | None:
    """Return the automaton of an answer as SVG; None where it is too large to be looked at."""
    if len(answer) > 4 * LARGEST:
        return None
    ends = zip(answer.source, answer.target, strict=True)
    states = sorted({*range(answer.controls), *answer.final, *(state for pair in ends for state in pair)})
    if len(states) > LARGEST:
        return None
    numbers, one = {state: number for number, state in enumerate(states)}, answer.system.domain.one
    names = [answer.state_name(state) for state in states]
    nodes = [
        Node(_state(name, names), state < answer.controls, state in answer.final)
        for state, name in zip(states, names, strict=True)
    ]
    arrows = [
        Arrow(numbers[source], numbers[target], ("ε" if t.symbol is None else str(t.symbol)) + _weight(t.weight, one))
        for source, target, t in zip(answer.source, answer.target, answer.transitions(), strict=True)
    ]
    return draw_graph(nodes, arrows, repr(answer))


def _state(state: Hashable, states: Iterable[Hashable]) -> str:
    text = str(state)
    return text if len(text) <= 14 and "(" not in text else f"q{list(states).index(state)}"


def _letter(symbol: Hashable) -> str:
    match symbol:
        case Empty():
            return "ε"
        case Wildcard(excluding):
            return "any" if not excluding else f"any but {', '.join(map(str, sorted_names(excluding)))}"
    return str(symbol)


def _weight(weight: Any, one: Any = None) -> str:
    return "" if weight is None or weight == one else f" / {weight}"
