"""The check of automata: it accepts translations, and finds the one that misses a word."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from knaster.automata.automaton import Automaton, Step
from knaster.automata.ltl import Formula, negate
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.translate import translate, translate_plainly
from knaster.automata.words import holds
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers import temporal_automata
from knaster.checkers.temporal_automata import check_automaton
from support.generators.ltl import random_formula, random_word


def refused(automaton: Automaton, formula: Formula) -> bool:
    try:
        check_automaton(automaton, formula, Budget())
    except InternalError:
        return True
    return False


def test_translations_pass() -> None:
    random = Random(1)
    for _ in range(120):
        formula = random_formula(random, random.randrange(1, 7))
        check_automaton(translate_plainly(formula, positive=False), formula, Budget())


def test_an_automaton_that_misses_a_word_is_refused() -> None:
    """Damage automata at random; whenever a word is found that is missed, the checker has to see it."""
    random, missing = Random(2), 0
    for _ in range(150):
        formula = random_formula(random, random.randrange(1, 6))
        good = translate(formula, positive=False)
        if not good.steps:
            continue
        at = random.randrange(len(good.steps))
        step = good.steps[at]
        worse = [step._replace(marks=frozenset())] if step.marks and random.random() < 0.5 else []
        damaged = replace(good, steps=(*good.steps[:at], *worse, *good.steps[at + 1 :]))
        words = [random_word(random) for _ in range(150)]
        if any(not holds(formula, word) and not damaged.accepts(word) for word in words):
            missing += 1
            assert refused(damaged, formula)
    assert missing > 40


def test_more_words_are_no_mistake_of_a_proof() -> None:
    everything = Automaton(1, (0,), (Step(0, frozenset(), 0, frozenset({0})),))
    check_automaton(everything, parse_ltl("G (p -> F q)"), Budget())


def test_the_automaton_of_the_formula_itself_is_not_that_of_its_negation() -> None:
    for text in ("G p", "F p", "p U q", "G F p", "X p", "p W q", "p R q", "p <-> q", "p -> q", "p | q", "!p"):
        formula = parse_ltl(text)
        assert refused(translate(formula), formula), text
        assert not refused(translate(formula), negate(formula))


def test_an_empty_automaton_is_right_for_what_always_holds() -> None:
    nothing = Automaton(0, (), ())
    check_automaton(nothing, parse_ltl("p | !p"), Budget())
    check_automaton(nothing, parse_ltl("F p | G !p"), Budget())
    with pytest.raises(InternalError, match="misses a word"):
        check_automaton(nothing, parse_ltl("p"), Budget())


def test_formulas_are_as_large_as_they_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit is looked at before a node is added: with one less than there are the last one is just allowed."""
    formula = parse_ltl("G (a -> F b)")
    automaton = translate_plainly(formula, positive=False)
    tableau = temporal_automata._Tableau(formula, Budget())
    game = temporal_automata._Game(automaton, tableau, Budget())
    atoms = max(len({atom for step in steps for atom, _ in step.guard}) for steps in game._leaving.values())
    counts = {"MOST_NODES": len(tableau.leaving) - 1, "MOST_POSITIONS": len(game.arena) - 1, "MOST_ATOMS": atoms}
    assert min(counts.values()) > 0
    for name, count in counts.items():
        with monkeypatch.context() as patched:
            patched.setattr(temporal_automata, name, count)
            check_automaton(automaton, formula, Budget())
            patched.setattr(temporal_automata, name, count - 1)
            if name != "MOST_ATOMS":
                with pytest.raises(OutOfBudget, match="too large"):
                    check_automaton(automaton, formula, Budget())


def test_an_answer_depends_on_so_many_atoms(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = parse_ltl("false")
    everything = Automaton(
        1,
        (0,),
        (
            Step(0, frozenset({("a", True)}), 0, frozenset({0})),
            Step(0, frozenset({("a", False), ("b", True)}), 0, frozenset({0})),
            Step(0, frozenset({("a", False), ("b", False)}), 0, frozenset({0})),
        ),
    )
    for most, enough in ((2, True), (1, False)):
        monkeypatch.setattr(temporal_automata, "MOST_ATOMS", most)
        if enough:
            check_automaton(everything, formula, Budget())
        else:
            with pytest.raises(OutOfBudget, match="too many atoms"):
                check_automaton(everything, formula, Budget())
