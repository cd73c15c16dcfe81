"""C with memory by several methods: shapes prove what runs cannot, and what runs reach is kept."""

from __future__ import annotations

import pytest

import knaster
from knaster.engines.auto.memory_methods import has_heap
from knaster.frontends.languages import load
from knaster.program.model import Program

pytest.importorskip("clang.cindex")
TEXT = """#include <stdlib.h>
int in(void);
struct n { struct n *next; };
int main(void) {
  struct n *l = 0;
  while (in()) { struct n *m = malloc(sizeof *m); m->next = l; l = m; }
  while (l) l = l->next;
  return 0;
}
"""


def test_which_programs_have_a_heap() -> None:
    for text, heap in ((TEXT, True), ("int main(void) { int x, *p = &x; return *p; }", False)):
        program = load(text, file="a.c", objects="always")
        assert isinstance(program, Program) and has_heap(program) is heap


def test_shapes_prove_what_runs_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.engines.auto.memory_methods.SOME_STEPS", 2_000)
    monkeypatch.setattr("knaster.decide.reading.FIRST", 5)
    result = knaster.check(TEXT, file="a.c", property="memory")
    assert result.verdict.value == "TRUE" and result.stats["method"] == "shapes"


def test_what_runs_reach_is_kept_and_the_rest_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.engines.integers.search.memory.REST", 2_000)
    result = knaster.check(TEXT.replace("while (l) l", "while (l->next) l"), file="a.c", property="memory")
    found = {target.name: answer.__class__.__name__ for target, answer in result.answers}
    assert found.pop("null:7:10") == "Reachable" and set(found.values()) == {"Unreachable"}
