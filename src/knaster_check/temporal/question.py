"""The question of a proof about infinite runs: its automaton, which has to accept all that the formula excludes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.program import Program
from knaster_check.refused import expect, text_of
from knaster_check.temporal.automaton import EVERYTHING, Automaton, check_automaton, read_automaton
from knaster_check.temporal.formula import atoms, normal_form, read_formula
from knaster_check.temporal.letters import Meaning, meaning_of
from knaster_check.work import Tick


def read_question(program: Program, data: Mapping[str, Any], tick: Tick) -> tuple[Automaton, dict[str, Meaning]]:
    """Return the automaton of a proof, which accepts what its formula excludes, and what the atoms mean."""
    automaton = read_automaton(data)
    if data["formula"] is None:
        expect(automaton == EVERYTHING, "the automaton is not the one of termination")
        return automaton, {}
    formula = read_formula(text_of(data["formula"], "the formula"))
    meanings = {atom: meaning_of(program, atom) for atom in atoms(formula)}
    foreign = {atom for step in automaton.steps for atom, _ in step.guard} - meanings.keys()
    expect(not foreign, "the automaton speaks of what the formula does not have")
    check_automaton(automaton, normal_form(formula, False), tick)
    return automaton, meanings
