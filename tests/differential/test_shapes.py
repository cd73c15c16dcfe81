"""Shapes of the heap against runs on chosen inputs: no run reaches what shapes exclude, and the check agrees."""

from __future__ import annotations

from random import Random

import pytest

from support.generators.c_lists import random_list_program
from support.list_runs import compare_with_runs

pytest.importorskip("clang.cindex")


@pytest.mark.parametrize("seed", range(12))
def test_no_run_reaches_what_shapes_exclude(seed: int) -> None:
    compare_with_runs(random_list_program(Random(seed), 4), 3_000, 150)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_many_programs(seed: int) -> None:
    compare_with_runs(random_list_program(Random(seed), 3 + seed % 6), 60_000, 600)
