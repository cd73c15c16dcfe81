"""The check of measures: they decrease on every way round, and no cycle is without one."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.ranking import check_ranking
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.frontends.c import parse
from knaster.program.expression import TRUE, Arithmetic, Const, Convert, Expr, IntegerOperator, Var
from knaster.program.model import Place
from knaster.program.types import INTEGER
from knaster.semantics.python_code import loop_heads

PROGRAM = parse("int main(void) {\n  int i = 9;\n  while (i > 0) { i = i - 1; }\n  return 0;\n}\n", "a.c")
MAIN = PROGRAM.procedure("main")
(HEAD,) = loop_heads(MAIN)
I_NOW = Convert(Var("i"), INTEGER)


def check(*measure: Expr, place: Place = ("main", HEAD)) -> str:
    at: dict[Place, Expr] = dict.fromkeys((("main", MAIN.entry), ("main", HEAD), ("main", MAIN.exit)), TRUE)
    proof = Ranking(PROGRAM, Invariants(PROGRAM, {"main": TRUE}, at), {place: measure})
    return check_ranking(proof, PROGRAM, Budget())


def test_what_decreases() -> None:
    assert check(I_NOW)
    assert check(Const(3), I_NOW)  # the first component stays


def minus(expr: Expr) -> Expr:
    return Arithmetic(IntegerOperator.SUBTRACT, Const(0), expr, INTEGER)


@pytest.mark.parametrize(
    "measure",
    [
        (),
        (Const(1),),  # stays
        (minus(I_NOW),),  # increases
        (minus(I_NOW), I_NOW),  # the first component increases
        (Arithmetic(IntegerOperator.SUBTRACT, I_NOW, Const(10), INTEGER),),  # decreases below 0
    ],
)
def test_what_does_not_decrease(measure: tuple[Expr, ...]) -> None:
    with pytest.raises(InternalError):
        check(*measure)


def test_a_cycle_without_a_measure() -> None:
    with pytest.raises(InternalError, match="no measure for a cycle"):
        check(I_NOW, place=("main", MAIN.exit))
