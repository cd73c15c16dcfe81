"""Who answers obligations: another solver than z3 where one is installed, z3 where not, and the answer says who."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

import knaster.checkers.c.solvers
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, Limits, OutOfBudget
from knaster.checkers.c.obligations import Goal, Obligation, claim
from knaster.checkers.c.solvers import Refutation, Solvers
from knaster.program.expression import TRUE, Arithmetic, Compare, Comparison, Const, Expr, IntegerOperator, Var
from knaster.program.types import INTEGER, Int, Type
from knaster.smt.door import Answer, BitwuzlaDoor, Cvc5Door, Z3Door, find_doors

X, Y = Var("x"), Var("y")
LESS = Compare(Comparison.LESS, X, Y)
NOT_MORE = Compare(Comparison.AT_MOST, X, Y)


def implied(hypothesis: Expr, conclusion: Expr, type: Type) -> Obligation:
    goal = Goal((claim(conclusion),))
    return Obligation(("main", 0), "it follows", (claim(hypothesis),), (goal,), {"x": type, "y": type})


def asked(obligation: Obligation, budget: Budget | None = None) -> str:
    return Solvers(obligation.types, budget or Budget()).prove([obligation])


@pytest.mark.skipif(len(find_doors()) < 3, reason="z3 is the only solver")
def test_another_solver_than_z3_answers() -> None:
    assert find_doors() == [BitwuzlaDoor, Cvc5Door, Z3Door]
    assert asked(implied(LESS, NOT_MORE, Int(32))) == "Bitwuzla"
    assert asked(implied(LESS, NOT_MORE, INTEGER)) == "cvc5"


@pytest.mark.parametrize("type", [Int(32), INTEGER])
def test_z3_answers_where_it_is_alone(type: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knaster.checkers.c.solvers, "find_doors", lambda: [Z3Door])
    assert asked(implied(LESS, NOT_MORE, type)) == "z3"
    with pytest.raises(Refutation):
        asked(implied(NOT_MORE, LESS, type))


@pytest.mark.parametrize("type", [Int(8), Int(64, False), INTEGER])
def test_what_does_not_follow_is_refuted(type: Type) -> None:
    with pytest.raises(InternalError, match="it follows"):
        asked(implied(NOT_MORE, LESS, type))


def test_what_nobody_answers_is_not_believed() -> None:
    def cube(of: Expr) -> Expr:
        return Arithmetic(IntegerOperator.MULTIPLY, of, Arithmetic(IntegerOperator.MULTIPLY, of, of, INTEGER), INTEGER)

    total = Arithmetic(IntegerOperator.ADD, cube(X), cube(Y), INTEGER)
    same = Compare(Comparison.EQUAL, Arithmetic(IntegerOperator.ADD, total, cube(Var("z")), INTEGER), Const(114))
    with pytest.raises(OutOfBudget, match="whether it holds"):
        asked(Obligation(("main", 0), "it holds", (claim(same),), (), dict.fromkeys("xyz", INTEGER)))


def test_the_time_is_kept() -> None:
    with pytest.raises(OutOfBudget, match="time"):
        asked(implied(LESS, NOT_MORE, Int(32)), Budget.of(Limits(seconds=0)))


def test_what_is_shown_against_an_obligation_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    obligation = implied(TRUE, LESS, Int(8))
    none: list[bool] = []
    inexact, exact = (Answer.SATISFIABLE, False, [True]), (Answer.SATISFIABLE, True, [False])
    nothing, met = (Answer.UNKNOWN, True, [True]), (Answer.UNSATISFIABLE, False, none)
    for first, second, answer in (
        (inexact, exact, (Answer.SATISFIABLE, [False])),
        (nothing, met, (Answer.UNSATISFIABLE, [])),
        (nothing, inexact, (Answer.UNKNOWN, [])),
    ):
        solvers, said = Solvers(obligation.types, Budget()), iter([first, second])
        solvers.ways = solvers.ways[:2]
        monkeypatch.setattr(Solvers, "_ask", lambda *_, said=said: next(said))
        assert solvers.look(obligation, [LESS]) == answer
