"""Formulas with negations inside mean the same; the rules that make them smaller are sound."""

from __future__ import annotations

from random import Random

from knaster.automata.core import implies, to_core
from knaster.automata.ltl import Atom, Operator, Unary, subformulas, to_text
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.words import holds
from support.generators.ltl import random_formula, random_word


def test_the_core_means_the_same() -> None:
    random = Random(3)
    for _ in range(400):
        formula = random_formula(random, random.randrange(8))
        core, negated = to_core(formula), to_core(formula, False)
        for _ in range(10):
            word = random_word(random)
            assert holds(core, word) == holds(formula, word) != holds(negated, word)


def test_only_atoms_are_negated_and_only_few_operators_are_left() -> None:
    random = Random(4)
    few = {Operator.AND, Operator.OR, Operator.UNTIL, Operator.RELEASE, Operator.NEXT, Operator.NOT}
    for _ in range(200):
        for each in subformulas(to_core(random_formula(random, 6))):
            if operator := getattr(each, "operator", None):
                assert operator in few
            if isinstance(each, Unary) and each.operator is Operator.NOT:
                assert isinstance(each.operand, Atom)


def test_what_implies_does() -> None:
    random = Random(5)
    seen = 0
    for _ in range(3000):
        left, right = (to_core(random_formula(random, random.randrange(4))) for _ in range(2))
        if implies(left, right):
            seen += 1
            for _ in range(20):
                word = random_word(random)
                assert holds(right, word) or not holds(left, word)
    assert seen > 100


def test_rules_by_hand() -> None:
    same = {"F F p": "F p", "p U (p U q)": "p U q", "F G F p": "G F p", "X G F p": "G F p", "(!q) U q": "F q"}
    for text, smaller in same.items():
        assert to_core(parse_ltl(text)) == to_core(parse_ltl(smaller)), text
    assert to_text(to_core(parse_ltl("F p | F q"))) == "true U (p | q)"
    assert to_text(to_core(parse_ltl("p & !p"))) == "false"
