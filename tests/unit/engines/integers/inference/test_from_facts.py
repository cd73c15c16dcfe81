"""Facts as candidates: equations modulo 2^32 as equations, bounds, entries and results."""

from __future__ import annotations

import knaster
from knaster.base.limits import Budget
from knaster.checkers.checked import check_excludes
from knaster.engines.integers.inference.from_facts import (
    add_facts,
    fact_candidates,
    fact_equations,
    invariants_from_facts,
)
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.model import Program, old
from knaster.smt.linear import Form
from knaster.views.steps.cut import cut_program

TEXT = """#include <assert.h>
int twice(int x) { return 2 * x; }
int main(void) {
  int i = 0, j = 7;
  while (i < 50) { i++; j -= 3; }
  j = twice(4) + twice(5);
  assert(i == 50);
  return j;
}
"""


def program() -> Program:
    return knaster.parse(TEXT, file="p.c")


def test_forms() -> None:
    read = program()
    twice, main = read.procedure("twice"), read.procedure("main")
    points = {own.name: [own.entry, own.exit, *range(own.size)] for own in (twice, main)}
    found = fact_candidates(read, points)
    assert found["twice"] == [Form(((old("x"), 1),), -4), Form(((old("x"), -1),), 5)]
    assert Form.of({"@0": 1, old("x"): -2}) in found["twice", twice.exit]
    head = next(forms for key, forms in found.items() if key[0] == "main" and Form.of({"i": 3, "j": 1}, -7) in forms)
    assert Form(((("i", 1),)), 0) in head and Form((("i", -1),), 50) in head
    assert any(form == Form.of({"i": 3, "j": 1}, -7) for _, form in fact_equations(read, points))
    assert len(add_facts({"main": [Form((), -1)]}, read, points)["main"]) == 1 + len(found["main"])


def test_what_excludes_a_target_is_a_proof() -> None:
    read = program()
    targets = resolve_targets(read, None)
    places = [target.place for target in targets]
    proof = invariants_from_facts(cut_program(read, places), places, Budget(), 2_000_000)
    assert proof is not None
    assert check_excludes(proof, read, targets, Budget()) is not None


def test_large_programs_are_left_alone() -> None:
    many = "".join(f"  g = g + {n};\n" for n in range(400))
    assert fact_candidates(knaster.parse(f"int g;\nint main(void) {{\n{many}}}\n", file="p.c"), {"main": [0]}) == {}
