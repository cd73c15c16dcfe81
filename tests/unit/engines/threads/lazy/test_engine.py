"""Whenever the budget of `lazy` ends, what it reached before is in the answer, with the bound for which that holds."""

from __future__ import annotations

from itertools import count

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Result, Unreachable

TEXT = """decl g, h;
init (!g & !h);
void main_1() begin ZERO: g := T; assume(h); TWO: g := F; end
void main_2() begin assume(g); ONE: h := T; assume(!g); THREE: skip; assume(F); NEVER: skip; end
"""
LEAST = {"ZERO": 0, "ONE": 1, "TWO": 2, "THREE": 3}


def ask(seconds: int, monkeypatch: pytest.MonkeyPatch) -> Result:
    """Return the answer where every look at the clock takes a second."""
    ticks = count()
    monkeypatch.setattr("knaster.base.limits.clock", lambda: float(next(ticks)))
    return knaster.check(TEXT, [*LEAST, "NEVER"], engine="lazy", limits=knaster.Limits(seconds))


def test_a_size_that_is_not_finished_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, int] = {}
    covered = -1
    for seconds in (*range(1, 400, 19), *range(400, 2_000, 200)):
        result = ask(seconds, monkeypatch)
        assert result.bound is not None
        now = result.bound.covered if result.bound.covered is not None else -1
        assert now >= covered, f"{seconds} s explore less than fewer"
        covered = now
        found = {target.name: a.least for target, a in result.answers if isinstance(a, Reachable)}
        assert known.keys() <= found.keys(), f"{seconds} s find less than fewer"
        assert all(LEAST[name] == least for name, least in found.items())
        known = dict.fromkeys(found, 0)
        for target, answer in result.answers:
            if isinstance(answer, Unreachable):
                assert answer.bound is not None and answer.bound.number < LEAST.get(target.name, 1_000)
    assert known.keys() == LEAST.keys() and covered > 5  # sizes 2, 5 and 9 were begun
