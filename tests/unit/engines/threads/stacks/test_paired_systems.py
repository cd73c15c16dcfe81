"""Threads beside an automaton: every thread has begun, letters know all tops, marks are those of the automaton."""

from __future__ import annotations

import knaster
from knaster.automata.translate import translate
from knaster.engines.threads.pushdown_systems import systems_of
from knaster.engines.threads.stacks.paired_systems import Control, PairedSystems
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.properties import property_named
from knaster.evidence.questions.question import Temporal

TEXT = (
    "decl x := 0; void main_1() begin decl l; A: f(); end void f() begin x := 1; end void main_2() begin B: skip; end\n"
)


def paired(formula: str) -> PairedSystems:
    program = knaster.parse(TEXT)
    question = property_named(formula).question
    assert isinstance(question, Temporal)
    automaton = translate(question.formula, positive=False)
    base = systems_of(program, 10_000, lambda: None)
    return PairedSystems(program, base, automaton, meanings_of(program, question), 10_000, lambda: None)


def test_starts_and_letters() -> None:
    found = paired("G (at(A) | at(B) | {x} | ended)")
    assert len(found.starts) == 2 * len(found.automaton.initial)  # the local of main_1
    control = found.starts[0].state
    assert isinstance(control, Control) and found.is_open(control)
    assert found.letter(control) == {"at(A)", "at(B)"} and found.letter(control, over=True) == {"ended"}


def test_marks_are_those_of_accepting_steps() -> None:
    found = paired("F {x}")
    assert found.marked and all(rule in found.origins for rule in found.marked)
    for made, base in found.origins.items():
        assert (made.symbol, made.push) == (base.symbol, base.push)
