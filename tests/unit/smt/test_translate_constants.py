"""Elements of constant arrays have a term although nobody says what type the array has."""

from __future__ import annotations

import pytest

import knaster
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Updated,
    Var,
)
from knaster.program.types import BOOL, Array, Int
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Numbers, Sides, Unsuitable
from knaster.smt.translate import Translation

ADD = IntegerOperator.ADD
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


@pytest.mark.parametrize("numbers", [Bits, Integers])
@pytest.mark.parametrize("new", [Const(7), Const(-9), Var("j"), Arithmetic(ADD, Var("j"), Const(1), Int(32))])
def test_what_is_written_into_a_constant_array_is_not_cut(numbers: type[Numbers], new: Expr) -> None:
    """Also where the constant is read beside it, so that it would fit into fewer bits."""
    session, constant = Session(), Const((0, 2))
    translation = Translation(numbers(session.context))  # type: ignore[call-arg]
    state, sides = translation.variables({"i": Int(32), "j": Int(32)}), Sides()
    written = Element(Updated(constant, Var("i"), new), Const(1))
    claims: list[Expr] = [
        Compare(Comparison.EQUAL, Var("i"), Const(1)),
        Compare(Comparison.EQUAL, Var("j"), Const(1000)),
        Compare(Comparison.EQUAL, Element(constant, Var("i")), Const(2)),
        Binary(
            Operator.AND,
            Compare(Comparison.EQUAL, written, new),
            Compare(Comparison.EQUAL, Element(constant, Const(0)), Const(0)),
        ),
    ]
    for end, answer in ((claims[-1], Answer.SATISFIABLE), (Not(claims[-1]), Answer.UNSATISFIABLE)):
        solver = session.solver()
        solver.add([translation.formula(claim, state, sides) for claim in (*claims[:-1], end)])
        solver.add([*sides.facts, *sides.defined])
        assert solver.check() is answer


def test_one_of_two_arrays_of_which_one_has_no_type_is_refused_by_name() -> None:
    session = Session()
    translation = Translation(Bits(session.context))
    state = translation.variables({"a": Array(Int(8), 2), "b": BOOL})
    expr = Element(Conditional(Var("b"), Const((0, 2)), Var("a")), Const(0))
    with pytest.raises(Unsuitable, match="one of two arrays"):
        translation.term(expr, state, Sides())


WRITTEN = TEXT.replace("if (a[i] > 1)", "a[i] = 7; if (a[0] + a[1] == {})")


@pytest.mark.parametrize("integers", ["machine", "mathematical"])
@pytest.mark.parametrize(("number", "verdict"), [(9, "FALSE"), (14, "TRUE")])
def test_yasm_writes_into_a_constant_array(integers: str, number: int, verdict: str) -> None:
    result = knaster.check(WRITTEN.replace("{}", str(number)), file="a.c", engine="yasm", integers=integers)
    assert str(result.verdict.value) == verdict


@pytest.mark.parametrize("integers", ["machine", "mathematical"])
def test_yasm_reads_a_constant_array(integers: str) -> None:
    result = knaster.check(TEXT, file="a.c", engine="yasm", integers=integers)
    assert str(result.verdict.value) == "FALSE"


@pytest.mark.parametrize("numbers", [Bits, Integers])
def test_a_constant_without_a_type_is_called_that(numbers: type[Numbers]) -> None:
    """It was called no value of a program without a heap."""
    with pytest.raises(Unsuitable, match=r"^the constant \(0, 2\) has no type here$"):
        numbers(Session().context).constant((0, 2))  # type: ignore[call-arg]
