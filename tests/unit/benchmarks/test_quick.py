"""`make bench-quick` fails where a ratio is worse than the recorded one by more than a quarter, and nowhere else."""

from __future__ import annotations

import json

import pytest

from benchmarks import quick
from benchmarks.harness import Run
from benchmarks.quick import RECORDED, Ratio, ratios, values, worse


def test_what_counts_as_worse() -> None:
    assert worse({"a": 1.26, "b": 1.25, "c": 0.5, "new": 9.0}, {"a": 1.0, "b": 1.0, "c": 1.0}) == ["a"]


def test_every_ratio_is_recorded() -> None:
    assert sorted(json.loads(RECORDED.read_text())) == sorted(ratio.name for ratio in ratios())


def test_commands_are_run_in_turn_and_the_best_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    costs = iter([4.0, 2.0, 3.0, 1.0])

    def fake(command: tuple[str, ...], timeout: float, clock: str) -> Run:
        order.append(command[0])
        return Run(9.0, next(costs), 1.0, 0, False, "", "")

    monkeypatch.setattr(quick, "run", fake)
    assert values([Ratio("r", ("a",), ("b",))], 2, 1.0) == {"r": 3.0}
    assert order == ["a", "b", "a", "b"]
