"""Formulas as trees, and their text."""

from __future__ import annotations

from random import Random

from knaster.automata.ltl import Atom, Operator, Unary, atoms, negate, subformulas, to_text
from knaster.automata.ltl_parser import parse_ltl
from support.generators.ltl import random_formula


def test_the_text_of_a_formula_reads_as_the_formula() -> None:
    random = Random(1)
    for _ in range(300):
        formula = random_formula(random, random.randrange(9))
        assert parse_ltl(to_text(formula)) == formula


def test_few_parentheses() -> None:
    assert to_text(parse_ltl("((p) & (q)) | (!(r))")) == "p & q | !r"
    assert to_text(parse_ltl("(p -> q) -> (r -> s)")) == "(p -> q) -> r -> s"
    assert to_text(parse_ltl("G (p U (q U r))")) == "G (p U q U r)"


def test_atoms_are_listed_once_in_the_order_of_the_text() -> None:
    assert [atom.text for atom in atoms(parse_ltl("q U (p & X q)"))] == ["q", "p"]


def test_a_negation_is_not_negated_twice() -> None:
    assert negate(negate(Atom("p"))) == Atom("p")
    assert negate(Atom("p")) == Unary(Operator.NOT, Atom("p"))
    assert len(list(subformulas(parse_ltl("p & p")))) == 3
