"""Automata without what no accepted run needs: states, marks and acceptance sets.

Marks count only inside accepting components: a run that never stays takes other steps finitely often (Somenzi and
Bloem, CAV 2000, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.automata.automaton import Automaton, Marks, Step
from knaster.base.graphs import postorder
from knaster.base.records import replace


def trim(automaton: Automaton) -> Automaton:
    """Return the part that accepted runs go through, with marks only where they count; the words are the same."""
    component = components_by_state(automaton)
    good = {number for number, (_, accepts) in enumerate(_listed(automaton)) if accepts}
    back: dict[int, list[int]] = {state: [] for state in range(automaton.states)}
    for step in automaton.steps:
        back[step.target].append(step.source)
    live = set(postorder([state for state, number in component.items() if number in good], back.__getitem__))
    kept = [state for state in component if state in live]
    steps = [
        step._replace(marks=step.marks if _stays(step, component, good) else frozenset())
        for step in automaton.steps
        if step.source in live and step.target in live and step.source in component
    ]
    return renumber(replace(automaton, steps=tuple(dict.fromkeys(steps))), sorted(kept))


def _listed(automaton: Automaton) -> list[tuple[list[int], bool]]:
    return [(component, automaton.is_accepting_component(component)) for component in automaton.components()]


def components_by_state(automaton: Automaton) -> Mapping[int, int]:
    """Return the number of the component of each state that a run reaches."""
    return {state: number for number, states in enumerate(automaton.components()) for state in states}


def _stays(step: Step, component: Mapping[int, int], good: set[int]) -> bool:
    number = component[step.source]
    return number == component[step.target] and number in good


def renumber(automaton: Automaton, kept: list[int]) -> Automaton:
    """Return the automaton of some of its states, numbered in this order."""
    number = {state: at for at, state in enumerate(kept)}
    steps = tuple(
        step._replace(source=number[step.source], target=number[step.target])
        for step in automaton.steps
        if step.source in number and step.target in number
    )
    initial = tuple(number[state] for state in automaton.initial if state in number)
    names = tuple(automaton.names[state] for state in kept) if automaton.names else ()
    return replace(automaton, states=len(kept), initial=initial, steps=steps, names=names)


def drop_sets(automaton: Automaton) -> Automaton:
    """Return the automaton without acceptance sets that contain another one: who meets that one meets them.

    Marks count only inside components, and so does the comparison.
    """
    component = components_by_state(automaton)
    inside = [step for step in automaton.steps if component[step.source] == component[step.target]]
    members = [frozenset(at for at, step in enumerate(inside) if mark in step.marks) for mark in range(automaton.sets)]
    needed = [
        mark
        for mark, own in enumerate(members)
        if not any(
            other < own or (other == own and earlier < mark) for earlier, other in enumerate(members) if earlier != mark
        )
    ]
    if needed and automaton.sets == len(needed):
        return automaton
    number = {mark: at for at, mark in enumerate(needed)}

    def renamed(marks: Marks) -> Marks:
        return frozenset(number[mark] for mark in marks if mark in number)

    steps = tuple(dict.fromkeys(step._replace(marks=renamed(step.marks)) for step in automaton.steps))
    return replace(automaton, steps=steps, sets=len(needed))
