"""From formulas to automata, against direct evaluation, and how many states they need.

The formulas are those that translations are compared on: 12 of K. Etessami and G. J. Holzmann (CONCUR 2000) and 27 of
F. Somenzi and R. Bloem (CAV 2000).  The numbers are ours: a translation that needs more states has become worse.
Those of Spot 2.9 with one acceptance set (`ltl2tgba -B`, from its own tests) are beside them.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.translate import ltl, translate
from knaster.automata.words import Word, holds
from support.generators.ltl import LETTERS, random_formula, random_word

ETESSAMI_HOLZMANN = {
    "a U (b & G c)": 2,
    "a U (b & X (c U d))": 3,
    "a U (b & X (c & F (d & X F (e & X F (f & X F g)))))": 7,
    "F (a & X G b)": 2,
    "F (a & X (b & X F c))": 4,
    "F (a & X (b U c))": 3,
    "F G a | G F b": 3,
    "G (a -> (b U c))": 2,
    "G (a & X F (b & X F (c & X F d)))": 3,
    "G F a & G F b & G F c & G F d & G F e": 5,
    "(a U (b U c)) | (b U (c U a)) | (c U (a U b))": 2,
    "G (a -> (b U (G c | G d)))": 4,
}
SOMENZI_BLOEM = {
    "a U b": 2,
    "a U (b U c)": 3,
    "!(a U (b U c))": 3,
    "G F a -> G F b": 3,
    "(F a) U (G b)": 3,
    "(G a) U b": 4,
    "!((F F a) <-> (F b))": 4,
    "!(G F a -> G F b)": 2,
    "!(G F a <-> G F b)": 4,
    "a R (a | b)": 2,
    "(X a U X b) | !X (a U b)": 1,
    "(X a U b) | !X (a U (a & b))": 1,
    "((X a U b) | !X (a U (a & b))) & G (a -> F b)": 2,
    "((X a U X b) | !X (a U b)) & G (a -> F b)": 2,
    "G (a -> F b)": 2,
    "!G (a -> X (b R c))": 3,
    "!(F G a | F G b)": 2,
    "G (F a & F b)": 2,
    "F a & F !a": 4,
    "(X b & a) R X (((c U d) R a) U (c R a))": 5,
    "(G (b | G F a) & G (c | G F !a)) | G b | G c": 5,
    "(G (b | F G a) & G (c | F G !a)) | G b | G c": 3,
    "!((G (b | G F a) & G (c | G F !a)) | G b | G c)": 6,
    "!((G (b | F G a) & G (c | F G !a)) | G b | G c)": 4,
    "(G (b | X G a)) & (G (c | X G !a))": 3,
    "G (b | (X a & X !a))": 1,
    "a | (b U a)": 2,
}

SPOT = (  # in the same order: first the 12, then the 27
    (2, 3, 7, 2, 4, 3, 4, 2, 4, 6, 2, 4),
    (2, 3, 3, 4, 3, 4, 3, 3, 5, 2, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 3, 6, 4, 3, 1, 2),
)


def test_beside_published_numbers() -> None:
    """Spot's automata are as small as any that were published before; ours are not larger but for one."""
    larger = []
    for formulas, theirs in zip((ETESSAMI_HOLZMANN, SOMENZI_BLOEM), SPOT, strict=True):
        larger += [text for (text, ours), other in zip(formulas.items(), theirs, strict=True) if ours > other]
    assert larger == ["!((F F a) <-> (F b))"]


@pytest.mark.parametrize(("text", "states"), {**ETESSAMI_HOLZMANN, **SOMENZI_BLOEM}.items())
def test_number_of_states(text: str, states: int) -> None:
    automaton = ltl(text)
    assert automaton.states <= states and automaton.sets == 1
    random = Random(text)
    for _ in range(25):
        word = random_word(random, "abcdefg")
        assert automaton.accepts(word) == holds(text, word)


def compare(random: Random, formulas: int, words: int) -> None:
    for _ in range(formulas):
        formula = random_formula(random, random.randrange(7))
        automaton, negated = translate(formula), translate(formula, False)
        for _ in range(words):
            word = random_word(random)
            assert automaton.accepts(word) == holds(formula, word) != negated.accepts(word)


def test_random_formulas() -> None:
    compare(Random(10), 100, 30)


@pytest.mark.slow
def test_many_random_formulas() -> None:
    compare(Random(11), 2000, 60)


@pytest.mark.slow
def test_all_short_words() -> None:
    random = Random(12)
    words = [
        Word(stem, cycle)
        for n, m in product(range(3), range(1, 4))
        for stem in product(LETTERS, repeat=n)
        for cycle in product(LETTERS, repeat=m)
    ]
    for _ in range(30):
        formula = random_formula(random, 6)
        automaton = translate(formula)
        assert all(automaton.accepts(word) == holds(formula, word) for word in words)


def test_the_formula_is_kept_for_people() -> None:
    assert translate(parse_ltl("G p"), False).formula == "!(G p)"
