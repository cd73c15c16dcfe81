"""Termination and formulas of threads on sets: answers, evidence that is checked, limits, started threads."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.base.limits import Limits
from knaster.evidence.answers.answer import Diverges, Terminates, Unknown, Verdict
from knaster.evidence.proofs.threads.fair_sets import FairSets
from support.thread_questions import BUSY, DEADLOCK, QUESTIONS, STARTED


@pytest.mark.parametrize(("text", "asked", "fair", "true"), QUESTIONS)
def test_answers(text: str, asked: str, fair: str, true: bool) -> None:
    result = knaster.check(text, property=asked, fair=fair)
    assert result.engine == "states" and result.verdict is (Verdict.TRUE if true else Verdict.FALSE)
    assert all(answer.checked for _, answer in result.answers if not isinstance(answer, Unknown))


def test_started_threads_have_lanes() -> None:
    for asked, true in (("termination", False), ("F A", True), ("G F thread(1).in(main)", False)):
        result = knaster.check(STARTED, property=asked, fair="weak", engine="states")
        assert result.verdict is (Verdict.TRUE if true else Verdict.FALSE), asked


def test_any_number_of_threads_is_for_others() -> None:
    text = "void main() begin assume(F); while (*) do start_thread work(); od end void work() begin skip; end\n"
    with pytest.raises(UsageError, match="any number of threads may be started; use explicit"):
        knaster.check(text, property="F ended", engine="states")
    assert knaster.check(text, property="F ended").verdict is Verdict.FALSE


def test_where_it_waits_is_said() -> None:
    ((_, answer),) = knaster.check(DEADLOCK, property="F ended", engine="states").answers
    assert isinstance(answer, Diverges) and answer.lasso is not None and answer.lasso.waits


def test_few_rounds_suffice_where_every_step_counts() -> None:
    """A thread without a loop is over after one removal, however long it is."""
    body = "skip; " * 50
    result = knaster.check(f"void main_1() begin {body} end void main_2() begin {body} end\n", property="termination")
    ((_, answer),) = result.answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairSets) and len(answer.proof.removals) == 1


def test_a_limit_is_unknown() -> None:
    result = knaster.check(BUSY, property="F ended", engine="states", limits=Limits(seconds=0.0))
    assert result.verdict is Verdict.UNKNOWN
