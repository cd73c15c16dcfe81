"""Programs with memory against what they are reduced to: the same targets are reached, and runs come back."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import pytest

from knaster.transform.regions.refusal import Refused
from support.regions import closed_program, compare_with_memory

PROPERTIES = ("reach", "safety", "overflow")


@pytest.mark.parametrize("seed", range(10))
def test_the_reduced_program_reaches_the_same(seed: int) -> None:
    with nullcontext() if seed % 2 else suppress(Refused):  # members may be used in several ways
        compare_with_memory(closed_program(seed), PROPERTIES[seed % 3])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 400))
def test_more_reduced_programs_reach_the_same(seed: int) -> None:
    for name in PROPERTIES:
        with nullcontext() if seed % 2 else suppress(Refused):  # members may be used in several ways
            compare_with_memory(closed_program(seed, 14), name)
