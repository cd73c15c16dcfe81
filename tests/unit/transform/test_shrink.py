from __future__ import annotations

from knaster.frontends.languages import load
from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Conditional, Expr, Not, Operator, Var, postorder
from knaster.program.flat import built, flat
from knaster.program.model import Assign, Assume, Call, Program
from knaster.program.validate import validate
from knaster.transform.shrink.expressions import forget, simpler_expressions, weight, without_variable
from knaster.transform.shrink.programs import smaller_programs
from knaster.transform.shrink.search import cost, shrink
from support.building import SKIP, Labelled, assign, procedure, program

X, Y = Var("x"), Var("y")
AND = Binary(Operator.AND, X, Not(Y))


def negated(times: int) -> Expr:
    expr: Expr = X
    for _ in range(times):
        expr = Not(expr)
    return expr


def test_a_list_of_nodes_is_the_expression() -> None:
    expr = Conditional(AND, CHOICE, Binary(Operator.XOR, X, TRUE))
    assert built(flat(expr)) == expr
    assert sum(1 for _ in postorder(built(flat(negated(20_000))))) == 20_001


def test_simpler_expressions_have_one_node_less_to_explain() -> None:
    found = list(simpler_expressions(AND))
    assert found[:5] == [TRUE, FALSE, CHOICE, X, Not(Y)]
    assert Binary(Operator.AND, X, Y) in found and Binary(Operator.AND, TRUE, Not(Y)) in found
    assert all(weight(expr) <= weight(AND) for expr in found)
    assert list(simpler_expressions(X)) == [TRUE, FALSE, CHOICE]


def test_a_variable_that_goes_is_false() -> None:
    assert without_variable(AND, "y") == Binary(Operator.AND, X, Not(FALSE))
    assert forget(Assign(("x", "y"), (Y, X)), "y") == Assign(("x",), (FALSE,))
    assert forget(Assign(("y",), (X,)), "y") == Assume(TRUE)
    assert forget(Call("f", (Y,), ("y", "x")), "y") == Call("f", (FALSE,), (None, "x"))


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


def test_an_expression_of_any_depth() -> None:
    allowed = iter([True] * 30)
    small = shrink(sample(negated(3_000)), labelled, lambda: next(allowed, False))
    assert labelled(small)


def test_what_is_left_out_is_not_started_either() -> None:
    text = "void main() begin start_thread f(T); ASYNC_1: f(F); end\nvoid f(p) begin skip; end"
    for smaller in smaller_programs(load(text)):
        assert validate(smaller) == []
