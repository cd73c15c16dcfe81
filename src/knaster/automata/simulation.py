"""Automata with fewer states and steps: what another state, or another step, does as well is left out.

K. Etessami, G. J. Holzmann, Optimizing Büchi automata (CONCUR 2000); F. Somenzi, R. Bloem (CAV 2000): direct
simulation, here with marks on steps.  State t *simulates* s where t has for every step of s one whose guard asks for no
more, with at least its marks, into a state that simulates the target.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.automata.automaton import Automaton, Step
from knaster.automata.trimming import renumber
from knaster.base.records import replace

Simulated = set[tuple[int, int]]  # (s, t): t simulates s


def find_simulation(automaton: Automaton) -> Simulated:
    """Return the greatest simulation of an automaton by itself."""
    leaving = automaton.leaving()
    related = {(s, t) for s in range(automaton.states) for t in range(automaton.states)}
    while True:
        kept = {(s, t) for s, t in related if all(_is_matched(one, leaving[t], related) for one in leaving[s])}
        if len(kept) == len(related):
            return kept
        related = kept


def _is_matched(step: Step, others: tuple[Step, ...], related: Simulated) -> bool:
    return any(does_as_well(other, step, related) for other in others)


def does_as_well(other: Step, step: Step, related: Simulated) -> bool:
    """Tell whether whatever follows one step can follow the other one too."""
    return other.guard <= step.guard and step.marks <= other.marks and (step.target, other.target) in related


def reduce_by_simulation(automaton: Automaton) -> Automaton:
    """Return an automaton of the same words without states and steps that others simulate."""
    related = find_simulation(automaton)
    first = {s: min(t for t in range(automaton.states) if {(s, t), (t, s)} <= related) for s in range(automaton.states)}
    steps = dict.fromkeys(
        step._replace(target=first[step.target]) for step in automaton.steps if first[step.source] == step.source
    )
    initial = tuple(dict.fromkeys(first[state] for state in automaton.initial))
    kept = sorted(set(first.values()))
    merged = renumber(replace(automaton, initial=initial, steps=tuple(steps)), kept)
    number = {state: at for at, state in enumerate(kept)}
    among = {(number[s], number[t]) for s, t in related if s in number and t in number}
    return _drop_initial(_drop_steps(_join_guards(merged), among), among)


def _join_guards(automaton: Automaton) -> Automaton:
    """Return the automaton with `p` and `!p` on otherwise equal steps joined."""
    steps = list(dict.fromkeys(automaton.steps))
    while True:
        pair = _complementary(steps)
        if pair is None:
            return replace(automaton, steps=tuple(steps))
        one, other = pair
        joined = one._replace(guard=one.guard & other.guard)
        steps = list(dict.fromkeys(joined if step == one else step for step in steps if step != other))


def _complementary(steps: list[Step]) -> tuple[Step, Step] | None:
    known: Mapping[Step, None] = dict.fromkeys(steps)
    for step in steps:
        for atom, value in sorted(step.guard):
            other = step._replace(guard=(step.guard - {(atom, value)}) | {(atom, not value)})
            if other in known:
                return step, other
    return None


def _drop_steps(automaton: Automaton, related: Simulated) -> Automaton:
    """Return the automaton without steps for which another one from the same state does as well."""
    steps: list[Step] = []
    for leaving in automaton.leaving().values():
        kept = list(leaving)
        for step in leaving:
            others = [other for other in kept if other is not step]
            if any(does_as_well(other, step, related) for other in others):
                kept = others
        steps += kept
    return replace(automaton, steps=tuple(steps))


def _drop_initial(automaton: Automaton, related: Simulated) -> Automaton:
    kept = list(automaton.initial)
    for state in automaton.initial:
        others = [other for other in kept if other != state]
        if any((state, other) in related for other in others):
            kept = others
    return replace(automaton, initial=tuple(kept))
