"""The check of a table of stacks: it has the start, every step and every switch, and no target."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.threads.stack_table import BELOW, _holds, _is_contained, _tops, check_stack_table
from knaster.evidence.proofs.threads.stack_table import Letter, StackSet, StackTable
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.semantics.threads import Activation
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


A, B, C = (Activation(name, 0, ()) for name in "abc")
WAITS, LONGER = Activation("w", 0, (), 3), Activation("l", 0, (), 4)


def test_only_stacks_of_the_form_that_runs_have_count() -> None:
    moves: tuple[dict[Letter, int], ...] = (
        {Letter(WAITS, True): 1, Letter(A, True): 2, Letter(B, False): 2},
        {},
        {Letter(C, True): 1, Letter(WAITS, True): 1, Letter(LONGER, False): 3},
        {Letter(WAITS, True): 1},
    )
    found = list(_tops(StackSet(moves, (False, True, False, False))))
    assert found == [((A,), None), ((WAITS, B), None), ((BELOW, LONGER, B), 3)]


def test_one_set_has_the_stacks_of_another() -> None:
    below = {Letter(WAITS, True): 2}
    small = StackSet(
        ({Letter(A, False): 1}, {Letter(LONGER, False): 3, **below}, {}, below), (False, False, True, False)
    )
    large = StackSet(({Letter(B, False): 1}, {Letter(LONGER, False): 3, **below}, {}, {}), (False, False, True, False))
    assert _is_contained(small, 0, small, 0) and not _is_contained(small, 0, small, 1)
    assert _is_contained(small, 3, small, 1) and not _is_contained(small, 1, small, 3)
    assert _holds(small, (BELOW, A), small, 1)
    assert not _holds(large, (BELOW, B), small, 1)  # the longer stacks are missing
    assert not _holds(small, (BELOW, A), replace(small, moves=({Letter(C, True): 2}, *small.moves[1:])), 0)
    assert _holds(replace(small, accepting=(True,) * 4), (), small, None) and not _holds(small, (), small, None)
