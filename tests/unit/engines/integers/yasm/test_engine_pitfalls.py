"""The sixteen pitfalls of exact abstraction (the specification's section 8): which test is about each, and the rest.

What is easily wrong about the equations is in `test_equations`; here are those about what stands around them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("z3")

import knaster
from knaster.views.abstraction.predicates import Placement
from support.exact_abstraction import Sides, example

ELSEWHERE = {  # pitfall: module, test
    "1 nested returns are lost": ("test_equations", "test_what_lies_behind_several_returns_is_not_lost"),
    "2 callees hide a violation": (
        "test_equations",
        "test_a_call_is_not_stepped_over_where_the_callee_violates_the_property",
    ),
    "3 partial summaries in the greatest set": ("test_equations", "test_a_loop_over_two_levels_of_calls_never_ends"),
    "4 must- on cycles, must+ forward": ("test_equations", "test_a_loop_that_ends_is_never_said_to_run_on"),
    "5 infeasible minterms": ("test_equations", "test_combinations_that_no_state_has_are_not_made"),
    "6 least summaries on both sides": ("test_equations", "test_a_callee_that_never_returns_is_not_stepped_over"),
    "7 each predicate alone": ("test_equations", "test_each_predicate_alone_is_not_all_of_them_together"),
    "8 mixed predicates at returns": (
        "test_equations",
        "test_a_predicate_over_what_a_call_changes_and_what_it_keeps_is_not_kept",
    ),
    "9 formals captured": ("test_equations", "test_formals_are_not_captured_by_actuals"),
    "10 locals at entry": ("test_equations", "test_an_uninitialised_local_is_whatever_helps"),
    "11 machine and mathematical integers": ("test_engine", "test_integers_make_a_difference"),
    "14 what was asked is not asked again": (
        "test_abstract_path",
        "test_what_a_new_predicate_does_not_touch_is_not_abstracted_again",
    ),
}


@pytest.mark.parametrize("pitfall", ELSEWHERE)
def test_there_is_a_test_about(pitfall: str) -> None:
    module, name = ELSEWHERE[pitfall]
    assert f"def {name}(" in Path(__file__).with_name(f"{module}.py").read_text("utf-8")


@pytest.mark.parametrize("engine", ["horn", "yasm"])
def test_12_what_z3_refuses_or_cancels_is_no_crash(engine: str) -> None:
    """Spacer knows no quotient of two variables, and a limit of units cancels it in the middle."""
    text = """extern int read(void);
int main(void) { int x = read(); int y = read(); int z = 0;
  while (y > 0) { z = z + x / y; y = y - 1; }
  if (z * z * x == 77777) { ERROR: ; } return 0; }
"""
    result = knaster.check(text, file="p.c", engine=engine, units=100_000)
    assert result.verdict.value in ("UNKNOWN", "FALSE") and result.reason


def test_13_predicates_stand_only_where_they_are_in_scope() -> None:
    text = "int f(int n) { int t = n + 1; while (t > 0) t--; return t; }\nint main(void) { int x = f(3); return x; }\n"
    sides = Sides(text, {"f": ["n > 0", "t > 0"]})
    placement, places = Placement(sides.paths), sides.paths.places()
    assert not any(sides.abstraction.at(place) for place in places if place[0] == "main")
    entry, leave = sides.paths.entries["f"], sides.paths.exits["f"]
    assert "t" not in placement.scope(entry) and "t" not in placement.scope(leave)
    assert len(sides.abstraction.at(entry)) == 1


GLOBAL = "int g; void f(void) { g++; if (g < 9) f(); }\nint main(void) { f(); return 0; }\n"


@pytest.mark.parametrize("text", [GLOBAL, GLOBAL.replace("int g; void f(void) {", "void f(void) { static int g;")])
@pytest.mark.parametrize("engine", ["search", "yasm"])
def test_15_a_call_with_other_globals_is_another_call(text: str, engine: str) -> None:
    assert knaster.check(text, file="p.c", engine=engine, property="termination").verdict.value != "FALSE"
    again = text.replace("g++;", "")
    assert knaster.check(again, file="p.c", engine=engine, property="termination").verdict.value == "FALSE"


def test_16_a_run_that_only_grows_the_stack_says_so() -> None:
    result = knaster.check(example("ack"), file="ack.c", engine="yasm", property="termination", integers="mathematical")
    assert "one frame deeper" in " ".join(result.to_text().split())
