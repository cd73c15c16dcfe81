"""The check of a table of states: every state of it is needed, and nothing that is excluded happens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.state_table import check_state_table
from knaster.evidence.proofs.heap.state_table import StateTable
from knaster.evidence.questions.question import Bound, Target
from knaster.semantics.heap.failure import ASSERTION
from support.kinds_of_proofs import result_with

ASSERTIONS = [Target("assertion", "", 0, 0, ASSERTION)]


def table(bounded: bool = False) -> StateTable:
    found = result_with("state_table", bounded).proof
    assert isinstance(found, StateTable)
    return found


def check(given: StateTable, targets: list[Target] = ASSERTIONS) -> None:
    check_state_table(given, given.program, targets, Budget())


@pytest.mark.parametrize("bounded", [False, True])
def test_what_was_proved_holds(bounded: bool) -> None:
    check(table(bounded))


def test_every_row_is_needed() -> None:
    rows = table().rows
    for number in range(len(rows)):
        with pytest.raises(InternalError, match="does not hold"):
            check(replace(table(), rows=rows[:number] + rows[number + 1 :]))


def test_a_place_that_is_reached() -> None:
    with pytest.raises(InternalError, match="does not exclude 'here'"):
        check(table(), [Target("here", "work", 1, 10)])


def test_who_ran_is_said_of_every_row() -> None:
    bounded = table(True)
    with pytest.raises(InternalError, match="counts something else"):
        check(replace(bounded, ran=bounded.ran[1:]))
    assert bounded.bound == Bound("switches", 1)
    with pytest.raises(InternalError, match="does not hold"):
        check(replace(bounded, bound=Bound("switches", 2)))  # no states of two switches are there
