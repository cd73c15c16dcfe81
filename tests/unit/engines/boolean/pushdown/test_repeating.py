"""Repeating heads of a pushdown system decide what the fixed point on relations decides."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.engines.boolean.pushdown import PushdownOptions
from knaster.engines.boolean.pushdown.repeating import repeating
from knaster.engines.contract import Task
from support.temporal_programs import questions


@pytest.mark.parametrize(("name", "text", "asked", "true"), questions()[::2])
def test_by_hand(name: str, text: str, asked: str, true: bool) -> None:
    result = knaster.check(text + "\n", property=asked, engine="pushdown")
    assert result.verdict.value == ("TRUE" if true else "FALSE"), name
    assert all(answer.checked for _, answer in result.answers)  # the evidence is that of `ranks`


def test_a_limit_ends_it() -> None:
    result = knaster.check(questions()[0][1] + "\n", property="termination")
    limited = repeating(Task(result.program, result.question, Budget(seconds=0.0), PushdownOptions()))
    assert limited.ends is None and limited.unknown is not None and limited.unknown.late
