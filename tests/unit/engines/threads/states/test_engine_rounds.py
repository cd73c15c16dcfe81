"""Rounds: a thread that does nothing in its turn has no context."""

from __future__ import annotations

import pytest

import knaster

TEXT = """decl g, h;
void one() begin
  assume(g);
  h := T;
end
void two() begin
  assume(!h & !g);
  g := T;
  assume(h);
  R: skip;
end
"""


@pytest.mark.parametrize("engine", ["states", "lazy", "explicit"])
def test_contexts_are_counted_from_the_first_step(engine: str) -> None:
    result = knaster.check(TEXT, "R", threads=["one", "two"], rounds=3, engine=engine)
    trace = result.trace
    assert trace is not None
    assert [segment.thread for segment in trace.segments] == [2, 1, 2]
    assert trace.switches == 2
    assert trace.rounds == 2
