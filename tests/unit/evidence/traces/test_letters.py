"""The word of a lasso: a letter before each statement, calls that return from inside included."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.limits import OutOfBudget
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.question import Temporal
from knaster.evidence.traces import letters
from knaster.evidence.traces.letters import letters_of

TEXT = "decl g := 0; void main() begin A: f(); while (1) do B: g := !g; od end void f() begin C: skip; end\n"


def test_letters_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    result = knaster.check(TEXT, property="F G {!g} & F G (A | B | C | !{g})")
    answer = result.answers[0][1]
    assert isinstance(answer, Diverges) and answer.lasso is not None and isinstance(result.question, Temporal)
    word = letters_of(answer.lasso, result.program, meanings_of(result.program, result.question))
    assert word.stem[:2] == (frozenset({"A", "{!g}"}), frozenset({"C", "{!g}"})) and len(word.cycle) == 4
    assert {frozenset({"B", "{!g}"}), frozenset({"B", "{g}"})} <= set(word.stem + word.cycle)
    monkeypatch.setattr(letters, "MOST_LETTERS", 2)
    with pytest.raises(OutOfBudget, match="too many"):
        letters_of(answer.lasso, result.program, {})
