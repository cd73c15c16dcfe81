"""Projections of threads: which statements, and where a switch must happen."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError

TEXT = """decl x, y;
init (!x & !y);
void main_1() begin
  x := T;
  x := F;
  y := T;
end
void main_2() begin
  assume(x);
  assert(y);
  skip;
end
"""


def test_statements_and_switches() -> None:
    found = knaster.project(TEXT, switches=1)
    assert found.lines == (4, 9, 10)
    assert [(point.line, point.must) for point in found.switches] == [(5, True)]
    assert "all of them" in found.to_text()
    assert "with at most 1 switch" in found.to_text()


def test_nothing_within_a_bound_is_not_nothing() -> None:
    found = knaster.project(TEXT, switches=0)
    assert not found.nodes
    assert '"verdict": "UNKNOWN"' in found.to_json()


def test_a_bound_is_needed() -> None:
    with pytest.raises(UsageError, match="give --switches K"):
        knaster.project(TEXT)
    with pytest.raises(UsageError, match="causes are looked for"):
        knaster.project(TEXT, switches=1, causes=True)
