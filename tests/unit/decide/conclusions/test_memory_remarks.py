"""Remarks about programs with memory: what undefined steps do to a run, in words that are true."""

from __future__ import annotations

from typing import Any

import knaster
from knaster.evidence.answers.answer import Reachable

HEAD = "#include <stdlib.h>\n"


def notes(text: str, **options: Any) -> list[str]:
    result = knaster.check(HEAD + text, file="t.c", **{"property": "reach", **options})
    return [note.partition(": ")[2] for note in result.notes]


def test_a_step_that_ends_a_run_says_so() -> None:
    said = notes("int main(void) { int *p = 0; int x = *p; assert(x == 1); return 0; }\n")
    assert said == ["a null pointer is used in some run (undefined behaviour), the run ends there"]


def test_a_step_after_which_a_run_goes_on_says_so() -> None:
    said = notes("int main(void) { int a[2], *p = a + 3; assert(p != 0); return 0; }\n")
    assert [note.rpartition(", ")[2] for note in said] == ["the run goes on"]
    assert "one leaves its object" in said[0]


def test_a_run_says_which_undefined_step_it_came_to() -> None:
    text = "int main(void) { int a[2], *p = a + 3; assert(p == 0); return 0; }\n"
    (said,) = notes(text)
    assert "in this run (undefined behaviour), the run goes on" in said
    assert notes(text, evidence=knaster.Evidence(traces=False)) == []  # there is no run to speak of


def test_a_step_that_is_asked_for_has_an_answer_and_no_remark() -> None:
    assert notes("int main(void) { int *p = 0; int x = *p; return 0; }\n", property="memory") == []


def test_an_object_that_is_left_is_no_undefined_step() -> None:
    text = "int main(void) { int *p = malloc(4); if (p) *p = 1; return 0; }\n"
    assert notes(text, property="leak") == []


def test_an_object_that_is_lost_is_left_too() -> None:
    text = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (p) *p = 1; return 0; }\n"
    result = knaster.check(text, file="a.c", property="leak")
    assert [target.name for target, answer in result.answers if isinstance(answer, Reachable)] == [
        "a lost object",
        "a leak",
    ]
