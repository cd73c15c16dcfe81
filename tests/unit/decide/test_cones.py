"""Targets of C are decided on parts of the program: alike ones together, and what is decided is kept."""

from __future__ import annotations

import pytest

import knaster
from knaster.base import limits
from knaster.base.limits import Limits
from knaster.checkers.parts import check_part
from knaster.decide import cones
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Reachable, Unknown, Unreachable
from support.generators.c_channels import channels


def test_channels_are_decided_each_on_its_own_part() -> None:
    result = knaster.check(channels(4, bug=1), file="x.c", engine="search", runs=2_000)
    assert result.stats["parts"] == 12
    wrong = [target.line for target, answer in result.answers if isinstance(answer, Reachable)]
    assert len(wrong) == 1 and all(a.checked for _, a in result.answers if isinstance(a, Reachable))


def test_a_small_program_and_one_that_is_all_one_cone_are_looked_at_as_a_whole() -> None:
    small = "int in(void);\nint main(void) { int x = in(); assert(x); assert(x < 3); return 0; }\n"
    assert "parts" not in knaster.check(small, file="x.c").stats
    body = "".join(f"  x = x * 3 + {number};\n" for number in range(cones.SMALL))
    one = f"unsigned in(void);\nint main(void) {{ unsigned x = in();\n{body}  assert(x != 1); return 0; }}\n"
    assert "parts" not in knaster.check(one, file="x.c", engine="search", runs=100).stats


def test_many_targets_with_cones_alike_are_decided_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cones, "MANY", 5)
    result = knaster.check(channels(4), file="x.c", engine="search", runs=300)
    assert result.stats["parts"] == 4


FILTER = """_Bool in(void);
void abort(void);
int main(void) {
  _Bool x = in(), y = in(), flag;
  flag = x;
  if (y) abort();
  if (!flag) abort();
  assert(x);
  assert(!y);
  return 0;
}
"""


@pytest.mark.parametrize("trace", [True, False])
def test_a_filter_on_something_else_is_found_by_a_run_that_gets_lost(
    monkeypatch: pytest.MonkeyPatch, trace: bool
) -> None:
    monkeypatch.setattr(cones, "SMALL", 0)
    monkeypatch.setattr(cones, "LARGEST", 2.0)
    result = knaster.check(FILTER, file="x.c", engine="search", evidence=Evidence(traces=trace))
    assert result.stats["parts"] and all(isinstance(answer, Unreachable) for _, answer in result.answers)


def test_what_is_decided_is_kept_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock moves only when a second part is looked at: then the time is over."""
    now = [0.0]
    monkeypatch.setattr(limits, "clock", lambda: now[0])
    looked: list[object] = []

    def look(*arguments: object) -> None:
        now[0] += 1_000.0 if looked else 0.0
        looked.append(arguments)
        check_part(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("knaster.decide.cones.check_part", look)
    result = knaster.check(channels(4, bug=0), file="x.c", engine="search", runs=1_500, limits=Limits(seconds=100))
    kinds = [type(answer) for _, answer in result.answers]
    assert Reachable in kinds and Unknown in kinds
