"""Counting steps: those that an accepted run of an automaton takes again and again, for the check of fair sets.

A step is on a cycle where its source can be reached from its target.  Where on all cycles that meet each other all
steps are accepting, or none, the automaton is weak: a run is accepted iff it is on accepting cycles from some time on.
"""

from __future__ import annotations

from knaster.automata.automaton import Automaton, Step
from knaster.base.named_tuples import NamedTuple


class CountingSteps(NamedTuple):
    """The steps, whether the automaton is weak, and if it is, the states on accepting cycles."""

    steps: frozenset[Step]
    is_weak: bool
    good: frozenset[int]


def counting_steps(automaton: Automaton) -> CountingSteps:
    """Return the accepting steps of an automaton; of a weak one, those on cycles."""
    ahead = {state: _reached(automaton, [state]) for state in _reached(automaton, automaton.initial)}
    cyclic = [step for step in automaton.steps if step.source in ahead and step.source in ahead[step.target]]
    weak = all(
        bool(one.marks) == bool(other.marks)
        for one in cyclic
        for other in cyclic
        if other.source in ahead[one.source] and one.source in ahead[other.source]
    )
    steps = frozenset(step for step in (cyclic if weak else automaton.steps) if step.marks)
    return CountingSteps(steps, weak, frozenset(step.source for step in steps) if weak else frozenset())


def _reached(automaton: Automaton, start: list[int] | tuple[int, ...]) -> frozenset[int]:
    todo, seen = list(start), set(start)
    for state in todo:  # grows
        for step in automaton.steps:
            if step.source == state and step.target not in seen:
                seen.add(step.target)
                todo.append(step.target)
    return frozenset(seen)
