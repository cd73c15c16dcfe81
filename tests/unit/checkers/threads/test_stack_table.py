"""The check of a table of stacks: it has the start, every step and every switch, and no target."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.threads.stack_table import check_stack_table
from knaster.evidence.proofs.threads.stack_table import StackTable
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from support.kinds_of_proofs import result_with

PROGRAM = result_with("stack_table").program


def table() -> StackTable:
    found = result_with("stack_table").proof
    assert isinstance(found, StackTable)
    return found


def test_what_was_proved_holds() -> None:
    check_stack_table(table(), PROGRAM, resolve_targets(PROGRAM, "R"), Budget())


def test_a_target_that_is_in_it() -> None:
    with pytest.raises(InternalError, match="'here' is in it"):
        check_stack_table(table(), PROGRAM, [Target("here", "one", 0, 4)], Budget())


def test_a_table_without_its_rows() -> None:
    with pytest.raises(InternalError, match="the start"):
        check_stack_table(replace(table(), rows=()), PROGRAM, (), Budget())


def test_a_row_without_a_moment() -> None:
    """Every moment of every row is needed by the start, by a step or by a switch, unless another row covers it."""
    refused = 0
    for number, row in enumerate(table().rows):
        for moment in row.reached:
            fewer = {other: stacks for other, stacks in row.reached.items() if other != moment}
            rows = (*table().rows[:number], replace(row, reached=fewer), *table().rows[number + 1 :])
            try:
                check_stack_table(replace(table(), rows=rows), PROGRAM, (), Budget())
            except InternalError:
                refused += 1
    assert refused > len(table().rows) // 2


def test_other_threads() -> None:
    with pytest.raises(InternalError, match="other threads"):
        check_stack_table(table(), replace(PROGRAM, threads=("one",)), (), Budget())
