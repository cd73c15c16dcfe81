"""Greedy search: the smallest program on which something still fails."""

from __future__ import annotations

from knaster.program.expression import Binary, Expr, Not, Operator, Var
from knaster.program.model import Assign, Assume, Call, Program
from knaster.transform.shrink.search import cost, shrink
from support.building import SKIP, Labelled, assign, procedure, program

X, Y = Var("x"), Var("y")
AND = Binary(Operator.AND, X, Not(Y))


def negated(times: int) -> Expr:
    expr: Expr = X
    for _ in range(times):
        expr = Not(expr)
    return expr


def sample(condition: Expr) -> Program:
    main = procedure("main", [assign("x", Y), Call("f", (X,)), Assume(condition), Labelled("L", SKIP)])
    return program("x y", main, procedure("f", [SKIP, SKIP], parameters="p"))


def labelled(candidate: Program) -> bool:
    return any(label == "L" for p in candidate.procedures for label, _ in p.labels)


def test_what_does_not_matter_goes() -> None:
    small = shrink(sample(AND), labelled)
    assert labelled(small) and cost(small) < cost(sample(AND))
    assert len(small.procedures) == 1 and small.globals == ()


def test_the_search_can_be_stopped() -> None:
    calls = iter([True, True])
    start = sample(AND)
    assert shrink(start, lambda _: False, lambda: next(calls, False)) is start
    assert shrink(start, lambda _: True, lambda: False) is start


def test_an_expression_of_any_depth() -> None:
    allowed = iter([True] * 30)
    small = shrink(sample(negated(3_000)), labelled, lambda: next(allowed, False))
    assert labelled(small)


def test_a_skip_costs_less_than_anything_else() -> None:
    def alone(action: Assume | Assign) -> int:
        return cost(program("x", procedure("main", [action])))

    assert alone(SKIP) < alone(Assume(X)) < alone(Assume(Not(X))) < alone(assign("x", Not(Not(X))))
