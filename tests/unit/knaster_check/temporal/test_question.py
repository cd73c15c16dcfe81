"""The question of a proof: an automaton for its formula that speaks of nothing else, or the one of termination."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.temporal.question import read_question
from knaster_check.work import nothing

PROGRAM = read_program(program_to_kernel(parse("decl x;\nvoid main() begin L: M: x := 0; end", "p.bp")))
ALL: dict[str, Any] = {"states": 1, "initial": [0], "steps": [[0, [], 0, [0]]]}


def ask(formula: str | None, **changes: Any) -> set[str]:
    return set(read_question(PROGRAM, {**ALL, **changes, "formula": formula}, nothing).meanings)


def test_an_automaton_may_know_less_than_the_formula_but_not_more() -> None:
    assert ask("G (L -> F M)") == {"L", "M"}
    with pytest.raises(Refused, match="does not have"):
        ask("G L", steps=[[0, [["L", False]], 0, [0]], [0, [["M", False]], 0, [0]], [0, [], 0, []]])
    with pytest.raises(Refused, match="misses a word"):
        ask("G (L -> F M)", steps=[[0, [["L", True]], 0, [0]]])


def test_termination_has_one_automaton() -> None:
    assert ask(None) == set()
    wrong: tuple[dict[str, Any], ...] = ({"steps": []}, {"initial": []}, {"states": 2}, {"steps": [[0, [], 0, []]]})
    for changes in wrong:
        with pytest.raises(Refused, match="of termination"):
            ask(None, **changes)


def test_what_is_affirmed() -> None:
    ends = read_question(PROGRAM, {**ALL, "formula": None, "fair": "weak"}, nothing).affirm({"asked": 1})
    assert (ends.claim, ends.formula, ends.fair, ends.answered) == ("ends", "", "weak", {"asked": 1})
    holds = read_question(PROGRAM, {**ALL, "formula": "G L"}, nothing).affirm({})
    assert (holds.claim, holds.formula, holds.fair) == ("holds", "G L", "none")
    with pytest.raises(Refused, match="fairness"):
        ask(None, fair="never")
