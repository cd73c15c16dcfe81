"""Every file of the muCKE collection gives the expected answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knaster.base.errors import SourceError
from knaster.calculus import Session, Solution, parse
from support import SHARED

SUITE = SHARED / "benchmarks/mucke"
pytestmark = pytest.mark.shared
LONG = 2.0  # seconds that muCKE took


def expected() -> dict[str, Any]:
    table = SUITE / "expected.json"
    if not table.is_file():
        return {}
    found: dict[str, Any] = json.loads(table.read_text("utf-8"))
    return found


def cases() -> list[Any]:
    found = [
        pytest.param(name, entry, marks=pytest.mark.slow if entry["mucke_seconds"] >= LONG else (), id=name)
        for name, entry in expected().items()
        if entry["status"] != "part"
    ]
    return found or [pytest.param("", {}, marks=pytest.mark.skip(reason="../shared/benchmarks/mucke is missing"))]


def solve(path: Path, strategy: str = "frontier") -> Solution:
    session = Session(parse(path.read_text("utf-8"), file=str(path)), strategy=strategy)
    return Solution(session, tuple(session.answers()))


def written(count: int, like: int | str) -> int | str:
    """Return a count as muCKE writes it: from 10^13 on, three digits."""
    return f"{count:.3e}" if isinstance(like, str) else count


@pytest.mark.parametrize(("name", "entry"), cases())
def test_expected_answers(name: str, entry: dict[str, Any]) -> None:
    if entry["status"] in ("input_error", "mucke_error"):
        with pytest.raises(SourceError):
            solve(SUITE / name)
        return
    solution = solve(SUITE / name)
    if entry["status"] == "ok" or entry["queries"]:
        assert solution.queries == entry["queries"]
    wanted = entry["ons"]
    assert {each: written(solution.counts[each], count) for each, count in wanted.items()} == wanted


@pytest.mark.parametrize("strategy", ["frontier", "together", "plain"])
@pytest.mark.parametrize("name", ["tn/T10_bug.mu", "tn/T10_safe.mu", "ex/fair0.mu", "ex/ring3.mu", "ex/scheduler2.mu"])
def test_every_strategy_gives_them(name: str, strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.calculus.fixpoints.fixpoint.SMALL", 0)  # frontiers of small values, too
    if not SUITE.is_dir():
        pytest.skip("../shared/benchmarks/mucke is missing")
    entry = expected()[name]
    solution = solve(SUITE / name, strategy)
    assert solution.queries == entry["queries"]
    assert {name: solution.counts[name] for name in entry["ons"]} == entry["ons"]


def test_a_part_alone_is_refused_for_what_it_lacks() -> None:
    if not SUITE.is_dir():
        pytest.skip("../shared/benchmarks/mucke is missing")
    with pytest.raises(SourceError, match="unknown type 'State'"):
        solve(SUITE / "ex/abp/mucke/trans.mu")
