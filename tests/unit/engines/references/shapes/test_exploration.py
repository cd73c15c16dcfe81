"""The fixed point: entries are shared, and their exits come back to every caller."""

from __future__ import annotations

import pytest

from knaster.base.limits import OutOfBudget
from knaster.engines.references.shapes.exploration import Exploration
from knaster.frontends.languages import load
from knaster.program.model import Program

pytest.importorskip("clang.cindex")
TEXT = """#include <stdlib.h>
int in(void);
struct n { struct n *next; };
struct n *last(struct n *l) { if (l->next == 0) return l; return last(l->next); }
int main(void) {
  struct n *l = malloc(sizeof *l); l->next = 0;
  while (in()) { struct n *m = malloc(sizeof *m); m->next = l; l = m; }
  last(l)->next = 0;
  return 0;
}
"""


def explore(most: int) -> Exploration:
    program = load(TEXT, file="a.c", objects="always")
    assert isinstance(program, Program)
    found = Exploration(program, frozenset(), frozenset(), most, lambda: None)
    found.run()
    return found


def test_recursion_over_a_list_has_few_entries() -> None:
    found = explore(200)
    names = [shape.top.procedure for shape in found.entries]
    assert names.count("main") == 1 and 2 <= names.count("last") <= 6
    assert not found.faults


def test_too_many_shapes_are_said() -> None:
    with pytest.raises(OutOfBudget, match="more than 4 shapes"):
        explore(4)
