"""Budgets: what is left, parts of it, and the moment at which it is spent, by a clock that the test sets."""

from __future__ import annotations

import pytest

from knaster.base import limits
from knaster.base.limits import Budget, Limits, OutOfBudget, OutOfTime


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    time = [100.0]
    monkeypatch.setattr(limits, "clock", lambda: time[0])
    return time


def test_what_is_left(now: list[float]) -> None:
    budget = Budget.of(Limits(seconds=10))
    now[0] += 4
    assert (budget.seconds_spent, budget.seconds_left) == (4, 6) and budget.overdrawn() == ""
    now[0] += 7
    assert budget.seconds_left == 0 and budget.overdrawn() == "the time limit of 10 s was reached"
    with pytest.raises(OutOfTime):
        budget.check()
    assert Budget().seconds_left is None


def test_a_part_is_never_more_than_what_is_left(now: list[float]) -> None:
    budget = Budget(10)
    now[0] += 8
    assert budget.part(5).seconds_left == 2 and budget.part(1).seconds_left == 1 and Budget().part(3).seconds_left == 3


def test_a_part_names_the_limit_that_somebody_has_set(now: list[float]) -> None:
    """It said "the time limit of 0.391242 s", what was left of a minute."""
    budget = Budget(60.0, started=0.0)
    now[0] = 59.5
    for found in (budget.part(5), budget.part(5).part(3), Budget(9.0, whole=60.0, started=51.0).part(8)):
        assert found.time_is_over() == "the time limit of 60 s was reached"
    assert budget.part(0.25).time_is_over() == "the time limit of 0.25 s was reached"


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "peak_megabytes", lambda: 11)
    assert Budget(megabytes=10).overdrawn() == "the memory limit of 10 MB was reached"
    assert Budget(megabytes=11).overdrawn() == "" and Budget(megabytes=3).bytes == 3 << 20
    budget = Budget(megabytes=10)
    with pytest.raises(OutOfBudget):
        for _ in range(256):  # memory is looked at once in so many steps
            budget.check()


def test_progress_is_told() -> None:
    said: list[str] = []
    Budget(progress=said.append).tell("half")
    Budget().tell("nobody listens")
    assert said == ["half"]
