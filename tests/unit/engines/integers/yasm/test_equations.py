"""Both sides of exact abstraction under given predicates: the paper's examples, and what is easily wrong about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

pytest.importorskip("z3")

from benchmarks.levels import levels
from knaster.views.abstraction.preimage import Under
from support.exact_abstraction import Sides, example

Predicates = Mapping[str, Sequence[str]]
SIGNS: Predicates = {"*": ["g < 0", "g > 0"]}
ACK: Predicates = {"main": ["mx > 0"], "ack": ["x > 0"]}


@pytest.mark.parametrize(
    ("text", "predicates", "label", "answer"),
    [
        (example("ex0"), {"main": ["x > 0"]}, "ERROR", "no"),
        (example("ex1"), {"main": ["x == 3", "x == 2", "y <= 0"], "f2": ["z == 3", "z == 2"]}, "HERE", "yes"),
        (example("ex1"), {"main": ["x == 2", "y <= 0"], "f2": ["z == 2"]}, "HERE", "unknown"),
        (levels(2, False), SIGNS, "ERROR", "yes"),
        (levels(4, False), SIGNS, "ERROR", "yes"),
        (levels(3, False), SIGNS, "ERROR", "no"),
        (levels(2, False), {"*": ["g < 0"]}, "ERROR", "unknown"),
        (levels(4, True), SIGNS, "ERROR", "no"),
    ],
)
def test_reachability_of_the_paper(text: str, predicates: Predicates, label: str, answer: str) -> None:
    assert Sides(text, predicates, label).reach() == answer


@pytest.mark.parametrize(
    ("text", "predicates", "answer"),
    [
        (example("ex0"), {"main": ["x > 0"]}, "yes"),
        (
            example("ex1"),
            {"main": ["x == 3", "x == 2", "y <= 0"], "f2": ["z == 3", "z == 2", "z <= 0"]},
            "yes",
        ),
        (example("ex1"), {"main": ["x == 3", "x == 2", "y <= 0"], "f2": ["z == 3", "z == 2"]}, "unknown"),
        (levels(4, True), SIGNS, "yes"),
        (levels(4, False), SIGNS, "no"),
        (example("ack"), {"main": ["mx > 0", "my > 0"], "ack": ["x > 0", "y > 0", "n > 0"]}, "yes"),
        (example("ack"), ACK, "yes"),
        (example("ackermann"), ACK, "unknown"),
        (example("ackermann"), {"main": ["mx > 0", "my > 0"], "ack": ["x > 0", "y > 0", "n > 0"]}, "unknown"),
        (example("shift"), {"main": ["x < 0", "x > 3", "x == 0", "x == 3"], "foo": ["y < 0"]}, "yes"),
        (example("shift"), {"main": ["x > 0", "x < 3"], "foo": ["y < 0"]}, "yes"),
        (
            example("quicksort"),
            {"main": ["mleft >= mright"], "quicksort": ["left >= right", "lo == left", "hi == right"]},
            "yes",
        ),
        (
            example("quicksort"),
            {"main": ["mleft >= mright"], "quicksort": ["left >= right", "hi == right", "lo <= hi"]},
            "yes",
        ),
        (example("quicksort"), {"main": ["mleft >= mright"], "quicksort": ["left >= right", "hi == right"]}, "yes"),
    ],
)
def test_non_termination_of_the_paper(text: str, predicates: Predicates, answer: str) -> None:
    assert Sides(text, predicates).endless() == answer


SHIFT = ["x < 0", "x > 3", "x == 0", "x == 3"]


@pytest.mark.parametrize(("more", "answer"), [([], "unknown"), (["x > -3"], "yes")])
def test_shift_statement_by_statement_needs_one_predicate_more(more: list[str], answer: str) -> None:
    """The paper's predicates decide it only where the two assignments to x are one step."""
    predicates = {"main": [*SHIFT, *more], "foo": ["y < 0"]}
    assert Sides(example("shift"), predicates, statements=True).endless() == answer


COUNTER = """extern int read(void);
int count(int n) { int r; if (n <= 0) return 0; r = count(n - 1); r = r + 1; return r; }
int main(void) { int x = read(); int y; y = count(x); if (y == 2) { ERROR: ; } return 0; }
"""
NUMBERS = ["== 0", "== 1", "== 2"]


def test_what_lies_behind_several_returns_is_not_lost() -> None:
    """As printed, the equations filter a callee by RS at its return sites, and lose what is behind two of them."""
    inside = [f"{name} {number}" for name in ("n", "r", "\\result") for number in NUMBERS]
    predicates = {"main": ["x == 2", "y == 2"], "count": [*inside, "n > 0"]}
    assert Sides(COUNTER, predicates).reach() == "yes"


TWO_LEVELS = """extern int read(void);
int inner(int a) { return a; }
int outer(int b) { int c; c = inner(b); return c; }
int main(void) { int x = read(); while (x > 0) { x = outer(x); } return 0; }
"""


def test_a_loop_over_two_levels_of_calls_never_ends() -> None:
    predicates = {"main": ["x > 0"], "outer": ["b > 0", "c > 0"], "inner": ["a > 0"]}
    assert Sides(TWO_LEVELS, predicates).endless() == "yes"


VIOLATION = """void callee(void) { PASSED: ; }
int main(void) { while (1) { callee(); } return 0; }
"""


def test_a_call_is_not_stepped_over_where_the_callee_violates_the_property() -> None:
    assert Sides(VIOLATION, {}).endless() == "yes"
    assert Sides(VIOLATION, {}, avoid=["PASSED"]).endless() == "no"


def test_a_loop_that_ends_is_never_said_to_run_on() -> None:
    """Each state of x > 0 is reached from one of x > 0 (must-); that is no reason for a cycle."""
    text = "extern int read(void);\nint main(void) { int x = read(); while (x > 0) x = x - 1; return 0; }\n"
    assert Sides(text, {"main": ["x > 0"]}).endless() == "unknown"


def test_what_follows_from_some_state_only_is_not_reached_for_sure() -> None:
    """x = 0 leads into x >= 0; that does not make x == 5 reachable."""
    text = "extern int read(void);\nint main(void) { int x = read(); x = 0; if (x == 5) { ERROR: ; } return 0; }\n"
    assert Sides(text, {"main": ["x >= 0"]}).reach() == "no"  # the guard is decided by the way itself
    split = text.replace("if (x == 5)", "while (read()) ; if (x == 5)")
    assert Sides(split, {"main": ["x >= 0"]}).reach() == "unknown"


def test_a_callee_that_never_returns_is_not_stepped_over() -> None:
    text = """void stuck(void) { while (1) ; }
int main(void) { stuck(); ERROR: return 0; }
"""
    assert Sides(text, {}).must_reach() is False
    assert Sides(text, {}).endless() == "yes"


def test_combinations_that_no_state_has_are_not_made() -> None:
    """x > 0 and x < 0 together would satisfy everything, also that a loop that ends runs on."""
    text = "extern int read(void);\nint main(void) { int x = read(); while (x > 0) x = x - 1; return 0; }\n"
    sides = Sides(text, {"main": ["x > 0", "x > 5"]})
    assert all(
        minterm != (False, True) for minterm in sides.abstraction.minterms(("main", sides.paths.points["main"][1]))
    )
    assert sides.endless() == "unknown"


def test_each_predicate_alone_is_not_all_of_them_together() -> None:
    """After x = read() each of x > 0 and x < 0 can be made true, but not both."""
    text = """extern int read(void);
int main(void) { int x; x = read(); while (read()) ; if (x > 0) { if (x < 0) { ERROR: ; } } return 0; }
"""
    assert Sides(text, {"main": ["x > 0", "x < 0"]}).reach() == "no"


MIXED = """extern int read(void);
int f(int a) { return a - 1; }
int main(void) { int x = read(); int y = x; x = f(x); if (x > y) { ERROR: ; } return 0; }
"""


def test_a_predicate_over_what_a_call_changes_and_what_it_keeps_is_not_kept() -> None:
    """x > y does not survive x = f(x), and neither does !(x > y)."""
    assert Sides(MIXED.replace("a - 1", "a + 1"), {"main": ["x > y"]}).reach() == "unknown"
    assert Sides(MIXED, {"main": ["x > y"]}).reach() == "unknown"


def test_what_a_callee_promises_about_its_entry_values_is_used() -> None:
    predicates = {"main": ["x > y", "x == y"], "f": ["\\result > \\old(a)"]}
    assert Sides(MIXED, predicates).reach() == "no"
    assert Sides(MIXED.replace("a - 1", "a + 1"), predicates).reach() == "yes"


def test_what_a_global_was_at_the_entry_is_known_to_the_caller() -> None:
    text = """extern int read(void);
int g;
void up(void) { g = g + 1; }
int main(void) { g = read(); int x = g; up(); if (g <= x) { ERROR: ; } return 0; }
"""
    predicates = {"main": ["g > x", "g == x"], "up": ["g > \\old(g)", "g == \\old(g)"]}
    assert Sides(text, predicates).reach() == "no"
    assert Sides(text.replace("g + 1", "g - 1"), predicates).reach() == "yes"


def test_a_loop_at_the_entry_does_not_change_what_the_entry_values_were() -> None:
    text = """extern int read(void);
int down(int n) { while (n > 0) n = n - 1; return n; }
int main(void) { int x = read(); int y = down(x); if (y != x) { ERROR: ; } return 0; }
"""
    predicates = {"main": ["x == y", "x > 0"], "down": ["\\result == \\old(n)", "n == \\old(n)", "n > 0"]}
    assert Sides(text, predicates).may_reach()


def test_a_callee_does_not_change_what_is_passed_to_it() -> None:
    text = """extern int read(void);
void f(int x) { x = 0 - 1; }
int main(void) { int x = 1; f(x); if (x < 0) { ERROR: ; } return 0; }
"""
    assert Sides(text, {"*": ["x < 0"]}).reach() == "no"


def test_formals_are_not_captured_by_actuals() -> None:
    """swap(b, a) inside swap(a, b): the two values change places."""
    text = """extern int read(void);
void swap(int a, int b) { if (a > b) swap(b, a); else if (a > 0) { ERROR: ; } }
int main(void) { int p = read(); int q = read(); if (p > 0) { if (q < 0) swap(p, q); } return 0; }
"""
    both = ["a > 0", "b > 0", "a < 0", "b < 0", "a > b"]
    assert Sides(text, {"main": ["p > 0", "q < 0", "p > q"], "swap": both}).reach() == "no"


def test_an_uninitialised_local_is_whatever_helps() -> None:
    text = "int main(void) { int x; if (x == 7) { ERROR: ; } return 0; }\n"
    assert Sides(text, {}).reach() == "yes"


def test_unsigned_numbers_wrap() -> None:
    text = """extern unsigned read(void);
int main(void) { unsigned x = read(); while (x > 0) { x = x - 1; } if (x < 0) { ERROR: ; } return 0; }
"""
    assert Sides(text, {"main": ["x > 0"]}).reach() == "no"
    below = "int main(void) { unsigned x = 0; x = x - 1; if (x > 5) { ERROR: ; } return 0; }\n"
    assert Sides(below, {}).reach() == "yes"
    assert Sides(below, {}, integers="machine").reach() == "yes"


def test_where_a_run_stops_it_does_not_run_on() -> None:
    for stop in ("abort()", "exit(1)", "__VERIFIER_assume(0)"):
        text = f"extern void abort(void); extern void exit(int); extern void __VERIFIER_assume(int);\nint main(void) {{ while (1) {{ {stop}; }} return 0; }}\n"  # noqa: E501
        assert Sides(text, {}).endless() == "no"
    assert Sides("int main(void) { for (;;) ; return 0; }\n", {}).endless() == "yes"
    assert Sides("int main(void) { return 0; }\n", {}).endless() == "no"


def test_division_by_zero_is_no_step() -> None:
    text = """extern int read(void);
int main(void) { int x = read(); while (1) { x = 5 / x; } return 0; }
"""
    assert Sides(text, {"main": ["x == 0"]}).endless() == "unknown"


def test_both_forms_of_must_agree() -> None:
    """Where steps are determined, the complement of may is what the solver says."""
    for text, predicates in (
        (example("shift"), {"main": ["x > 0", "x < 3"], "foo": ["y < 0"]}),
        (levels(3, True), SIGNS),
    ):
        sides = Sides(text, predicates)
        abstraction, pre = sides.abstraction, Under(sides.abstraction)
        compared = 0
        for place in sides.paths.places():
            if place in sides.paths.calls or not abstraction.is_determined(place):
                continue
            targets = sorted({(place[0], path.target) for path in sides.paths.leaving[place]})
            for target in targets:
                for good in sorted(abstraction.minterms(target)):
                    goals = {other: abstraction.minterms(other) for other in targets} | {target: frozenset([good])}
                    for minterm in sorted(abstraction.minterms(place)):
                        said = pre.steps(place, minterm, goals)
                        assert said == abstraction.is_covered(place, minterm, goals), (place, minterm, good)
                        compared += 1
        assert compared > 10
