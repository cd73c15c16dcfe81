"""Bounds of a program: loops end at constants, calls are joined, and what no run reaches is known."""

from __future__ import annotations

import knaster
from knaster.evidence.answers.facts import Equation, Fact, Range
from knaster.views.weighted.interval_facts import IntervalFacts

TEXT = """int g;
int clamp(int x) {
  if (x > 100) return 100;
  if (x < 0) return 0;
  return x;
}
int main(void) {
  int i = 0, k;
  for (i = 0; i < 10; i++)
    g = clamp(i * 50);
  if (i < 10)
    g = 7;
  k = clamp(-5);
  return k;
}
"""


def test_bounds() -> None:
    facts = IntervalFacts(knaster.parse(TEXT, file="p.c"))
    clamp = facts.program.procedure("clamp")
    assert Range("\\result", 0, 100) in (facts.summary(clamp) or ())
    lines = {row.line: row.equations for row in knaster.facts(TEXT, "intervals", file="p.c").lines}
    assert lines[12] is None
    assert Range("i", 0, 9) in (lines[10] or ())


def test_bounds_that_never_stop_growing_are_those_of_the_type() -> None:
    text = "int main(void) {\n  unsigned n = 5;\n  while (1)\n    n = n + 3;\n}\n"
    facts = knaster.facts(text, "intervals", file="p.c")
    assert facts.at(4) == ()


def test_users_may_have_dollars_and_temporaries_are_not_shown() -> None:
    text = "int f(void) { return 3; }\nint main(void) {\n  int f$1 = 5;\n  int r = f() + 1;\n  return r;\n}\n"
    names = {fact.variable for fact in knaster.facts(text, "intervals", file="p.c").at(5) if isinstance(fact, Range)}
    shown = {name for row in knaster.facts(text, file="p.c").at(5) for name in _names(row)}
    assert names | shown == {"f$1", "r"}


def _names(fact: Fact) -> set[str]:
    return (
        {name for name, _ in fact.factors}
        if isinstance(fact, Equation)
        else {fact.variable}
        if isinstance(fact, Range)
        else set()
    )
