"""Trimming keeps the words and leaves out what no accepted run needs."""

from __future__ import annotations

from random import Random

from knaster.automata.automaton import Automaton, Step
from knaster.automata.core import to_core
from knaster.automata.tableau import make_tableau
from knaster.automata.trimming import components_by_state, drop_sets, renumber, trim
from support.generators.ltl import random_formula, random_word

ANY = frozenset[tuple[str, bool]]()
P = frozenset({("p", True)})
MARK = frozenset({0})


def test_the_words_stay() -> None:
    random = Random(7)
    for _ in range(150):
        before = make_tableau(to_core(random_formula(random, random.randrange(6))))
        after = drop_sets(trim(before))
        assert after.states <= before.states and after.sets <= before.sets
        for _ in range(10):
            word = random_word(random)
            assert before.accepts(word) == after.accepts(word)


def test_states_without_an_accepting_cycle_go() -> None:
    automaton = Automaton(3, (0,), (Step(0, ANY, 1), Step(1, ANY, 1), Step(0, P, 2), Step(2, P, 2, MARK)))
    assert trim(automaton) == Automaton(2, (0,), (Step(0, P, 1), Step(1, P, 1, MARK)))


def test_marks_count_only_inside_components() -> None:
    automaton = Automaton(2, (0,), (Step(0, ANY, 1, MARK), Step(1, ANY, 1, MARK)))
    assert [step.marks for step in trim(automaton).steps] == [frozenset(), MARK]
    assert components_by_state(automaton)[0] != components_by_state(automaton)[1]


def test_a_set_that_contains_another_one_goes() -> None:
    automaton = Automaton(1, (0,), (Step(0, P, 0, frozenset({0, 1})), Step(0, ANY, 0, frozenset({1}))), 2)
    assert drop_sets(automaton) == Automaton(1, (0,), (Step(0, P, 0, MARK), Step(0, ANY, 0)), 1)


def test_numbers_follow_the_order() -> None:
    automaton = Automaton(2, (1,), (Step(1, P, 0), Step(0, P, 0)), 0)
    assert renumber(automaton, [1, 0]) == Automaton(2, (0,), (Step(0, P, 1), Step(1, P, 1)), 0)
