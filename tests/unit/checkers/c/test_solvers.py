"""Who answers obligations: another solver than z3 where one is installed, z3 where not, and the answer says who."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

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


class Explaining:
    """A solver that says of every question the same."""

    name, has_integers = "explaining", True

    def __init__(self, said: tuple[Answer, list[int]]) -> None:
        self.said = said

    def core(self, *_: object) -> tuple[Answer, list[int]]:
        return self.said


def test_which_flags_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first solver that has formulas for a question and knows; that it is not met, only an exact one says."""
    obligation = implied(TRUE, LESS, Int(8))
    met, unknown = (Answer.UNSATISFIABLE, [0]), (Answer.UNKNOWN, [1])
    not_met = (Answer.SATISFIABLE, [2])
    for answers, expected in (
        ([(met, True)], [0]),
        ([None, (met, False)], [0]),
        ([(unknown, True), (met, True)], [0]),
        ([(not_met, True), (met, True)], None),
        ([(not_met, False), (met, True)], [0]),
        ([None, (unknown, True)], None),
    ):
        solvers = Solvers(obligation.types, Budget())
        solvers.ways = solvers.ways[: len(answers)]
        for number, (way, given) in enumerate(zip(solvers.ways, answers, strict=True)):
            way.make, way.failures = number, number  # type: ignore[assignment]
            if given is not None:
                solvers._doors[number] = Explaining(given[0])  # type: ignore[index, assignment]

        def made(self: Solvers, way: Any, *_: object, answers: Any = answers) -> Any:
            given = answers[way.make]
            return None if given is None else (SimpleNamespace(parts=[], exact=given[1]), [])

        monkeypatch.setattr(Solvers, "_make", made)
        assert solvers.core(obligation, [LESS]) == expected
