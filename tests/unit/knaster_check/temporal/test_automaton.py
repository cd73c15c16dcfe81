"""The kernel's check of automata: it takes translations, and finds the one that misses a word."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from knaster.automata import automaton as knasters
from knaster.automata.ltl import Formula, to_text
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.translate import translate, translate_plainly
from knaster.automata.words import holds
from knaster_check import Refused
from knaster_check.refused import Unsupported
from knaster_check.temporal import automaton as own
from knaster_check.temporal.automaton import EVERYTHING, Automaton, Step, check_automaton, read_automaton
from knaster_check.temporal.formula import normal_form, read_formula
from knaster_check.work import STEP, nothing
from support.generators.ltl import random_formula, random_word


def of_kernel(automaton: knasters.Automaton) -> Automaton:
    rows = [[s.source, [list(one) for one in sorted(s.guard)], s.target, sorted(s.marks)] for s in automaton.steps]
    return read_automaton({"states": automaton.states, "initial": list(automaton.initial), "steps": rows})


def ask(automaton: knasters.Automaton, formula: Formula) -> None:
    check_automaton(of_kernel(automaton), normal_form(read_formula(to_text(formula)), False), nothing)


def test_translations_pass() -> None:
    random = Random(11)
    for _ in range(100):
        formula = random_formula(random, random.randrange(1, 7))
        ask(translate(formula, positive=False), formula)
        ask(translate_plainly(formula, positive=False), formula)


def test_an_automaton_that_misses_a_word_is_refused() -> None:
    random, missing = Random(12), 0
    for _ in range(120):
        formula = random_formula(random, random.randrange(1, 6))
        good = translate(formula, positive=False)
        if not good.steps:
            continue
        at = random.randrange(len(good.steps))
        step = good.steps[at]
        worse = [step._replace(marks=frozenset())] if step.marks and random.random() < 0.5 else []
        damaged = replace(good, steps=(*good.steps[:at], *worse, *good.steps[at + 1 :]))
        words = [random_word(random) for _ in range(100)]
        if any(not holds(formula, word) and not damaged.accepts(word) for word in words):
            missing += 1
            with pytest.raises(Refused, match="misses a word"):
                ask(damaged, formula)
    assert missing > 30


def test_more_words_are_no_mistake() -> None:
    check_automaton(EVERYTHING, normal_form(read_formula("G (p -> F q)"), False), nothing)
    for text in ("G (p -> F q)", "p U q", "F G p"):
        with pytest.raises(Refused):
            ask(translate(parse_ltl(text)), parse_ltl(text))


def test_cycles_are_those_that_can_be_reached() -> None:
    steps = (Step(0, (), 1, False), Step(1, (), 0, True), Step(2, (), 2, True), Step(1, (), 3, False))
    assert [sorted(part) for part in Automaton(4, (0,), steps).cycles()] == [[0, 1]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"states": 0},
        {"states": -1},
        {"states": 10**6},
        {"initial": [2]},
        {"initial": [True]},
        {"steps": [[0, [], 2, []]]},
        {"steps": [[2, [], 0, []]]},
        {"steps": [[0, [["p", 1]], 0, []]]},
        {"steps": [[0, [["p"]], 0, []]]},
        {"steps": [[0, [], 0, [1]]]},
        {"steps": [[0, [], 0, [0, 0]]]},
        {"steps": [[0, [], 0]]},
    ],
)
def test_what_is_no_automaton_is_refused(wrong: dict[str, object]) -> None:
    good: dict[str, object] = {"states": 2, "initial": [0], "steps": [[0, [["p", True]], 1, [0]]]}
    assert read_automaton(good).states == 2
    with pytest.raises(Refused):
        read_automaton({**good, **wrong})


def test_words_that_nobody_can_end_are_not_asked_for() -> None:
    never = "(F p & G !p)"  # its branch of the tableau leads nowhere
    second = Automaton(3, (0,), (Step(0, (), 1, False), Step(1, (("q", True),), 2, False), Step(2, (), 2, True)))
    check_automaton(second, normal_form(read_formula(f"!({never} | X q)"), False), nothing)
    with pytest.raises(Refused):
        check_automaton(second, normal_form(read_formula(f"!({never} | X q | X X p)"), False), nothing)
    check_automaton(Automaton(1, (0,), ()), normal_form(read_formula(f"!{never}"), False), nothing)


def test_sizes_are_limited_and_work_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    negated = normal_form(read_formula("G (p -> F q) & (F r | G s)"), False)
    work: list[int] = []
    tableau = own._Tableau(negated, lambda units=1: work.append(units))
    steps = sum(map(len, tableau.leaving.values()))
    assert sum(work) == len(tableau.leaving) + STEP * steps and max(map(len, tableau.leaving.values())) > 2
    work.clear()
    game = own._Game(EVERYTHING, tableau, lambda units=1: work.append(units))
    assert sum(work) == len(game.arena) + STEP * sum(map(len, game.arena.values()))
    for name, most, make in (
        ("MOST_NODES", len(tableau.leaving), lambda: own._Tableau(negated, nothing)),
        ("MOST_POSITIONS", len(game.arena), lambda: own._Game(EVERYTHING, tableau, nothing)),
    ):
        monkeypatch.setattr(own, name, most)
        make()
        monkeypatch.setattr(own, name, most - 1)
        with pytest.raises(Unsupported):
            make()
        monkeypatch.undo()


def test_atoms_of_one_step_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    asks = Automaton(1, (0,), (Step(0, (("a", True),), 0, True), Step(0, (("b", True),), 0, True)))
    monkeypatch.setattr(own, "MOST_ATOMS", 2)
    with pytest.raises(Refused, match="misses"):
        check_automaton(asks, normal_form(read_formula("F p"), False), nothing)
    monkeypatch.setattr(own, "MOST_ATOMS", 1)
    with pytest.raises(Unsupported):
        check_automaton(asks, normal_form(read_formula("F p"), False), nothing)
