"""Automata by hand: which words they accept, sinks, terminal ones, their text and picture."""

from __future__ import annotations

from knaster.automata.automaton import Automaton, Step
from knaster.automata.translate import ltl
from knaster.automata.words import Word

P, NOT_P, ANY = frozenset({("p", True)}), frozenset({("p", False)}), frozenset[tuple[str, bool]]()
MARK = frozenset({0})
OFTEN = Automaton(1, (0,), (Step(0, P, 0, MARK), Step(0, NOT_P, 0)))


def test_what_is_accepted() -> None:
    assert OFTEN.accepts(Word.of([], [["p"], []])) and not OFTEN.accepts(Word.of([["p"]], [[]]))
    assert not Automaton(1, (0,), (Step(0, P, 0, MARK),)).accepts(Word.of([["p"], []], [["p"]]))
    every = Automaton(1, (0,), (Step(0, ANY, 0),), 0)
    assert every.accepts(Word.of([], [[]])) and every.every_step_accepts and not OFTEN.every_step_accepts


def test_two_sets_have_to_be_met() -> None:
    two = Automaton(1, (0,), (Step(0, P, 0, frozenset({0})), Step(0, NOT_P, 0, frozenset({1}))), 2)
    assert two.accepts(Word.of([], [["p"], []])) and not two.accepts(Word.of([], [["p"]]))


def test_sinks_and_terminal_automata() -> None:
    reach = Automaton(2, (0,), (Step(0, NOT_P, 0), Step(0, P, 1), Step(1, ANY, 1, MARK)))
    assert reach.sinks() == {1} and reach.is_terminal() and not OFTEN.is_terminal()
    assert ltl("F (p & X q)").is_terminal() and not ltl("G p").is_terminal()
    assert OFTEN.atoms == ("p",)


def test_text_and_picture() -> None:
    text = str(ltl("G F p"))
    assert text.splitlines()[0] == "automaton of G F p" and "p -> 0 *" in text and "0 (initial)" in text
    assert "2 states" in str(ltl("F p")) and "of each number" in str(Automaton(1, (0,), (), 2))
    assert ltl("p U q")._repr_svg_().startswith("<svg")
