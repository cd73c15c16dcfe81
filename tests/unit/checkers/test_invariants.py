"""The check of invariants: what holds is accepted, and a claim that does not hold, or says too little, is refused."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.invariants import check_invariants
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.frontends.c import parse
from knaster.program.expression import TRUE, Compare, Comparison, Const, Expr, Var
from knaster.program.model import Call
from knaster.semantics.python_code import loop_heads

PROGRAM = parse(
    """void reach_error(void) {}
int main(void) {
  int i = 0;
  while (i < 5) { i = i + 1; }
  if (i != 5) { reach_error(); }
  return 0;
}
""",
    "a.c",
)
MAIN = PROGRAM.procedure("main")
(HEAD,) = loop_heads(MAIN)
(CALL,) = [edge.source for edge in MAIN.edges if isinstance(edge.action, Call)]
ERROR = Target("error", "main", CALL, 5)


def at_most(number: int) -> Expr:
    return Compare(Comparison.AT_MOST, Var("i"), Const(number))


def check(head: Expr, *targets: Target, at_exit: Expr = TRUE, require: Expr = TRUE) -> str:
    at = {("main", MAIN.entry): TRUE, ("main", HEAD): head, ("main", MAIN.exit): at_exit}
    return check_invariants(Invariants(PROGRAM, {"main": require}, at), PROGRAM, targets, Budget())


def test_what_holds() -> None:
    assert check(at_most(5), ERROR)  # some solver has answered
    assert check(TRUE)


@pytest.mark.parametrize(
    ("head", "targets"),
    [
        (at_most(4), ()),  # not kept by the loop
        (Compare(Comparison.AT_LEAST, Var("i"), Const(1)), ()),  # not so at the beginning
        (at_most(6), (ERROR,)),  # kept, and too little
        (at_most(5), (Target("exit", "main", MAIN.exit, 6),)),  # reached
    ],
)
def test_what_does_not_hold(head: Expr, targets: tuple[Target, ...]) -> None:
    with pytest.raises(InternalError):
        check(head, *targets)


def test_a_target_with_a_condition() -> None:
    exit_with = Target("exit", "main", HEAD, 4, condition=Compare(Comparison.EQUAL, Var("i"), Const(7)))
    assert check(at_most(5), exit_with)
    with pytest.raises(InternalError):
        check(at_most(7), exit_with)


def test_a_proof_that_says_nothing_of_a_place() -> None:
    with pytest.raises(InternalError, match="nothing about location"):
        check_invariants(Invariants(PROGRAM, {"main": TRUE}, {("main", HEAD): TRUE}), PROGRAM, (), Budget())
    with pytest.raises(InternalError, match="requires"):
        check_invariants(Invariants(PROGRAM, {}, {("main", HEAD): TRUE}), PROGRAM, (), Budget())


def test_a_target_without_a_place() -> None:
    with pytest.raises(InternalError, match="a target has none"):
        check(at_most(5), Target("overflow", "", 0, 0, "overflow"))
