"""The check of measures: they decrease on every way round, and no cycle is without one."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("z3")

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.ranking import check_ranking
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.frontends.c import parse
from knaster.program.expression import (
    TRUE,
    Arithmetic,
    Compare,
    Comparison,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Var,
)
from knaster.program.model import Edge, Place, Program
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


def test_a_measure_where_no_invariant_is_said() -> None:
    """The loop is cut in its body, where nothing is known."""
    program = parse("int main(void) {\n  int i = 9;\n  while (i > 0) { i = i / 2; }\n  return 0;\n}\n", "a.c")
    proof = proof_of(program, {("main", HEAD + 1): (I_NOW,)})
    assert ("main", HEAD + 1) not in proof.invariants.at and check_ranking(proof, program, Budget())


def test_a_cycle_without_a_measure() -> None:
    with pytest.raises(InternalError, match="no measure for a cycle"):
        check(I_NOW, place=("main", MAIN.exit))


def proof_of(program: Program, measures: dict[Place, tuple[Expr, ...]], *, ahead: bool = False) -> Ranking:
    at: dict[Place, Expr] = {}
    for procedure in program.procedures:
        for location in (procedure.entry, procedure.exit, *loop_heads(procedure)):
            at[procedure.name, location] = TRUE
    requires = {procedure.name: TRUE for procedure in program.procedures}
    return Ranking(program, Invariants(program, requires, at), measures, ahead)


def test_the_proof_is_of_this_program() -> None:
    proof = proof_of(PROGRAM, {("main", HEAD): (I_NOW,)})
    other = parse("int main(void) { return 1; }\n", "b.c")
    assert check_ranking(proof, PROGRAM, Budget())
    for wrong in (replace(proof, program=other), replace(proof, invariants=replace(proof.invariants, program=other))):
        with pytest.raises(InternalError, match="another program"):
            check_ranking(wrong, PROGRAM, Budget())


def test_solvers_of_the_invariants_are_named_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.checkers.ranking.check_invariants", lambda *given: "Oracle and Sibyl")
    named = check_ranking(proof_of(PROGRAM, {("main", HEAD): (I_NOW,)}), PROGRAM, Budget())
    assert "Oracle" in named and "Sibyl" in named and named.count(" and ") == 2
    monkeypatch.setattr("knaster.checkers.ranking.check_invariants", lambda *given: "")
    assert " and " not in check_ranking(proof_of(PROGRAM, {("main", HEAD): (I_NOW,)}), PROGRAM, Budget())


def test_a_measure_at_no_place() -> None:
    with pytest.raises(InternalError, match=f"location {MAIN.size} of 'main' is no place"):
        check_ranking(proof_of(PROGRAM, {("main", HEAD): (I_NOW,), ("main", MAIN.size): (I_NOW,)}), PROGRAM, Budget())


def test_a_measure_outside_of_cycles_says_nothing() -> None:
    measures: dict[Place, tuple[Expr, ...]] = {("main", HEAD): (I_NOW,), ("main", MAIN.exit): (minus(I_NOW),)}
    assert check_ranking(proof_of(PROGRAM, {**measures, ("main", MAIN.entry): ()}), PROGRAM, Budget())


def test_an_edge_that_leads_back_to_its_own_place_is_a_cycle() -> None:
    stuck = replace(MAIN, edges=(*MAIN.edges, Edge(HEAD, MAIN.edges[0].action, HEAD)))
    back = next(edge for edge in MAIN.edges if edge.target == HEAD and edge.source != MAIN.entry and edge.source > HEAD)
    alone = replace(stuck, edges=tuple(edge for edge in stuck.edges if edge is not back))
    program = replace(PROGRAM, procedures=(alone,))
    proof = proof_of(program, {("main", HEAD): (I_NOW,)})
    with pytest.raises(InternalError):
        check_ranking(proof, program, Budget())  # `i = 9` for ever
    with pytest.raises(InternalError, match="no measure for a cycle"):
        check_ranking(replace(proof, measures={}), program, Budget())


LAST = parse(
    "int main(void) {\n  int i = 9;\n  while (i > 0) { i = i - 1; if (i < 5) i = -7; }\n  return 0;\n}\n", "a.c"
)
TWICE = """int f(int n) { if (n <= 0) return 0; return f(n - 1) + f(n - 2); }
int main(void) { return f(9); }
"""


def test_steps_that_are_followed_by_another() -> None:
    """Looking ahead, the last time round need not decrease anything that is at least 0."""
    (head,) = loop_heads(LAST.procedure("main"))
    above: Expr = Arithmetic(IntegerOperator.SUBTRACT, I_NOW, Const(6), INTEGER)  # from 5 on it is below 0
    for measure, ahead, holds in (
        (I_NOW, False, True),
        (I_NOW, True, True),
        (above, True, True),
        (above, False, False),
        (minus(I_NOW), True, False),
    ):
        proof = proof_of(LAST, {("main", head): (measure,)}, ahead=ahead)
        if holds:
            assert check_ranking(proof, LAST, Budget())
        else:
            with pytest.raises(InternalError):
                check_ranking(proof, LAST, Budget())


def test_calls_that_are_entered() -> None:
    program = parse(TWICE, "f.c")
    entry: Place = ("f", program.procedure("f").entry)
    n = Convert(Var("n"), INTEGER)
    assert check_ranking(proof_of(program, {entry: (n,)}), program, Budget())
    for wrong in ((Const(1),), (minus(n),)):
        with pytest.raises(InternalError):
            check_ranking(proof_of(program, {entry: wrong}), program, Budget())
    with pytest.raises(InternalError, match="no measure for a cycle"):
        check_ranking(proof_of(program, {}), program, Budget())


@pytest.mark.parametrize(("bound", "holds"), [(0, True), (-1, False), (None, False)])
def test_what_is_known_at_the_head_bounds_the_measure(bound: int | None, holds: bool) -> None:
    program = parse("int main(void) {\n  int i = 9;\n  while (i != 0) { i = i - 1; }\n  return 0;\n}\n", "a.c")
    main = program.procedure("main")
    (head,) = loop_heads(main)
    known = TRUE if bound is None else Compare(Comparison.AT_LEAST, Var("i"), Const(bound))
    at: dict[Place, Expr] = {("main", main.entry): TRUE, ("main", head): known, ("main", main.exit): TRUE}
    proof = Ranking(program, Invariants(program, {"main": TRUE}, at), {("main", head): (I_NOW,)})
    if holds:
        assert check_ranking(proof, program, Budget())
    else:
        with pytest.raises(InternalError):
            check_ranking(proof, program, Budget())
