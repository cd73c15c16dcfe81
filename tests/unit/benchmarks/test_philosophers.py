"""The philosophers of the benchmark: the model answers, with as many states as Spin stores."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.philosophers import knaster, spin


def test_knaster_answers() -> None:
    assert knaster(3).states == 25


@pytest.mark.skipif(shutil.which("spin") is None or shutil.which("gcc") is None, reason="spin or gcc is not installed")
def test_spin_has_as_many_states() -> None:
    assert spin(4).states == knaster(4).states
