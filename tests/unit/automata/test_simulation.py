"""Simulation: who simulates whom, and fewer states with the same words."""

from __future__ import annotations

from random import Random

from knaster.automata.automaton import Automaton, Step
from knaster.automata.core import to_core
from knaster.automata.simulation import find_simulation, reduce_by_simulation
from knaster.automata.tableau import make_tableau
from support.generators.ltl import random_formula, random_word

ANY, P = frozenset[tuple[str, bool]](), frozenset({("p", True)})
NOT_P, MARK = frozenset({("p", False)}), frozenset({0})


def test_who_asks_less_simulates() -> None:
    automaton = Automaton(2, (0, 1), (Step(0, P, 0), Step(1, ANY, 1, MARK)))
    assert find_simulation(automaton) == {(0, 0), (1, 1), (0, 1)}
    assert reduce_by_simulation(automaton).initial == (1,)


def test_marks_are_matched() -> None:
    automaton = Automaton(2, (0, 1), (Step(0, P, 0, MARK), Step(1, P, 1)))
    assert (0, 1) not in find_simulation(automaton) and (1, 0) in find_simulation(automaton)


def test_complementary_guards_are_joined() -> None:
    assert reduce_by_simulation(Automaton(1, (0,), (Step(0, P, 0), Step(0, NOT_P, 0)))).steps == (Step(0, ANY, 0),)


def test_the_words_stay() -> None:
    random = Random(8)
    smaller = 0
    for _ in range(150):
        before = make_tableau(to_core(random_formula(random, random.randrange(6))))
        after = reduce_by_simulation(before)
        smaller += after.states < before.states
        for _ in range(10):
            word = random_word(random)
            assert before.accepts(word) == after.accepts(word)
    assert smaller > 10
