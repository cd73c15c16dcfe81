"""What the kernel's formulas say of words, against Knaster's own reading of both."""

from __future__ import annotations

from random import Random

import pytest

from knaster.automata.ltl import to_text
from knaster.automata.words import holds as holds_by_knaster
from knaster_check import Refused
from knaster_check.temporal.formula import normal_form, read_formula
from knaster_check.temporal.words import holds
from support.generators.ltl import random_formula, random_word


def test_formulas_on_random_words() -> None:
    random = Random(5)
    for _ in range(400):
        formula, word = random_formula(random, random.randrange(1, 9)), random_word(random)
        letters = [set(letter) for letter in word.stem], [set(letter) for letter in word.cycle]
        expected, tree = holds_by_knaster(formula, word), read_formula(to_text(formula))
        assert holds(normal_form(tree, True), *letters) is expected, to_text(formula)
        assert holds(normal_form(tree, False), *letters) is not expected, to_text(formula)


def test_what_is_no_formula_is_refused() -> None:
    for text in ("", "p q", "(p", "p &", "U", "& p", "p)", "F", "{x} {y}", "p -> -> q", "!" * 200 + "p"):
        if text != "U":  # a label may have that name
            with pytest.raises(Refused):
                read_formula(text)
    assert read_formula("U U U") == ("U", ("atom", "U"), ("atom", "U"))
    assert read_formula("F(p)") == ("F", ("atom", "p"))
    assert read_formula("thread(1).at(a.L) W {x & !y}") == ("W", ("atom", "thread(1).at(a.L)"), ("atom", "{x & !y}"))
    nested = "p"
    for _ in range(9):
        nested = f"({nested} <-> q)"
    with pytest.raises(Refused, match="too many"):
        normal_form(read_formula(nested), True)
