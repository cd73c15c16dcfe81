"""Projections of models with references: from all states, and open beyond so many."""

from __future__ import annotations

import knaster
from knaster.base.limits import Budget
from knaster.decide.projections.heap_states import edges_to_targets
from knaster.evidence.questions.targets import resolve_targets

TEXT = """class Main {
  static int n;
  activate static void main() {
    bool b;
    b = choose(bool);
    if (b) {
      n = 1;
    } else {
      n = 2;
    }
    assert(n == 2);
  }
};
"""


def test_lines() -> None:
    found = knaster.project(TEXT, file="m.zing")
    assert found.lines == (5, 6, 7, 11)
    assert not found.undecided


def test_too_many_states() -> None:
    program = knaster.parse(TEXT, file="m.zing")
    found = edges_to_targets(program, resolve_targets(program, None), Budget(), most=2)
    assert not found.complete
