"""Zing models within a number of context switches: the least numbers are those that the interpreter finds."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.evidence.answers.answer import Reachable, Verdict
from knaster.frontends.zing import parse
from support import ROOT
from support.oracles.zing_switches import handed, least_found, least_numbers

EXAMPLES = ROOT / "examples" / "zing"


@pytest.mark.parametrize("end", ["", "end"])
@pytest.mark.parametrize("last", ["", "select { wait(turn == 9) -> ; }"])
@pytest.mark.parametrize("most", [0, 1, 2, 3, 4, 6])
def test_least_numbers_of_threads_that_hand_something_over(end: str, last: str, most: int) -> None:
    program = parse(handed(end, last))
    wanted = least_numbers(program, most)
    for reduction in ("none", "local"):
        assert least_found(program, most, reduction) == wanted
    if most == 6:
        assert len(set(wanted.values())) >= 3


def test_a_level_without_new_states_is_the_last_one() -> None:
    file = EXAMPLES / "peterson.zing"
    whole = knaster.check(file, engine="explicit", reduction="none")
    result = knaster.check(file, switches=60, reduction="none")
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked
    assert result.bound is not None and result.bound.covered == 60
    few = knaster.check(file, switches=1)
    assert few.verdict is Verdict.UNKNOWN and "unreachable with at most 1 switch; more were not tried" in few.reason
    assert whole.verdict is Verdict.TRUE


def test_philosophers_need_three_switches() -> None:
    file = EXAMPLES / "philosophers-deadlock.zing"
    assert knaster.check(file, switches=2).verdict is Verdict.UNKNOWN
    answer = knaster.check(file, switches=7).answers[0][1]
    assert isinstance(answer, Reachable) and answer.least == 3


def test_recursion_without_end_is_unknown_within_a_bound() -> None:
    endless = """class Main {
  activate static void one() { M(); }
  activate static void two() { M(); }
  static void M() { M(); }
};
"""
    result = knaster.check(endless, switches=2, states=200)
    assert result.verdict is Verdict.UNKNOWN and "the limit of 200 states was reached" in result.reason


def test_rounds_are_not_counted() -> None:
    with pytest.raises(KnasterError, match="it counts switches, not rounds"):
        knaster.check(EXAMPLES / "peterson.zing", rounds=2)
