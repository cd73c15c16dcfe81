"""YASM's method by itself: the paper's programs without given predicates, with both readings of integers."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

import knaster
from benchmarks.levels import levels
from knaster.evidence.answers.answer import Diverges, Result
from knaster.evidence.proofs.ranking import Ranking
from support.exact_abstraction import example


def check(text: str, property: str = "reach", target: str | None = None, **options: object) -> Result:
    integers = str(options.pop("integers", "mathematical"))
    return knaster.check(
        text,
        target,
        file="test.c",
        engine="yasm",
        property=property,
        integers=integers,
        **options,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("text", "target", "verdict"),
    [
        (example("ex0"), None, "TRUE"),
        (example("ex1"), "HERE", "FALSE"),
        (levels(2, False), None, "FALSE"),
        (levels(3, False), None, "TRUE"),
        (levels(6, False), None, "FALSE"),
        (levels(7, False), None, "TRUE"),
        (levels(4, True), None, "TRUE"),
        (levels(5, True), None, "TRUE"),
    ],
)
def test_reachability_of_the_paper(text: str, target: str | None, verdict: str) -> None:
    result = check(text, target=target)
    assert result.verdict.value == verdict
    assert all(answer.checked for _, answer in result.answers)


@pytest.mark.parametrize(
    "text", [example("ex0"), example("ex1"), levels(5, True), example("ack"), example("shift"), example("quicksort")]
)
def test_non_termination_of_the_paper(text: str) -> None:
    result = check(text, "termination")
    assert result.verdict.value == "FALSE"
    assert all(answer.checked for _, answer in result.answers)


def test_a_run_that_repeats_no_state_has_a_recurrent_set() -> None:
    result = check(example("ex0"), "termination")
    said = " ".join(result.to_text().split())
    assert "whenever line 11 is reached with x > 0, it can be reached again with x > 0" in said


def test_recursion_without_end_grows_the_stack() -> None:
    answer = check(example("ack"), "termination").answers[0][1]
    assert isinstance(answer, Diverges) and answer.lasso is not None and answer.lasso.deeper


def test_what_ends_is_never_said_to_run_on() -> None:
    assert check(example("ackermann"), "termination", refinements=3).verdict.value == "UNKNOWN"


BOUNDED = "int main(void) { int i; for (i = 0; i < 3; i++) ; return i; }"
ONCE = """extern int read(void);
int f(int n) { if (n == 2) return 1; if (n == 1) return f(2); return 0; }
int main(void) { int x = read(); return f(x); }
"""


@pytest.mark.parametrize("text", [levels(3, False), BOUNDED, ONCE])
def test_where_may_runs_always_end_that_is_proved(text: str) -> None:
    """The time at which a minterm is taken out of NT decreases from one loop head or entry to the next."""
    result = check(text, "termination")
    assert result.verdict.value == "TRUE" and isinstance(result.proof, Ranking)
    assert all(answer.checked for _, answer in result.answers)


COUNTED = """extern int read(void);
int main(void) {
  int x = read();
  while (x > 0) {
    x = x - 1;
  }
  return 0;
}
"""


def test_unknown_says_what_is_known_all_the_same() -> None:
    reason = check(COUNTED, "termination", predicate=("main: x > 0",), refine=False).reason
    assert reason.endswith("known all the same: at line 4 of 'main', with x <= 0 it is excluded that a run never ends")
    text = (
        COUNTED.replace("read();", "5;").replace("x - 1", "x - 2").replace("return", "if (x < 0) { ERROR: ; } return")
    )
    told = check(text, predicate=("main: x < 0",), refine=False).reason
    assert told.endswith("known all the same: at line 4 of 'main', with x < 0 ERROR is reached")


def test_what_is_known_is_said_as_a_person_would_write_it() -> None:
    """Bounds that leave one value are an equation; what both sides decide is said once; main comes first."""
    two = COUNTED.replace("x > 0", "x > 0 && y <= 9").replace("x = read();", "x = read(), y = read();")
    predicates = ("main: x > 0", "main: y > 9", "main: y >= 9", "main: x > 100")
    reason = check(two, "termination", predicate=predicates, refine=False).reason
    assert reason.endswith("at line 4 of 'main', with x <= 0 || y > 9 it is excluded that a run never ends")
    told = """extern int read(void);
int other(int a) { if (a != 4) return 0; ERROR: return 1; }
int main(void) {
  int x = read();
  while (x > 0) x = x - 1;
  x = x * x + other(x);
  return x;
}
"""
    said = check(told, predicate=("other: a > 3", "other: a > 4"), refine=False).reason
    assert "at line 2 of 'other', with a == 4, and only then, ERROR is reached" in said
    both = check(told, predicate=("other: a > 3", "other: a > 4", "main: x > 5"), refine=False).reason
    assert both.index("'other'") > both.find("'main'")


def test_integers_make_a_difference() -> None:
    """Machine integers wrap: x > 0 does not last, and -2147483648 is its own negation."""
    assert check(example("ex0"), integers="machine").verdict.value == "FALSE"
    result = check(levels(4, True), integers="machine")
    assert result.verdict.value == "FALSE"
    assert result.trace is not None
    assert any(visit.state["g"] == -(2**31) for visit in result.trace)


def test_given_predicates_alone() -> None:
    few, more = (
        ("main: g < 0",),
        tuple(f"{name}: g {sign} 0" for name in ("main", "level_1", "level_2") for sign in "<>"),
    )
    assert check(levels(2, False), refine=False).verdict.value == "UNKNOWN"
    assert check(levels(2, False), refine=False, predicate=few).verdict.value == "UNKNOWN"
    assert check(levels(2, False), refine=False, predicate=more).verdict.value == "FALSE"
    assert "predicates do not decide" in check(levels(2, False), refine=False).reason


def test_several_targets_are_decided_one_by_one() -> None:
    text = """extern int read(void);
int main(void) { int x = read(); if (x > 5) { A: ; if (x < 3) { B: ; } } return 0; }
"""
    result = knaster.check(text, ["A", "B"], file="test.c", engine="yasm")
    assert [type(answer).__name__ for _, answer in result.answers] == ["Reachable", "Unreachable"]


@pytest.mark.slow
def test_a_global_that_a_callee_never_writes_is_kept() -> None:
    text = """extern int read(void);
int g;
void f(void) { if (read()) f(); if (g != 1) { ERROR: ; } }
int main(void) { g = 1; f(); return 0; }
"""
    assert check(text).verdict.value == "TRUE"


def test_a_summary_that_relates_entry_and_exit_is_found() -> None:
    text = """extern int read(void);
int next(int n) { return n + 1; }
int main(void) { int x = read(); int y = next(x); if (y <= x) { ERROR: ; } return 0; }
"""
    assert check(text).verdict.value == "TRUE"
    assert check(text, integers="machine").verdict.value == "FALSE"  # the largest number has no successor
