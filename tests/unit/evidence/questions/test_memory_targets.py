"""Undefined steps as targets: named by kind and line, by column too where a line has several."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.questions.memory_targets import failures_of_memory, leak_targets, memory_targets, safety_targets
from knaster.frontends.languages import load

TEXT = """#include <assert.h>
int f(void);
int a[3], b[3];
int main(void) {
  int i = f();
  if (i < 0 || i > 3) return 0;
  a[0] = a[i] + b[i == 3 ? 0 : i];
  int d = 5 / (i - 1);
  assert(d != 5);
  return 0;
}
"""


def names(result: knaster.Result) -> list[tuple[str, str]]:
    return [(target.name, type(answer).__name__) for target, answer in result.answers]


def test_names() -> None:
    program = load(TEXT, file="a.c", objects="always")
    assert [target.name for target in memory_targets(program)] == ["bounds:7:10", "bounds:7:17"]
    assert [target.name for target in safety_targets(program)] == [
        "assert at line 9",
        "bounds:7:10",
        "bounds:7:17",
        "division:8",
    ]
    assert [target.kind for target in leak_targets(program)] == ["lost", "leak"]


def test_each_target_has_its_answer() -> None:
    result = knaster.check(TEXT, file="a.c", property="safety", objects="always")
    assert names(result) == [
        ("assert at line 9", "Reachable"),
        ("bounds:7:10", "Reachable"),
        ("bounds:7:17", "Unreachable"),
        ("division:8", "Reachable"),
    ]
    assert all(answer.checked for _, answer in result.answers)


def test_targets_are_selected() -> None:
    program = load(TEXT, file="a.c", objects="always")
    assert [t.name for t in failures_of_memory(program, "bounds:7") or ()] == ["bounds:7:10", "bounds:7:17"]
    assert [t.name for t in failures_of_memory(program, "bounds:7:17") or ()] == ["bounds:7:17"]
    assert failures_of_memory(program, "nothing:7") is None
    with pytest.raises(UsageError, match="'bounds' is asked for at line 7"):
        failures_of_memory(program, "bounds:8")
    with pytest.raises(UsageError, match="no step of the program can be wrong"):
        failures_of_memory(program, "shift:8")
    result = knaster.check(TEXT, file="a.c", question=["assert:9", "division:8"], objects="always")
    assert names(result) == [("assert at line 9", "Reachable"), ("division:8", "Reachable")]


def test_an_answer_does_not_depend_on_who_else_asks() -> None:
    text = "int f(void);\nint main(void) {\n  int x = f();\n  x = x + 1;\n  if (x < -2147483647) return 1 / 0;\n}\n"
    both = knaster.check(text, file="a.c", question=["overflow", "division"], objects="always")
    assert names(both) == [("overflow:4", "Reachable"), ("division:5", "Reachable")]


def test_a_program_without_such_steps_is_asked_as_a_whole() -> None:
    result = knaster.check("int main(void) { return 0; }\n", file="a.c", property="memory", objects="always")
    assert result.verdict.value == "TRUE"


ONE_EACH = """int a[3];
int main(void) { unsigned i = f(); int s = a[i % 3]; s ^= a[i % 4]; s ^= 7 / (i % 5); return s; }
"""


@pytest.mark.parametrize("objects", ["never", "always"])
def test_both_readings_name_places_alike(objects: str) -> None:
    result = knaster.check(ONE_EACH, file="a.c", property="safety", objects=objects)
    assert sorted(names(result)) == [("bounds:2", "Reachable"), ("division:2", "Reachable")]


@pytest.mark.parametrize("objects", ["never", "always"])
@pytest.mark.parametrize("place", ["bounds:2", "bounds:2:59", "bounds"])
def test_a_place_is_found_with_and_without_its_column(objects: str, place: str) -> None:
    result = knaster.check(ONE_EACH, place, file="a.c", objects=objects)
    assert names(result) == [("bounds:2", "Reachable")]


@pytest.mark.parametrize("objects", ["never", "always"])
def test_another_column_is_no_place(objects: str) -> None:
    with pytest.raises(UsageError, match="there is no target 'bounds:2:58'"):
        knaster.check(ONE_EACH, "bounds:2:58", file="a.c", objects=objects)
