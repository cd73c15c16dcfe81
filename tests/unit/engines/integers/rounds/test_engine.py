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
