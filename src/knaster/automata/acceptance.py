"""Acceptance: which steps of an automaton count, and whether it is weak, from its strongly connected components.

An automaton is *weak* where in each component all steps are accepting, or none (D. Muller, A. Saoudi, P. Schupp,
Alternating automata, the weak monadic theory of the tree and its complexity, ICALP 1986): a run is accepted iff it
stays in an accepting component, whatever steps it takes there.
"""

from __future__ import annotations

from knaster.automata.automaton import Automaton, Step
from knaster.base.named_tuples import NamedTuple


class Acceptance(NamedTuple):
    """The steps that count, the states of accepting components, and whether each step between two of those counts."""

    counting: frozenset[Step]
    good: frozenset[int]
    is_weak: bool


def acceptance_of(automaton: Automaton) -> Acceptance:
    """Return which steps of an automaton a run has to take again and again; of a weak one, all in good components."""
    parts = automaton.components()
    part = {state: number for number, states in enumerate(parts) for state in states}
    good = frozenset(state for states in parts if automaton.is_accepting_component(states) for state in states)
    inside = [step for step in automaton.steps if part.get(step.source, -1) == part.get(step.target, -2)]
    weak = all(automaton.accepting(step) == (step.source in good) for step in inside)
    accepted = [step for step in (inside if weak else automaton.steps) if automaton.accepting(step)]
    return Acceptance(frozenset(accepted), good if weak else frozenset(), weak)
