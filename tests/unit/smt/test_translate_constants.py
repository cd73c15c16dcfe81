"""Elements of constant arrays have a term although nobody says what type the array has."""

from __future__ import annotations

import pytest

import knaster
from knaster.program.expression import Compare, Comparison, Const, Element, Var
from knaster.program.types import Int
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Numbers, Sides
from knaster.smt.translate import Translation

TEXT = """
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[2] = {0, 2};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1) return 0;
  if (a[i] > 1) reach_error();
  return 0;
}
"""


@pytest.mark.parametrize("numbers", [Bits, Integers])
@pytest.mark.parametrize("values", [(0, 2), (4000000000, -1), (-128, 127)])
def test_an_element(numbers: type[Numbers], values: tuple[int, int]) -> None:
    session = Session()
    translation = Translation(numbers(session.context))  # type: ignore[call-arg]
    state, sides = translation.variables({"i": Int(32)}), Sides()
    for number, value in enumerate(values):
        for claimed, answer in ((value, Answer.SATISFIABLE), (value + 1, Answer.UNSATISFIABLE)):
            solver = session.solver()
            index = Compare(Comparison.EQUAL, Var("i"), Const(number))
            element = Compare(Comparison.EQUAL, Element(Const(values), Var("i")), Const(claimed))
            solver.add([translation.formula(index, state, sides), translation.formula(element, state, sides)])
            solver.add([*sides.facts, *sides.defined])
            assert solver.check() is answer


@pytest.mark.parametrize("integers", ["machine", "mathematical"])
def test_yasm_reads_a_constant_array(integers: str) -> None:
    result = knaster.check(TEXT, file="a.c", engine="yasm", integers=integers)
    assert str(result.verdict.value) == "FALSE"
