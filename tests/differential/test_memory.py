"""Programs with memory against gcc and its sanitizers: the same result, or the same first error at the same line."""

from __future__ import annotations

import shutil

import pytest

from support.fuzz.memory import compare

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compare with")


@needs_gcc
def test_a_few_programs() -> None:
    assert compare(seed=7, count=12) == []


@needs_gcc
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1010))
def test_many_programs(seed: int) -> None:
    assert compare(seed, count=50) == []
