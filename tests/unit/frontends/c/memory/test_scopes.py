"""Where locals end: objects after a call that leaves their block, not before it; variables with their block."""

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


@pytest.mark.parametrize(
    "body",
    [
        "{ int a = 1; x = a; } { int a; y = a; }",
        "for (int i = 0; i < 2; i++) { int a; x = y; y = a; }",
        "while (n < 2) { n++; { int a; if (n == 1) { x = a; continue; } y = a; } }",
        "again: n++; { int a; if (n == 1) { x = a; goto again; } y = a; }",
        "for (int i = 0; i < 2; i++) { const int a; b[i] = a; } x = b[0]; y = b[1];",
    ],
)
def test_a_variable_that_is_declared_again_has_any_value(body: str) -> None:
    """C17, 6.2.4: where a declaration without an initial value is reached, the value becomes indeterminate."""
    text = f"int main(void) {{ int n = 0, x = 0, y = 0, b[2]; {body} if (x != y) {{ ERROR: ; }} return 0; }}\n"
    for objects in ("always", "auto"):
        assert knaster.check(text, file="a.c", property="reach", objects=objects).verdict.value == "FALSE"


def test_what_a_block_computes_outlives_its_variables() -> None:
    text = """int f(int n) { switch (n) { case 1: { int b = 4; n = b; } default: { int c = n + 1; n = c; } } return n; }
int main(void) {
  int x = ({ int a = 5; a; }) + ({ int a = 1; a + 1; }), s = 0;
  for (int i = 0; ({ int most = 3; i < most; }); i++) { int t = ({ int a = i; a; }); if (t == 1) continue; s += t; }
  if (x != 7 || s != 2 || f(1) != 5 || f(7) != 8) { ERROR: ; }
  return 0;
}
"""
    assert knaster.check(text, file="a.c", property="reach", objects="always").verdict.value == "TRUE"


LIFE = [
    "again: q = p; p = &((struct s){ n++ }); if (n < 2) goto again; if (p == q && q->i == 1) { ERROR: ; }",
    "again: if (p && p->i == 6) { ERROR: ; } struct s x = {5}; x.i = 6; p = &x; if (n++ < 1) goto again;",
    "again: ; struct s x = {5}; if (p == &x && p->i == 5) { ERROR: ; } p = &x; if (n++ < 1) goto again;",
    "for (; n < 3; n++, q = p, p = &((struct s){n})) { if (n == 2 && p == q && p->i == 2) { ERROR: ; } }",
    "{ again: if (n) goto on; int x = 5; on: if (n && x == 5) { ERROR: ; } if (n++ < 1) goto again; }",
    "{ again: ; int x; if (n == 1 && x != 5) { ERROR: ; } x = 5; if (n++ < 1) goto again; }",
    "{ goto on; struct s x; on: x.i = 4; p = &x; if (n++ < 1) goto on; if (p->i == 4) { ERROR: ; } }",
]


@pytest.mark.parametrize("body", LIFE)
def test_an_object_lives_until_its_block_is_left(body: str) -> None:
    """C17, 6.2.4 paragraph 6: a jump back before the declaration ends nothing, the declaration sets the value anew."""
    text = f"struct s {{ int i; }};\nint main(void) {{ struct s *p = 0, *q = 0; int n = 0; {body} return 0; }}\n"
    result = knaster.check(text, file="a.c", property="safety")
    assert [target.name for target, answer in result.answers if isinstance(answer, Reachable)] == ["ERROR"]


@pytest.mark.parametrize(
    "body",
    [
        "again: if (p) return *p; int v[n + 1]; v[0] = 7; p = v; if (n++ < 1) goto again;",
        "again: if (p) return *p; { int x = 7; p = &x; if (n++ < 1) goto again; }",
        "for (; n < 2; n++) { if (p) return *p; int x = 7; p = &x; if (n > 5) goto end; } end: ;",
    ],
)
def test_an_array_of_variable_length_ends_with_a_jump_back_and_a_block_with_each_turn(body: str) -> None:
    text = f"int main(void) {{ int *p = 0, n = 0; {body} return 0; }}\n"
    result = knaster.check(text, file="a.c", property="safety")
    assert [target.kind for target, answer in result.answers if isinstance(answer, Reachable)] == ["dead"]
