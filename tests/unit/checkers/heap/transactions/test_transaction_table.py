"""The check of a table of states between transactions: every row of it is needed, and so is every assumption."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.transactions.transaction_table import check_transaction_table
from knaster.evidence.proofs.heap.transaction_table import TransactionTable
from knaster.evidence.questions.question import Target
from knaster.semantics.heap.failure import ASSERTION
from support.kinds_of_proofs import result_with

ASSERTIONS = [Target("assertion", "", 0, 0, ASSERTION)]


def table() -> TransactionTable:
    found = result_with("transaction_table").proof
    assert isinstance(found, TransactionTable)
    return found


def check(given: TransactionTable, targets: list[Target] = ASSERTIONS) -> None:
    check_transaction_table(given, given.program, targets, Budget())


def test_what_was_proved_holds() -> None:
    assert table().locks == ("Start.m",) and table().unprotected == ("Start.n",)
    check(table())


def test_every_row_is_needed() -> None:
    rows, held = table().rows, table().held
    assert len(rows) > 5
    for number in range(len(rows)):
        with pytest.raises(InternalError, match="does not hold"):
            fewer = rows[:number] + rows[number + 1 :]
            check(replace(table(), rows=fewer, held=held[:number] + held[number + 1 :]))


def test_who_holds_what_is_said_of_every_row() -> None:
    with pytest.raises(InternalError, match="not about this program"):
        check(replace(table(), held=table().held[1:]))
    with pytest.raises(InternalError, match="no state between transactions"):
        check(replace(table(), held=((), *table().held[1:])))


def test_what_nothing_protects_must_be_named() -> None:
    with pytest.raises(InternalError, match=r"'Start\.n' is not protected"):
        check(replace(table(), unprotected=()))


def test_what_a_lock_protects_is_not_protected_without_it() -> None:
    with pytest.raises(InternalError, match="does not hold"):
        check(replace(table(), locks=(), unprotected=("Start.m", "Start.n")))


@pytest.mark.parametrize("lock", ["Start.x", "Start.n", "Start.nothing"])
def test_what_is_no_lock(lock: str) -> None:
    with pytest.raises(InternalError, match="is no lock"):
        check(replace(table(), locks=("Start.m", lock)))


def test_a_place_that_is_reached() -> None:
    with pytest.raises(InternalError, match="does not exclude 'here'"):
        check(table(), [Target("here", "work", 3, 12)])
