"""Counting: one acceptance set in the place of several, and the same words."""

from __future__ import annotations

from random import Random

from knaster.automata.automaton import Automaton, Step
from knaster.automata.core import to_core
from knaster.automata.counting import count_sets
from knaster.automata.tableau import make_tableau
from support.generators.ltl import random_formula, random_word

P, NOT_P = frozenset({("p", True)}), frozenset({("p", False)})


def test_two_sets_need_two_states() -> None:
    two = Automaton(1, (0,), (Step(0, P, 0, frozenset({0})), Step(0, NOT_P, 0, frozenset({1}))), 2)
    counted = count_sets(two)
    assert counted.states == 2 and counted.sets == 1 and sum(bool(step.marks) for step in counted.steps) == 1


def test_without_sets_every_step_is_marked() -> None:
    assert count_sets(Automaton(1, (0,), (Step(0, P, 0),), 0)).every_step_accepts


def test_the_words_stay() -> None:
    random = Random(9)
    for _ in range(150):
        before = make_tableau(to_core(random_formula(random, random.randrange(7))))
        after = count_sets(before, random.sample(range(before.sets), before.sets))
        for _ in range(15):
            word = random_word(random)
            assert before.accepts(word) == after.accepts(word)
