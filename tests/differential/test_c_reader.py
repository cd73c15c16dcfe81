"""Random programs of C without inputs compute what they compute when gcc has compiled them (`tests/fuzz.py reader`)."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from support.fuzz.reader import COMPILER, difference
from support.generators.c_closed import ClosedProgram
from support.generators.c_initial import InitialProgram

EXAMPLES = int(os.environ.get("KNASTER_EXAMPLES", "1"))


@pytest.mark.skipif(COMPILER is None, reason="there is no gcc")
@pytest.mark.parametrize("number", range(1, 8 * EXAMPLES + 1))
def test_random_programs(number: int) -> None:
    assert difference(ClosedProgram(number), Counter()) == "", (
        f"python tests/fuzz.py reader --first {number} --programs 1"
    )


@pytest.mark.skipif(COMPILER is None, reason="there is no gcc")
@pytest.mark.parametrize("number", range(1, 8 * EXAMPLES + 1))
def test_random_initial_values(number: int) -> None:
    assert difference(InitialProgram(number), Counter()) == "", (
        f"python tests/fuzz.py reader --kind initial --first {number} --programs 1"
    )


def test_a_sum_that_is_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.fuzz.reader.printed", lambda text: 7)
    assert "gcc computes 7" in difference(ClosedProgram(1), Counter())
