"""Any number of threads of one procedure, as with duet's `-parameterized`: decided, or said to hold up to a number."""

from __future__ import annotations

import knaster
from knaster.evidence.answers.answer import Verdict
from knaster.frontends.boolean import parse

STAIRS = """decl a, b, c; init (!a & !b & !c);
void climb() begin
  if (*) then a := T;
  elsif (a & b & c) then ERROR: skip;
  elsif (a & b) then c := T;
  elsif (a) then b := T;
  fi
end
"""
SAFE = """decl m, g; init (!m & !g);
void work() begin
  decl l;
  atomic_begin; assume(!m); m := T; atomic_end;
  g := !g; l := g; g := F;
  if (!l) then ERROR: skip; fi
  m := F;
end
"""
ROUND = """decl a, b; init (!a & !b);
void turn() begin
  a, b := b, a;
  if (a | b) then ERROR: skip; fi
  assume(F);
end
"""


def test_a_failure_that_takes_four_threads() -> None:
    result = knaster.check(parse(STAIRS, "stairs.bp"), threads=["climb*"])
    assert result.verdict is Verdict.FALSE and result.answers[0][1].checked
    assert result.trace is not None and len({segment.thread for segment in result.trace.segments}) == 4
    for count, verdict in ((3, Verdict.TRUE), (4, Verdict.FALSE)):
        assert knaster.check(parse(STAIRS, "stairs.bp"), threads=[f"climb*{count}"]).verdict is verdict


def test_a_proof_for_any_number() -> None:
    result = knaster.check(parse(ROUND, "round.bp"), threads=["turn*"])
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked


def test_what_is_not_proved_holds_up_to_a_number() -> None:
    result = knaster.check(parse(SAFE, "safe.bp"), threads=["work*"], switches=2)
    assert result.verdict in (Verdict.UNKNOWN, Verdict.TRUE)
    assert result.bound is not None and result.bound.covered == 2
