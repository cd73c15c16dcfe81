"""Proofs made short: what nothing needs is gone, what is left was checked, and units are a limit."""

from __future__ import annotations

import knaster
from knaster.base.limits import Budget
from knaster.checkers.checked import check_excludes
from knaster.decide.asked import Evidence
from knaster.decide.shortening.shorten import shorten
from knaster.evidence.proofs.invariants import Invariants, to_json
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.c import parse
from knaster.program.algebra import conjunction
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Operator,
    Var,
)
from knaster.program.types import INTEGER
from knaster.semantics.python_code import loop_heads

TEXT = """extern int read(void);
int main(void) {
  int x = 0, y = 0, z = 3;
  while (read()) { if (x < 10) { x = x + 1; y = y + 1; } }
  if (x != y) ERROR: ;
  return 0;
}
"""
PROGRAM = parse(TEXT, "t.c")
MAIN = PROGRAM.procedure("main")
(HEAD,) = loop_heads(MAIN)
TARGETS = tuple(default_targets(PROGRAM))


def number(name: str) -> Expr:
    return Convert(Var(name), INTEGER)


def bound(operator: Comparison, left: Expr, right: Expr | int) -> Expr:
    return Compare(operator, left, Const(right) if isinstance(right, int) else right)


def proof(*parts: Expr) -> Invariants:
    at = {(MAIN.name, MAIN.entry): TRUE, (MAIN.name, MAIN.exit): TRUE, (MAIN.name, HEAD): conjunction(parts)}
    return Invariants(PROGRAM, {MAIN.name: TRUE}, at)


SAME = (bound(Comparison.AT_LEAST, number("x"), number("y")), bound(Comparison.AT_MOST, number("x"), number("y")))
MORE = (
    bound(Comparison.AT_LEAST, number("x"), 0),
    bound(Comparison.AT_MOST, number("x"), 10),
    bound(Comparison.EQUAL, number("z"), 3),
    Binary(Operator.OR, bound(Comparison.AT_MOST, number("y"), 10), bound(Comparison.EQUAL, number("z"), 4)),
)


def said(given: Invariants) -> list[str]:
    return [part for row in to_json(given, PROGRAM)["invariants"] for part in row["holds"]]


def test_parts_that_nothing_needs_are_dropped() -> None:
    given = proof(*MORE, *SAME)
    check_excludes(given, PROGRAM, TARGETS, Budget())
    short = shorten(given, TARGETS, (), Budget())
    assert said(short) == ["x == y"]
    check_excludes(short, PROGRAM, TARGETS, Budget())


def test_what_is_to_stay_excluded_keeps_its_reasons() -> None:
    condition = bound(Comparison.GREATER, Arithmetic(IntegerOperator.ADD, number("x"), Const(1), INTEGER), 2_000)
    also = (
        [knaster.api.Target("large", MAIN.name, HEAD, 4, condition=condition)] if hasattr(knaster.api, "Target") else []
    )

    also = [Target("large", MAIN.name, HEAD, 4, condition=condition)]
    assert said(shorten(proof(*MORE, *SAME), TARGETS, also, Budget())) == ["y <= 10", "x == y"]


def test_an_alternative_that_always_holds_stands_alone() -> None:
    either = Binary(
        Operator.OR, bound(Comparison.EQUAL, number("x"), number("y")), bound(Comparison.EQUAL, number("z"), 4)
    )
    given = proof(either, bound(Comparison.EQUAL, number("z"), 3))
    check_excludes(given, PROGRAM, TARGETS, Budget())
    assert said(shorten(given, TARGETS, (), Budget())) == ["x == y"]


def test_without_units_the_proof_stays() -> None:
    given = proof(*MORE, *SAME)
    assert shorten(given, TARGETS, (), Budget(), units=10) is given


def test_what_is_no_proof_stays() -> None:
    given = proof(*MORE)
    assert shorten(given, TARGETS, (), Budget()) is given


def test_that_no_run_comes_to_a_place_is_kept() -> None:
    never = parse("int f(void) { while (1); } int main(void) { if (0) f(); return 0; }", "t.c")
    heads = {one.name: [one.entry, one.exit, *loop_heads(one)] for one in never.procedures}
    at = {(name, place): FALSE if name == "f" else TRUE for name, places in heads.items() for place in places}
    given = Invariants(never, {"f": FALSE, "main": TRUE}, at)
    assert shorten(given, (), (), Budget()).requires["f"] == FALSE


def test_a_recursive_function_has_a_short_contract() -> None:
    text = "int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }\nint main(void) { if (id(3) != 3) ERROR: ; }"
    result = knaster.check(text, file="t.c", engine="yasm", property="reach", evidence=Evidence(short_proofs=True))
    (found,) = {id(a.proof): a.proof for _, a in result.answers if hasattr(a, "proof")}.values()
    assert isinstance(found, Invariants)
    (function,) = [row for row in to_json(found, found.program)["functions"] if row["function"] == "id"]
    assert sum(map(len, function["guarantees"])) < 100
