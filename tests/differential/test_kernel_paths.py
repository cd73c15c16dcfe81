"""The kernel's paths with inputs as terms against its runs on all inputs: the same places, the same undefined steps."""

from __future__ import annotations

from random import Random

import pytest

from knaster.frontends.languages import load
from knaster_check.refused import Unsupported
from support.generators import c_inputs
from support.kernel_paths import events_of_paths, events_of_runs


def compare(seed: int) -> bool:
    """Compare a random program that reads one input; tell whether it was compared."""
    text = c_inputs.program(Random(seed), 1)
    program = load(text, file="a.c", objects="always")
    values = range(-128, 128) if "__VERIFIER_nondet_schar();" in text.partition("main")[2] else range(256)
    try:
        found = events_of_paths(program)
    except Unsupported:
        return False
    assert found == events_of_runs(program, [values]), f"seed {seed}\n{text}"
    return True


def test_a_few_programs() -> None:
    assert sum(compare(seed) for seed in range(2)) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_many_programs(block: int) -> None:
    assert sum(compare(seed) for seed in range(1000 + 30 * block, 1030 + 30 * block)) >= 20
