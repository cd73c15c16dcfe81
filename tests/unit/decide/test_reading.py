"""Questions about undefined steps: first a few runs with memory, then proofs over integers."""

from __future__ import annotations

import knaster
from knaster.decide.asked import Asked, How, Source
from knaster.decide.reading import stages_of
from knaster.program.kind import Kind

LOOP = """int a[4];
int main(void) {
  int i, n = __VERIFIER_nondet_int();
  for (i = 0; i < n; i++) a[i %% %d] = n - i;
  return 0;
}
"""


def test_unbounded_loops_are_proved() -> None:
    result = knaster.check(LOOP % 4, file="a.c", property="safety")
    assert result.verdict.value == "TRUE" and result.program.kind is Kind.INTEGERS
    assert [target.name for target, _ in result.answers] == ["bounds:4"]


def test_what_is_wrong_is_found_by_runs() -> None:
    result = knaster.check(LOOP % 5, file="a.c", property="safety")
    assert result.verdict.value == "FALSE" and result.program.kind is Kind.MEMORY


def test_stages() -> None:
    source = Source("a.c")
    assert len(stages_of(source, Asked.of(property="safety"), How())) == 3
    assert len(stages_of(source, Asked.of(["bounds:4"]), How())) == 3
    assert len(stages_of(source, Asked.of(property="leak"), How())) == 1
    assert stages_of(source, Asked.of(property="reach"), How()) == []
    assert stages_of(source, Asked.of(["L"]), How()) == []
    assert stages_of(source._replace(options={"objects": "always"}), Asked.of(property="safety"), How()) == []
    (only,) = stages_of(source, Asked.of(property="overflow"), How("horn"))
    assert only.source.options == {"checks": "overflow"}
    assert stages_of(Source("a.bp"), Asked.of(["bounds:4"]), How()) == []


def test_a_program_over_integers_leaves_nothing_in_the_heap() -> None:
    result = knaster.check(LOOP % 4, file="a.c", property="leak")
    assert result.verdict.value == "TRUE"


def test_what_is_left_is_proved_where_runs_find_something() -> None:
    text = (
        "int main(void) { int x = 1, y = __VERIFIER_nondet_int(), *p = y ? &x : 0, n = y; while (n > 0) n--; *p = 2; }"
    )
    result = knaster.check(text, file="a.c", property="safety")
    reached = {target.name for target, answer in result.answers if isinstance(answer, knaster.Reachable)}
    assert reached == {"null:1"} and len(result.answers) > 3
    assert all(isinstance(answer, knaster.Reachable | knaster.Unreachable) for _, answer in result.answers)
