"""Termination and formulas of threads: what fairness changes, deadlocks, ends, and limits."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Diverges, Unknown, Verdict
from knaster.report.sentence import sentence

BUSY = "decl x := 0; void main_1() begin while (!x) do skip; od end void main_2() begin x := 1; end\n"
TAKES = (
    "decl lock := 0; void main_1() begin while (1) do atomic_begin; assume(!lock); lock := 1; atomic_end; "
    "lock := 0; od end void main_2() begin atomic_begin; assume(!lock); lock := 1; atomic_end; R: lock := 0; end\n"
)
LOCALS = "void main_1() begin decl l; assume(l); A: skip; end void main_2() begin decl m; assume(m); B: skip; end\n"
STUCK = "void main_1() begin assume(F); A: skip; end void main_2() begin assume(F); end\n"
DEADLOCK = "decl x := 0; void main_1() begin assume(x); end void main_2() begin skip; end\n"


@pytest.mark.parametrize(
    ("text", "asked", "fair", "true"),
    [
        (BUSY, "termination", "none", False),
        (BUSY, "termination", "weak", True),
        (BUSY, "F ended", "strong", True),
        (TAKES, "F R", "none", False),
        (TAKES, "F R", "weak", False),  # the lock is free again and again, and taken again and again
        (TAKES, "F R", "strong", True),
        (DEADLOCK, "termination", "none", True),  # to wait for ever is no infinite run
        (DEADLOCK, "F ended", "strong", False),
        (DEADLOCK, "F G !ended", "weak", True),
        (BUSY, "G F thread(2).in(main_2) | F ended", "none", True),
        (BUSY, "F thread(1).in(main_2)", "none", False),
        (LOCALS, "F (A | B)", "strong", False),  # both may begin with locals with which they wait for ever
        (LOCALS, "F A", "none", False),
        (STUCK, "X F (A | ended)", "none", False),  # the automaton goes on where nobody ever moves
    ],
)
def test_answers(text: str, asked: str, fair: str, true: bool) -> None:
    result = knaster.check(text, property=asked, fair=fair)
    assert result.engine == "explicit" and result.verdict is (Verdict.TRUE if true else Verdict.FALSE)
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
    assert "limit of 3 states" in knaster.check(BUSY, property="termination", states=3).reason
