"""Rounds: each target has its own answer, and what nobody can make one program is said."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from support.c_thread_texts import two_threads

pytest.importorskip("clang.cindex")


def test_each_target_has_its_own_answer() -> None:
    text = two_threads("x = any(); assert(x != 7);", "y = 1;", "assert(y < 2);")
    result = knaster.check(text, file="a.c", property="reach", engine="rounds", rounds=2)
    said = [type(answer).__name__ for _, answer in result.answers]
    assert result.verdict is knaster.Verdict.FALSE and sorted(said) == ["Reachable", "Unreachable"]


def test_loops_without_end_are_not_said_to_hold() -> None:
    text = two_threads("while (any()) x = x + 1;", "", "assert(x < 100);")
    result = knaster.check(text, file="a.c", property="reach", engine="rounds", rounds=2)
    assert result.verdict is knaster.Verdict.UNKNOWN
    assert all(isinstance(answer, knaster.Unknown) for _, answer in result.answers)


def test_switches_are_not_counted() -> None:
    with pytest.raises(UsageError, match="it counts rounds, not switches"):
        knaster.check(two_threads("assert(x == 0);", ""), file="a.c", property="reach", engine="rounds", switches=2)


@pytest.mark.parametrize("sequential", ["unrolled", "horn", "search"])
def test_each_method_finds_a_run_that_is_replayed(sequential: str) -> None:
    text = two_threads("y = 1;", "", "assert(y == 0);")
    result = knaster.check(text, file="a.c", property="reach", engine="rounds", rounds=2, sequential=sequential)
    ((_, answer),) = result.answers
    assert isinstance(answer, knaster.Reachable) and answer.checked


@pytest.mark.parametrize("sequential", ["unrolled", "horn"])
def test_what_is_excluded_is_so_within_the_bound(sequential: str) -> None:
    text = two_threads("x = 1; y = 1;", "", "int d = y; if (d) assert(x == 1);")
    result = knaster.check(text, file="a.c", property="reach", engine="rounds", rounds=2, sequential=sequential)
    ((_, answer),) = result.answers
    assert result.verdict is knaster.Verdict.UNKNOWN
    assert isinstance(answer, knaster.Unreachable) and answer.checked and str(answer.bound) == "at most 2 rounds"


def test_what_a_method_knows_of_the_sequential_program_is_not_said_of_the_threads() -> None:
    text = two_threads("x = any(); y = x;", "", "assert(y != 7 || x == 7);")
    result = knaster.check(text, file="a.c", property="reach", engine="rounds", rounds=2, sequential="yasm")
    assert "#" not in result.reason


def test_no_other_method_is_taken() -> None:
    with pytest.raises(UsageError, match="sequential"):
        knaster.check(two_threads("x = 1;", "", "assert(x);"), file="a.c", engine="rounds", sequential="ranking")
