"""Programs with floating-point numbers: all runs of a few inputs against what a solver says of the reduced program."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from knaster.transform.regions.refusal import Refused
from support.generators.c_floats import program
from support.regions import compare_runs


@pytest.mark.parametrize("seed", [0, 3, 7, 12])
def test_solvers_say_what_runs_do(seed: int) -> None:
    with suppress(Refused):  # parts of a struct may be used in several ways
        compare_runs(program(Random(seed), 4), "safety")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 300))
def test_more_solvers_say_what_runs_do(seed: int) -> None:
    with suppress(Refused):
        compare_runs(program(Random(seed), 6), "safety")
