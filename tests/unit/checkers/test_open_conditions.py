"""Which conditions invariants do not exclude: the kinds of those that can be true somewhere."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from knaster.base.limits import Budget
from knaster.checkers import open_conditions
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.open_conditions import Condition, unexcluded_kinds
from knaster.evidence.proofs.invariants import Invariants
from knaster.frontends.c import parse
from knaster.program.expression import TRUE, Compare, Comparison, Const, Expr, Var
from knaster.program.model import Place
from knaster.semantics.python_code import loop_heads
from knaster.smt.door import Answer

PROGRAM = parse("int main(void) {\n  int i = 0;\n  while (i < 5) { i = i + 1; }\n  return 0;\n}\n", "a.c")
MAIN = PROGRAM.procedure("main")
(HEAD,) = loop_heads(MAIN)


def kinds(head: Expr, *numbers: int) -> set[object]:
    """Return at which of these numbers i may be at the head of the loop."""
    at = {("main", MAIN.entry): TRUE, ("main", HEAD): head, ("main", MAIN.exit): TRUE}
    proof = Invariants(PROGRAM, {"main": TRUE}, at)
    asked = [Condition(("main", HEAD), Compare(Comparison.EQUAL, Var("i"), Const(n)), n) for n in numbers]
    return set(unexcluded_kinds(asked, proof, Budget()))


def test_what_the_invariant_says() -> None:
    head = Compare(Comparison.AT_MOST, Var("i"), Const(5))
    assert kinds(head, 3, 5, 6, 7) == {3, 5}
    assert kinds(TRUE, 7) == {7}  # nobody says that it is not
    assert kinds(head) == set()


def test_a_loop_that_is_cut_in_its_body() -> None:
    inner = ("main", HEAD + 1)
    at: dict[Place, Expr]
    at = {("main", MAIN.entry): TRUE, inner: Compare(Comparison.AT_MOST, Var("i"), Const(4)), ("main", MAIN.exit): TRUE}
    asked = [Condition(inner, Compare(Comparison.EQUAL, Var("i"), Const(n)), n) for n in (3, 5)]
    assert set(unexcluded_kinds(asked, Invariants(PROGRAM, {"main": TRUE}, at), Budget())) == {3}


def test_without_time_nothing_is_excluded() -> None:
    at = {("main", MAIN.entry): TRUE, ("main", HEAD): TRUE, ("main", MAIN.exit): TRUE}
    proof = Invariants(PROGRAM, {"main": TRUE}, at)
    never = Condition(("main", HEAD), Const(False), "never")
    assert unexcluded_kinds([never], proof, Budget()) == set()
    assert unexcluded_kinds([never], proof, Budget(seconds=-1.0)) == {"never"}


def test_where_nobody_shows_which_is_possible_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solvers, "look", lambda *_: (Answer.SATISFIABLE, []))
    assert kinds(TRUE, 3, 7) == {3, 7}


def test_after_so_many_questions_without_an_answer_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def be_silent(*_: object) -> tuple[Answer, list[bool]]:
        asked.append(1)
        return Answer.UNKNOWN, []

    monkeypatch.setattr(Solvers, "look", be_silent)
    for most in (0, 1, 2):
        monkeypatch.setattr(open_conditions, "MOST_UNANSWERED", most)
        asked.clear()
        at = {("main", MAIN.entry): TRUE, ("main", HEAD): TRUE, ("main", MAIN.exit): TRUE}
        conditions = [Condition((("main"), place), TRUE, place) for place in (MAIN.entry, HEAD, MAIN.exit)]
        assert unexcluded_kinds(conditions, Invariants(PROGRAM, {"main": TRUE}, at), Budget()) == {
            MAIN.entry,
            HEAD,
            MAIN.exit,
        }
        assert len(asked) == min(most, 2)
