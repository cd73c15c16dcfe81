"""Which steps count, as the engines' own reading of the same automata says."""

from __future__ import annotations

from random import Random

from knaster.automata.acceptance import acceptance_of
from knaster.automata.automaton import Automaton, Step
from knaster.checkers.threads.counting_steps import counting_steps


def random_automaton(random: Random) -> Automaton:
    states = random.randrange(1, 5)
    steps = {
        Step(random.randrange(states), frozenset(), random.randrange(states), frozenset({0} if mark else ()))
        for mark in random.choices([0, 1], k=random.randrange(1, 8))
    }
    return Automaton(states, (0,), tuple(sorted(steps, key=repr)))


def test_as_the_engines_read_them() -> None:
    random = Random(7)
    weak = 0
    for _ in range(400):
        automaton = random_automaton(random)
        one, other = counting_steps(automaton), acceptance_of(automaton)
        assert (one.steps, one.is_weak, one.good) == (other.counting, other.is_weak, other.good), automaton
        weak += one.is_weak
    assert 50 < weak < 350
