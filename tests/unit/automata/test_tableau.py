"""The tableau: its covers, and the words of its generalised automaton."""

from __future__ import annotations

from random import Random

import pytest

from knaster.automata.core import to_core
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.tableau import find_covers, make_tableau
from knaster.automata.words import holds
from knaster.base.errors import UsageError
from support.generators.ltl import random_formula, random_word


def test_covers_of_an_until() -> None:
    now, later = sorted(find_covers(frozenset({to_core(parse_ltl("p U q"))})), key=lambda one: len(one.postponed))
    assert now.literals == {("q", True)} and not now.following and not now.postponed
    assert later.literals == {("p", True)} and later.following == later.postponed


def test_no_cover_asks_for_more_than_another_one() -> None:
    assert len(find_covers(frozenset({to_core(parse_ltl("p | (p & X q)"))}))) == 1
    assert find_covers(frozenset({to_core(parse_ltl("p")), to_core(parse_ltl("!p"))})) == []


def test_the_words_of_the_tableau() -> None:
    random = Random(6)
    for _ in range(120):
        formula = random_formula(random, random.randrange(6))
        tableaux = [make_tableau(to_core(formula), splits) for splits in (False, True)]
        for _ in range(20):
            word = random_word(random)
            assert {tableau.accepts(word) for tableau in tableaux} == {holds(formula, word)}


def test_a_formula_that_is_too_large_is_refused() -> None:
    with pytest.raises(UsageError, match="too large"):
        make_tableau(to_core(parse_ltl(" & ".join(f"(p{i} U (q{i} & X r{i}))" for i in range(14)))))
