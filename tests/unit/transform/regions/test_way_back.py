"""Runs of the reduced program come back with what nobody has set or written."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.traces.memory_runs import inputs_of

HEAD = "int any(void); _Bool bit(void); int main(void) { "
TEXTS = {
    "an input": ("int x = any(), *p = &x; if (*p == 77) { ERROR: ; } return 0; }", (77,)),
    "a truth value": (
        "_Bool b = bit(), *p = &b; int n = 0; while (n < 3) n++; if (*p) { ERROR: ; } return 0; }",
        (True,),
    ),
    "a variable": ("int x, y = 1, *p = &y; if (x == 9 && *p == 1) { ERROR: ; } return 0; }", (9,)),
    "an object": ("int x, *p = &x; if (*p == 5) { ERROR: ; } return 0; }", (5,)),
    "an element": ("int a[3], *p = a; a[0] = 1; if (p[0] == 1 && p[2] == 6) { ERROR: ; } return 0; }", (6,)),
    "a call": ("int a[2], *p = a + 1; if (f(p) == 4) { ERROR: ; } return 0; }", (4,)),
}


@pytest.mark.parametrize("what", TEXTS)
def test_inputs_come_back(what: str) -> None:
    text, inputs = TEXTS[what]
    head = HEAD.replace("int main", "int f(int *q) { return *q; } int main") if "f(p)" in text else HEAD
    ((_, answer),) = knaster.check(head + text, file="a.c", engine="regions", property="reach").answers
    assert isinstance(answer, Reachable) and answer.checked and answer.trace is not None
    assert inputs_of(answer.trace) == inputs
