"""C with memory as a program over integers: loops that no run and no path decides."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Terminates, Unknown, Unreachable

HEAD = "int any(void);\nint main(void) { int n = any(), x = 0, *p = &x; if (n < 0) return 0;\n"


def answer(text: str, engine: str = "regions") -> object:
    """Return the answer about the only target."""
    ((_, found),) = knaster.check(text, file="a.c", engine=engine, property="reach").answers
    return found


LOOP = HEAD + "while (*p < n) (*p)++;\nif (x != n) { ERROR: ; } return 0; }"


def test_a_loop_of_any_length_is_proved() -> None:
    found = answer(LOOP)
    assert isinstance(found, Unreachable) and found.checked


@pytest.mark.slow
def test_nobody_has_to_name_it() -> None:
    assert isinstance(answer(LOOP, "auto"), Unreachable)


def test_a_run_is_one_of_the_program_with_memory() -> None:
    found = answer(HEAD + "while (*p < n) *p += 3;\nif (x != n && n > 3) { ERROR: ; } return 0; }")
    assert isinstance(found, Reachable) and found.checked and found.trace is not None
    assert any("&x" in str(state) for state in (step.after for step in found.trace.paths[0].steps))


def test_what_does_not_fit_is_said() -> None:
    found = answer("#include <stdlib.h>\n" + HEAD + "p = malloc(4);\nif (p == 0) { ERROR: ; } return 0; }")
    assert isinstance(found, Unknown) and "pointers are not made numbers: line 4: " in found.reason


def test_every_run_ends() -> None:
    text = HEAD + "while (*p < n) *p += 1; return 0; }"
    ((_, found),) = knaster.check(text, file="a.c", engine="regions", property="termination").answers
    assert isinstance(found, Terminates) and found.checked


def test_a_queue_with_a_buffer_is_proved() -> None:
    text = "struct q { int len; char buf[16]; };\nint any(void);\n"
    text += "static void put(struct q *q, char c) { if (q->len < 16) q->buf[q->len++] = c; }\nstruct q g;\n"
    text += "int main(void) { struct q l; l.len = 0; while (any()) { put(&l, 1); put(&g, 2); }\nreturn l.len; }"
    result = knaster.check(text, file="a.c", engine="regions")
    assert result.verdict.value == "TRUE"
    result = knaster.check(text.replace("< 16", "<= 16"), file="a.c", engine="regions")
    assert result.verdict.value != "TRUE"


FLOATS = """#include <assert.h>
extern float any(void);
int main(void) {
  float s = 0;
  for (int i = 0; i < 3; i++) {
    float x = any();
    if (!(x >= 0 && x <= 1)) return 0;
    if (x > 0.5f) s += x; else s += 0.25f;
  }
  assert(s <= BOUND);
  return 0;
}
"""


def test_floating_point_numbers_are_added_in_a_loop() -> None:
    result = knaster.check(FLOATS.replace("BOUND", "3"), file="a.c", engine="regions", property="reach")
    ((_, found),) = result.answers
    assert isinstance(found, Unreachable) and found.checked
    assert "loops of a call repeat at most" in result.to_text()


def test_inputs_that_are_floating_point_numbers_come_back() -> None:
    found = answer(FLOATS.replace("BOUND", "2.99f"))
    assert isinstance(found, Reachable) and found.checked and found.trace is not None
    states = [step.after for step in found.trace.paths[0].steps]
    assert any(isinstance(state.get("s"), float) and state["s"] > 2.99 for state in states)
