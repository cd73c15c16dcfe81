"""Shapes: what they prove of lists of any length, and what they leave open."""

from __future__ import annotations

import pytest

import knaster

pytest.importorskip("clang.cindex")
HEAD = """#include <stdlib.h>
int in(void);
struct n { int d; struct n *next; };
struct n *build(void) {
  struct n *l = 0;
  while (in()) { struct n *m = malloc(sizeof *m); m->d = in(); m->next = l; l = m; }
  return l;
}
"""
HOLDS = {
    "walk": "int main(void) { struct n *l = build(); for (; l; l = l->next) l->d = 0; return 0; }",
    "reverse": "int main(void) { struct n *l = build(), *r = 0; while (l) { struct n *t = l->next; l->next = r; r = l;"
    " l = t; } while (r) r = r->next; return 0; }",
    "append": "int main(void) { struct n *l = build(), **p = &l; while (*p) p = &(*p)->next; *p = build();"
    " while (l) { struct n *t = l->next; free(l); l = t; } return 0; }",
    "recursive": "int length(struct n *l) { return l ? length(l->next) : 0; } int main(void) { length(build()); }",
    "recursive build": "struct n *make(void) { if (!in()) return 0; struct n *m = malloc(sizeof *m); m->next = make();"
    " return m; } int main(void) { struct n *l = make(); while (l) l = l->next; }",
}
OPEN = {
    "null": "int main(void) { struct n *l = build(); l->d = 0; return 0; }",
    "freed": "int main(void) { struct n *l = build(); while (l) { free(l); l = l->next; } return 0; }",
    "twice": "int main(void) { struct n *l = build(); if (l) { free(l); free(l->next); } return 0; }",
}


@pytest.mark.parametrize("name", HOLDS)
def test_it_holds(name: str) -> None:
    result = knaster.check(HEAD + HOLDS[name], file="a.c", property="memory", engine="shapes")
    assert result.verdict.value == "TRUE" and all(answer.checked for _, answer in result.answers)


@pytest.mark.parametrize("name", OPEN)
def test_it_is_left_open_and_the_rest_is_proved(name: str) -> None:
    result = knaster.check(HEAD + OPEN[name], file="a.c", property="memory", engine="shapes")
    assert result.verdict.value == "UNKNOWN"
    assert any(answer.checked for _, answer in result.answers)


def test_what_shapes_do_not_see_is_said() -> None:
    text = HEAD + HOLDS["walk"]
    left = knaster.check(text, file="a.c", property="leak", engine="shapes")
    assert left.verdict.value == "UNKNOWN" and "is not seen by shapes" in left.reason
    many = knaster.check(text, file="a.c", property="memory", engine="shapes", shapes=3)
    assert many.verdict.value == "UNKNOWN" and "more than 3 shapes" in many.reason
