"""Where local objects end: after a call that leaves their block, not before it."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable

CALLED = "int x; void f(int *p) { x += *p; }\n"
LEAVING = [
    "for (int n = 0; n < 2; n++) switch (n) { case 0: { int i = 3; f(&i); break; } default: { int i = 4; f(&i); } }",
    "for (int n = 0; n < 1; n++) { int i = 7; if (n == 0) { f(&i); continue; } }",
    "{ int i = 7; f(&i); goto end; } end: ;",
    "void (*g)(int *) = f; while (1) { int i = 7; g(&i); break; }",
]


@pytest.mark.parametrize("body", LEAVING)
def test_who_is_called_may_use_an_object_of_the_block_that_is_left(body: str) -> None:
    text = f"{CALLED}int main(void) {{ {body} if (x == 7) {{ ERROR: ; }} return 0; }}\n"
    result = knaster.check(text, file="a.c", property="safety")
    assert [target.name for target, answer in result.answers if isinstance(answer, Reachable)] == ["ERROR"]


def test_it_is_dead_after_the_call() -> None:
    text = f"{CALLED}int main(void) {{ int *p; while (1) {{ int i = 7; p = &i; f(&i); break; }} return *p; }}\n"
    result = knaster.check(text, file="a.c", property="safety")
    assert [target.kind for target, answer in result.answers if isinstance(answer, Reachable)] == ["dead"]
