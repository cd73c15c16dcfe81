"""Termination and formulas of threads: what fairness changes, deadlocks, ends, and limits."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Diverges, Unknown, Verdict
from knaster.report.sentence import sentence
from support.thread_questions import BUSY, DEADLOCK, QUESTIONS


@pytest.mark.parametrize(("text", "asked", "fair", "true"), QUESTIONS)
def test_answers(text: str, asked: str, fair: str, true: bool) -> None:
    result = knaster.check(text, property=asked, fair=fair, engine="explicit")
    assert result.verdict is (Verdict.TRUE if true else Verdict.FALSE)
    assert all(answer.checked for _, answer in result.answers if not isinstance(answer, Unknown))


def test_a_deadlock_is_said() -> None:
    result = knaster.check(DEADLOCK, property="F ended")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None and answer.lasso.waits
    assert "one comes to a deadlock" in sentence(result)


def test_which_runs_count_is_said() -> None:
    result = knaster.check(BUSY, property="termination", fair="weak")
    assert result.reason == "every weakly fair run ends"


def test_threads_that_recurse_and_limits_leave_it_open() -> None:
    text = "void main_1() begin main_1(); end void main_2() begin skip; end\n"
    result = knaster.check(text, property="termination", engine="explicit")
    assert result.verdict is Verdict.UNKNOWN and "calls itself" in result.reason
    assert "limit of 3 states" in knaster.check(BUSY, property="termination", engine="explicit", states=3).reason
