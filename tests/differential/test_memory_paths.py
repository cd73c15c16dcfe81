"""Paths with terms against runs on numbers: the same ends for all truth values; a path's model ends as it says."""

from __future__ import annotations

from random import Random

import pytest

from support.memory_paths import all_ends, path_ends, read_program, run_on

TRUTHS = 3


def compare_all(seed: int, statements: int) -> None:
    """Compare all paths of a program over truth values with all of its runs."""
    program = read_program(Random(seed), TRUTHS, statements)
    found = list(path_ends(program, 200))
    if any(end.kind == "unclear" for end, _, _ in found) or not found[-1][2]:
        return
    assert {end for end, _, _ in found} <= all_ends(program, TRUTHS)
    assert {(end.kind, end.fault, end.line) for end in all_ends(program, TRUTHS)} == {
        (end.kind, end.fault, end.line) for end, _, _ in found
    }


def compare_models(seed: int, statements: int, most: int) -> None:
    """Compare what paths say with runs on the inputs of their models."""
    program = read_program(Random(seed), 0, statements)
    for end, values, _ in path_ends(program, most):
        if end.kind != "unclear":
            assert run_on(program, values) == (end, len(values))


@pytest.mark.parametrize("seed", range(12))
def test_paths_end_as_runs_do(seed: int) -> None:
    compare_all(seed, 8)
    compare_models(seed, 6, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_many_paths_end_as_runs_do(seed: int) -> None:
    compare_all(seed, 14)
    compare_models(seed, 14, 12)
