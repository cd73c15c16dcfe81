"""Random C programs with memory, run by Knaster and by the kernel: the same way, the same end, on the same inputs."""

from __future__ import annotations

from random import Random

import pytest

from knaster.frontends.languages import load
from support.generators import c_inputs, c_memory
from support.kernel_memory import Kernel, difference


def differences(seed: int) -> list[str]:
    """Return what differs for a closed random program and one that reads inputs."""
    random = Random(seed)
    closed = c_memory.HEAD + c_memory.program(random, "main", mistakes=0.5)
    found = []
    for text, runs in ((closed, 1), (c_inputs.program(random, random.randint(1, 3)), 5)):
        program = load(text, file="a.c", objects="always")
        kernel = Kernel(program)
        found += [f"seed {seed}: {said}" for run in range(runs) if (said := difference(program, kernel, run))]
    return found


def test_a_few_programs() -> None:
    assert not [said for seed in range(3) for said in differences(seed)]


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_many_programs(block: int) -> None:
    assert not [said for seed in range(1000 + 50 * block, 1050 + 50 * block) for said in differences(seed)]
