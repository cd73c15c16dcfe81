"""Questions about undefined steps: first a few runs with memory, then proofs over integers."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.decide.asked import Asked, How, Source
from knaster.decide.reading import Stage, stages_of
from knaster.evidence.questions.properties import REACH
from knaster.frontends.languages import load
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


def stages(text: str, asked: Asked, how: How = How(), file: str = "a.c", **options: str) -> list[Stage]:  # noqa: B008
    source = Source(text, file, options=options)
    program, notes = source.read()
    return stages_of(source, program, notes, asked, how)


def test_stages() -> None:
    text = LOOP % 4
    assert len(stages(text, Asked.of(property="safety"))) == 3
    assert len(stages(text, Asked.of(["bounds:4"]))) == 3
    assert len(stages(text, Asked.of(property="leak"))) == 1
    assert stages(text, Asked.of(property="reach")) == []
    assert stages(text, Asked.of(["L"])) == []
    assert stages(text, Asked.of(property="safety"), objects="always") == []
    (only,) = stages(text, Asked.of(property="overflow"), How("horn"))
    assert dict(only.source.read()[0].reading)["checks"] == "overflow"
    assert stages("void main() begin skip; end", Asked.of(["bounds:4"]), file="a.bp") == []
    (numbers,) = stages(text, Asked.of(property="safety"), objects="never")
    assert numbers.source.read()[0].kind is Kind.INTEGERS


def test_where_no_step_can_be_undefined_targets_alone_are_asked_for() -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); while (x < 9) x++; assert(x > 8); }"
    (only,) = stages(text, Asked.of(property="safety"))
    assert only.question == REACH and "checks" not in dict(only.source.read()[0].reading)
    assert len(stages(text.replace("x++", "x += 8 / x"), Asked.of(property="safety"))) == 3
    result = knaster.check(text, file="a.c")
    assert [target.name for target, _ in result.answers] == ["assert at line 1"]
    assert result.options["property"] == "safety" and result.verdict.value == "TRUE"


def test_undefined_steps_are_asked_for_where_nobody_says_what() -> None:
    text = (
        "int main(void) { int a[3], i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; a[i] = 1; assert(1); }"
    )
    by_default = knaster.check(text, file="a.c")
    assert by_default.verdict.value == "FALSE" and by_default.options["property"] == "safety"
    assert {target.name: type(answer).__name__ for target, answer in by_default.answers} == {
        "assert at line 1": "Unreachable",
        "bounds:1": "Reachable",
    }
    assert knaster.check(text, file="a.c", property="reach").verdict.value == "TRUE"
    assert knaster.check(text, ["asserts"], file="a.c").verdict.value == "TRUE"


def test_a_program_that_was_read_before_is_asked_for_what_it_has() -> None:
    numbers = load("int main(void) { int x = 1; assert(x / x == 1); }", file="a.c")
    result = knaster.check(numbers)
    assert [target.name for target, _ in result.answers] == ["assert at line 1"] and not result.notes
    assert result.options["property"] == "reach"
    with pytest.raises(UsageError, match="it was not read for undefined steps"):
        knaster.check(numbers, property="safety")
    pointers = load("int main(void) { int x = 1, *p = &x; assert(*p == 1); }", file="a.c")
    assert len(knaster.check(pointers).answers) > 1


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


def test_what_is_left_is_asked_of_paths_where_pointers_are_not_made_numbers() -> None:
    body = "if (argc == 3) assert(0); if (argc > 0) assert(argv[0] != 0 && argv[argc] == 0);"
    text = f"#include <assert.h>\nint main(int argc, char **argv) {{ {body} return 0; }}\n"
    answers = knaster.check(text, file="a.c", property="safety").answers
    assert isinstance(answers[0][1], knaster.Reachable) and len(answers) > 3
    assert all(isinstance(answer, knaster.Unreachable) and answer.checked for _, answer in answers[1:])


def test_kinds_that_only_memory_has_are_no_targets_of_integers() -> None:
    result = knaster.check(LOOP % 4, ["null", "dead", "bounds", "invalid-free", "lost"], file="a.c")
    assert result.verdict.value == "TRUE" and result.program.kind is Kind.INTEGERS
    assert [target.name for target, _ in result.answers] == ["bounds:4"]
    wrong = knaster.check(LOOP % 5, ["null", "bounds", "lost"], file="a.c")
    assert [target.name for target, answer in wrong.answers if type(answer).__name__ == "Reachable"] == ["bounds:4"]
    assert knaster.check(LOOP % 4, ["null", "lost"], file="a.c").program.kind is Kind.MEMORY


def test_an_array_that_is_filled_before_it_is_read_has_no_inputs() -> None:
    """Over integers its ten elements are inputs, and loops over them took longer than anybody waits."""
    fill = "int a[10], n = 0, r = 0; while (n < 5) { a[n] = n; n++; } while (n) r = r * 10 + a[--n];"
    text = f"#include <assert.h>\nint main(void) {{ {fill} assert(r == 43210); return 0; }}\n"
    result = knaster.check(text, file="a.c", property="reach")
    assert result.verdict.value == "TRUE" and result.program.kind is Kind.MEMORY
    kept = knaster.check(text.replace("int a[10],", "int a[10] = {0},"), file="a.c", property="reach")
    assert kept.verdict.value == "TRUE" and kept.program.kind is Kind.INTEGERS
    named = knaster.check(text, ["asserts"], file="a.c", property="reach")
    assert named.verdict.value == "TRUE" and named.program.kind is Kind.MEMORY
    assert len(stages(text, Asked.of(property="reach"))) == 2
    assert stages(text, Asked.of(property="termination")) == []
    assert stages(text, Asked.of(property="reach"), objects="never") == []
    assert stages(text, Asked.of(property="reach"), How("horn")) == []
