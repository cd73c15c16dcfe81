"""The engine `states` forgets locals that no longer matter; its traces know their values all the same."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.evidence.answers.answer import Result, Verdict
from knaster.report.json import trace_to_json

INTERRUPTED = """\
decl g, h;
init (!g & !h);
void main_1() begin
  decl x;
  x := T;
  g := x;
  assume(h);
  ERROR: skip;
end
void main_2() begin
  assume(g);
  h := T;
end
"""
WAITING = """\
decl g, h;
init (!g & !h);
void main_1() begin
  decl x;
  x := T;
  g := x;
  f();
  ERROR: skip;
end
void f() begin
  decl y;
  y := T;
  assume(h & y);
end
void main_2() begin
  assume(g);
  h := T;
end
"""
DEAD_STORE = """\
decl g, h;
init (!g & !h);
void main_1() begin
  decl x;
  x := !h;
  g := T;
  assume(h);
  ERROR: skip;
end
void main_2() begin
  assume(g);
  h := T;
end
"""
COPIED = """\
decl g;
init (!g);
void main() begin
  decl x, y;
  x, y := T, T;
  start_thread goto L;
  y := F;
  end_thread;
L: g := x;
  ERROR: skip;
end
"""


def entries_of(result: Result) -> list[Any]:
    assert result.verdict is Verdict.FALSE and result.trace is not None
    assert all(answer.checked for _, answer in result.answers)
    return trace_to_json(result.program, result.trace)[0]


@pytest.mark.parametrize("text", [INTERRUPTED, WAITING, DEAD_STORE, COPIED])
def test_a_trace_has_the_values_of_what_no_longer_matters(text: str) -> None:
    last = entries_of(knaster.check(text, engine="states"))[-1]
    assert last["state"]["x"] == 1


def test_a_thread_that_is_started_elsewhere_has_a_copy_of_what_no_longer_matters() -> None:
    last = entries_of(knaster.check(COPIED, engine="states"))[-1]
    assert (last["thread"], last["state"]["y"]) == (2, 1)


def test_what_no_longer_matters_is_not_kept_apart() -> None:
    """A loop that writes a local again and again without reading it: the same sets as without the local."""
    text = "decl g;\ninit (!g);\nvoid main_1() begin\n{0}  while (*) do\n{1}    g := !g;\n  od\nend\n"
    text += "void main_2() begin\n  assume(g);\nend\nvoid main_3() begin\n  if (F) then ERROR: skip; fi\nend\n"
    plain, local = text.format("", "    skip;\n"), text.format("  decl x;\n", "    x := *;\n")
    levels = [knaster.check(each, engine="states").bound for each in (plain, local)]
    assert levels[0] is not None and levels[0] == levels[1]
