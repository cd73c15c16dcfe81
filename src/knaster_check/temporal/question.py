"""The question of a proof about infinite runs: its automaton, which has to accept all that the formula excludes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from knaster_check.program import Program
from knaster_check.refused import expect, text_of
from knaster_check.table import Verdict
from knaster_check.temporal.automaton import EVERYTHING, Automaton, check_automaton, read_automaton
from knaster_check.temporal.formula import atoms, normal_form, read_formula
from knaster_check.temporal.graph import FAIRNESS
from knaster_check.temporal.letters import Meaning, meaning_of
from knaster_check.work import Tick


class Question(NamedTuple):
    """Does a formula hold on every run that counts?  None: does every such run end?"""

    formula: str | None
    fair: str  # which runs count
    automaton: Automaton  # accepts what the formula excludes
    meanings: dict[str, Meaning]  # of its atoms

    def affirm(self, answered: Mapping[str, int]) -> Verdict:
        """Return that it is so."""
        claim = "ends" if self.formula is None else "holds"
        return Verdict(claim, answered=answered, formula=self.formula or "", fair=self.fair)


def read_question(program: Program, data: Mapping[str, Any], tick: Tick) -> Question:
    """Return the question of a proof, whose automaton accepts what its formula excludes."""
    fair = data.get("fair", "none")
    expect(fair in FAIRNESS, "there is no such fairness")
    automaton = read_automaton(data)
    if data["formula"] is None:
        expect(automaton == EVERYTHING, "the automaton is not the one of termination")
        return Question(None, fair, automaton, {})
    text = text_of(data["formula"], "the formula")
    formula = read_formula(text)
    meanings = {atom: meaning_of(program, atom) for atom in atoms(formula)}
    foreign = {atom for step in automaton.steps for atom, _ in step.guard} - meanings.keys()
    expect(not foreign, "the automaton speaks of what the formula does not have")
    check_automaton(automaton, normal_form(formula, False), tick)
    return Question(text, fair, automaton, meanings)
