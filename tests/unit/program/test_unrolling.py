"""Loops and recursion unrolled: copies of places, and where runs come that need more."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.program import unrolling
from knaster.program.model import Call
from knaster.program.unrolling import TooLarge, edges_back, find_rings, unroll
from knaster.program.validate import validate

TEXT = """int in(void);
int even(int n);
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int plain(int n) { return n + 1; }
int main(void) {
  int i, n = in(), s = 0;
  for (i = 0; i < n; i++) s = plain(s);
  assert(even(s) || s > 3);
  return 0;
}
"""


def test_copies_are_as_many_as_the_depth_says() -> None:
    program = load(TEXT, file="x.c")
    assert set(find_rings(program)) == {"even", "odd"} and len(edges_back(program.procedure("main"))) == 1
    copy = unroll(program, 2)
    validate(copy.program)
    assert {one.name for one in copy.program.procedures} == {"main", "plain", "even", "odd#1", "even#2"}
    main = program.procedure("main")
    head = next(main.edges[number].target for number in edges_back(main))
    assert {place for place in copy.more.values() if place[0] == "main"} == {("main", head)}
    assert {place[0] for place in copy.more.values()} == {"main", "even"}
    failing = program.procedure("main").failures[0]
    assert sum(origin == ("main", failing) for origin in copy.origins.values()) == 3
    assert not any(edges_back(one) for one in copy.program.procedures) and not find_rings(copy.program)
    assert all(edge.origin is not None for one in copy.program.procedures for edge in one.edges)


def test_a_program_without_loops_is_its_own_copy() -> None:
    program = load(
        "int in(void);\nint main(void) { int x = in(); if (x) x = 1; assert(x < 2); return 0; }\n", file="x.c"
    )
    copy = unroll(program, 0)
    assert not copy.more and copy.program.size == program.size
    assert not any(isinstance(edge.action, Call) for one in copy.program.procedures for edge in one.edges)


def test_what_would_be_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrolling, "LARGEST", 100)
    with pytest.raises(TooLarge):
        unroll(load(TEXT, file="x.c"), 1_000)
