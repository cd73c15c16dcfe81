"""One acceptance set in the place of several: a counter says which one is waited for.

The counter goes on over every set that a step belongs to, and counts only inside accepting components: a run that
enters one begins again (C. Courcoubetis, M. Vardi, P. Wolper, M. Yannakakis, Memory-efficient algorithms for the
verification of temporal properties, 1992; P. Gastin, D. Oddoux, Fast LTL to Büchi automata translation, CAV 2001).
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.automata.automaton import Automaton, Marks, Step
from knaster.automata.trimming import components_by_state

Level = int


def count_sets(automaton: Automaton, order: Sequence[int] | None = None) -> Automaton:
    """Return a Büchi automaton of the same words; sets are waited for in the order that is named."""
    waited = list(range(automaton.sets)) if order is None else list(order)
    component = components_by_state(automaton)
    good = {n for n, states in enumerate(automaton.components()) if automaton.is_accepting_component(states)}
    leaving = automaton.leaving()
    number: dict[tuple[int, Level], int] = {(state, 0): at for at, state in enumerate(automaton.initial)}
    todo = list(number)
    steps: list[Step] = []
    while todo:
        state, level = todo.pop()
        for step in leaving[state]:
            stays = component[step.source] == component[step.target] and component[step.source] in good
            after, full = _advance(level, step.marks, waited) if stays else (0, False)
            target = step.target, after
            if target not in number:
                number[target] = len(number)
                todo.append(target)
            marks: Marks = frozenset({0}) if full else frozenset()
            steps.append(Step(number[state, level], step.guard, number[target], marks))
    initial = tuple(range(len(automaton.initial)))
    names = tuple(automaton.names[state] for state, _ in number) if automaton.names else ()
    return Automaton(len(number), initial, tuple(dict.fromkeys(steps)), 1, names, automaton.formula)


def _advance(level: Level, marks: Marks, waited: Sequence[int]) -> tuple[Level, bool]:
    """Return which set is waited for after a step, and whether all have been met since the last time."""
    while level < len(waited) and waited[level] in marks:
        level += 1
    if level < len(waited):
        return level, False
    level = 0
    while level < len(waited) - 1 and waited[level] in marks:
        level += 1
    return level if waited and waited[level] not in marks else 0, True
