"""What is established is never lost, and never said without the bound within which it holds."""

from __future__ import annotations

from dataclasses import replace

import knaster
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unknown, Unreachable, Verdict
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.questions.question import Bound, Coverage, Reach
from knaster.evidence.questions.targets import resolve_targets

PROGRAM = knaster.parse("decl g; void main_1() begin A: B: C: skip; end void main_2() begin D: skip; end\n")
A, B, C, D = resolve_targets(PROGRAM, ["A", "B", "C", "D"])
WHY = "the time limit was reached"


def opened() -> Ledger:
    ledger = Ledger()
    answers = tuple((target, Unknown("")) for target in (A, B, C, D))
    ledger.open(Result(PROGRAM, Reach((A, B, C, D)), "lazy", {}, answers, {}, bound=Coverage("switches", None, None)))
    return ledger


def said(ledger: Ledger) -> tuple[list[Answer], Coverage | None]:
    result = ledger.result(WHY)
    assert result is not None
    return [answer for _, answer in result.answers], result.bound


def test_nothing_is_known_before_there_is_a_question() -> None:
    assert Ledger().result(WHY) is None


def test_a_question_of_which_nothing_is_known() -> None:
    assert said(opened()) == ([Unknown(WHY)] * 4, Coverage("switches", None, None))


def test_a_method_that_starts_again_loses_nothing() -> None:
    ledger = opened()
    ledger.note({A: 0, B: 2}, Bound("switches", 2))
    before = said(ledger)
    ledger.note({A: 0}, Bound("switches", 0))
    ledger.note({})
    assert said(ledger) == before
    missed = Unreachable(None, Bound("switches", 2), unchecked=WHY, beyond=WHY)
    found = [Reachable(None, unchecked=WHY, least=least) for least in (0, 2)]
    assert before == ([*found, missed, missed], Coverage("switches", None, 2))


def test_what_was_checked_stays() -> None:
    ledger = opened()
    checked = Reachable(None, checked=True, least=1)
    never = Unreachable(None, checked=True)
    within = Unreachable(None, Bound("switches", 1), checked=True)
    ledger.settle({A: checked, B: never, C: within, D: Unknown("too much")}, Bound("switches", 1))
    ledger.note({A: 1, C: 3}, Bound("switches", 3))
    answers, bound = said(ledger)
    assert answers[:3] == [checked, never, Reachable(None, unchecked=WHY, least=3)]
    assert answers[3] == Unreachable(None, Bound("switches", 3), unchecked=WHY, beyond=WHY)
    assert bound == Coverage("switches", None, 3)


def test_the_verdict_is_that_of_what_is_known() -> None:
    ledger = opened()
    ledger.note({}, Bound("switches", 4))
    result = ledger.result(WHY)
    assert result is not None and result.verdict is Verdict.UNKNOWN
    assert result.reason == f"all 4 targets are unreachable with at most 4 switches; {WHY}"
    ledger.note({D: 5})
    result = ledger.result(WHY)
    assert result is not None and result.verdict is Verdict.FALSE
    assert replace(result, answers=result.answers[:3]).verdict is Verdict.UNKNOWN
