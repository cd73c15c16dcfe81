"""Answers about the ends of runs: an engine that shows nothing is held against `ranks`, which has to agree."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from knaster import Evidence, Termination
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.checked import check_ends
from knaster.decide.conclusions.ends import answer_about_ends
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.answers.answer import Diverges, Terminates, Unknown
from knaster.frontends.boolean import parse

ENDS = parse("void main() begin skip; end\n", "p.bp")
LOOPS = parse("void main() begin while (T) do skip; od end\n", "p.bp")


def task(text: str = "ends") -> Task:
    return Task(ENDS if text == "ends" else LOOPS, Termination(), Budget(), SymbolicOptions(), 1 << 12)


def says(ends: Diverges | Terminates | None, unknown: Undecided | None = None) -> Findings:
    return Findings(frozenset(), unknown, {}, ends=ends)


def test_what_is_shown_by_nobody_is_derived() -> None:
    ended = answer_about_ends(task(), says(Terminates(None)), Evidence())
    assert isinstance(ended, Terminates) and ended.checked and ended.proof is not None
    endless = answer_about_ends(task("loops"), says(Diverges(None)), Evidence())
    assert isinstance(endless, Diverges) and endless.checked and endless.lasso is not None


def test_a_claim_that_is_refuted_is_named() -> None:
    with pytest.raises(InternalError, match="says that a run is not as asked; evidence for the opposite"):
        answer_about_ends(task(), says(Diverges(None)), Evidence())
    with pytest.raises(InternalError, match="says that every run is as asked; evidence for the opposite"):
        answer_about_ends(task("loops"), says(Terminates(None)), Evidence())


@pytest.mark.parametrize(
    ("derived", "answer"),
    [
        (says(None, Undecided("too hard")), Unknown("too hard")),
        (says(None), Unknown("there is no evidence")),
    ],
)
def test_no_second_opinion_is_no_answer(monkeypatch: pytest.MonkeyPatch, derived: Findings, answer: Unknown) -> None:
    card = SimpleNamespace(why_not=lambda program, question: None, find=lambda task: derived)
    monkeypatch.setattr("knaster.engines.boolean.ranks.CARD", card)
    assert answer_about_ends(task(), says(Terminates(None)), Evidence()) == answer


def test_an_engine_that_says_nothing() -> None:
    assert answer_about_ends(task(), says(None, Undecided("too hard")), Evidence()) == Unknown("too hard")
    with pytest.raises(InternalError, match="in no way"):
        answer_about_ends(task(), says(None), Evidence())


def test_what_was_checked_is_believed_of_its_own_program_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answer_about_ends(task(), says(Terminates(None)), Evidence())
    assert isinstance(answer, Terminates) and answer.proof is not None
    checked = check_ends(answer.proof, ENDS, Budget())
    claimed = replace(says(Terminates(answer.proof)), proof=lambda: checked)
    with pytest.raises(InternalError):
        answer_about_ends(task("loops"), claimed, Evidence())
    again: list[object] = []
    monkeypatch.setattr("knaster.decide.conclusions.ends.check_ends", lambda *given: again.append(given))
    assert answer_about_ends(task(), claimed, Evidence()) == replace(answer, checked=True) and not again
    answer_about_ends(task(), says(Terminates(answer.proof)), Evidence())
    assert len(again) == 1
