"""Which steps count: of weak automata those inside accepting components, of others those that are marked."""

from __future__ import annotations

import pytest

from knaster.automata.acceptance import acceptance_of
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.translate import translate
from knaster.evidence.questions.product import EVERYTHING


@pytest.mark.parametrize(("formula", "weak"), [("F p", True), ("G p", True), ("F G p", True), ("G F p", False)])
def test_weak_automata(formula: str, weak: bool) -> None:
    automaton = translate(parse_ltl(formula))
    found = acceptance_of(automaton)
    assert found.is_weak == weak
    assert found.counting and all(automaton.accepting(step) for step in found.counting)
    if weak:
        assert all(step.source in found.good for step in found.counting)


def test_every_step_of_termination_counts() -> None:
    found = acceptance_of(EVERYTHING)
    assert found.is_weak and found.good == {0} and found.counting == set(EVERYTHING.steps)
