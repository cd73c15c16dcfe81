"""The automaton against a formula is one that its checker accepts."""

from __future__ import annotations

from random import Random

from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.translate import translate
from knaster.automata.words import holds
from knaster.base.limits import Budget
from knaster.checkers.temporal_automata import check_automaton
from knaster.engines.violations import automaton_against
from support.generators.ltl import random_word


def test_a_larger_one_is_taken_where_the_checker_cannot_follow() -> None:
    formula = parse_ltl("G (p & X F G q)")
    found = automaton_against(formula, Budget())
    check_automaton(found, formula, Budget())
    assert found.states > translate(formula, positive=False).states
    random = Random(1)
    for _ in range(50):
        word = random_word(random)
        assert found.accepts(word) != holds(formula, word)
