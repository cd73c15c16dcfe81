"""Smaller formulas by what their parts mean: they hold on the same words."""

from __future__ import annotations

from random import Random

import pytest

from knaster.automata.containment import is_empty, simplify
from knaster.automata.core import put_off, to_core
from knaster.automata.ltl import FALSE, TRUE, subformulas
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.words import holds
from support.generators.ltl import random_formula, random_word


def test_the_words_stay_the_same() -> None:
    random, smaller = Random(21), 0
    for _ in range(150):
        core = to_core(random_formula(random, random.randrange(8)))
        simpler = simplify(core)
        smaller += len(list(subformulas(simpler))) < len(list(subformulas(core)))
        for form in (simpler, put_off(core), put_off(simpler)):
            assert all(holds(core, word) == holds(form, word) for word in (random_word(random) for _ in range(12)))
    assert smaller > 5


@pytest.mark.parametrize(
    ("text", "simpler"),
    [
        ("(X p U X q) | !X (p U q)", "true"),
        ("F G p & F G !p", "false"),
        ("(G p & F q) | G p", "G p"),
    ],
)
def test_what_says_nothing_goes(text: str, simpler: str) -> None:
    found = simplify(to_core(parse_ltl(text)))
    assert found == to_core(parse_ltl(simpler))


def test_empty_and_large() -> None:
    assert is_empty(FALSE) and not is_empty(TRUE)
    large = to_core(parse_ltl(" & ".join(f"F (p{number} & X p{number + 1})" for number in range(30))))
    assert simplify(large) is large


def test_what_recurs_is_put_off() -> None:
    core = to_core(parse_ltl("F p & F q & G F r"))
    assert put_off(core) != core
    assert put_off(to_core(parse_ltl("F p & X q & G F r"))) == to_core(parse_ltl("F p & X q & G F r"))
