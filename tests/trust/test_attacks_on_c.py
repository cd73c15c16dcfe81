"""Proofs about C that are false and were believed once: what one arithmetic leaves out, another one vouched for."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.invariants import check_invariants
from knaster.checkers.ranking import check_ranking
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.c import parse
from knaster.program.expression import (
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Const,
    Expr,
    IntegerOperator,
    Operator,
    Var,
)
from knaster.program.model import Place, Program
from knaster.program.types import Int
from knaster.semantics.python_code import loop_heads

READ = "extern unsigned char uchar(void); extern unsigned long ulong(void);\n"
HARD = "x > 1 && y > 1 && x < 4294967296 && y < 4294967296 && x * y == 4611685975477714963"  # 2147483629 * 2147483647
NEVER = "if (c == {}) {{ if (d) s = 2; else s = 3; g(); }}"  # a way that only bounds of a type exclude
SAFE = f"""{READ}int t; int s;
void g(void) {{ s = 1; }}
void f(unsigned char c, int d, unsigned long x, unsigned long y) {{
  {" ".join(NEVER.format(number) for number in (300, 301, 302))}
  if ({HARD}) t = 1;
}}
int main(void) {{
  unsigned long x = ulong(), y = ulong(); int i;
  t = 0;
  for (i = 0; i < 3; i++) f(uchar(), i, x, y);
  assert(t == 0);
  s = s & i;
  return 0;
}}
"""
ENDS = f"""{READ}int s;
void g(void) {{ s = 1; }}
void h(void) {{ s = 2; }}
int main(void) {{
  unsigned long x = ulong(), y = ulong(); unsigned char c = uchar(); int d = s; int i = 10;
  while (i > 0) {{
    if ({HARD}) {{ h(); }}
    else if (c == 300) {{ if (d) s = 2; else s = 3; g(); i--; }}
    else i--;
  }}
  return 0;
}}
"""
EASY = "x == 3 && y == 5"  # what is false is seen at once


def invariants(program: Program, names: list[str], head: Expr) -> Invariants:
    """Return what is said of some procedures: nothing but one condition at the loops."""
    at: dict[Place, Expr] = {}
    for name in names:
        procedure = program.procedure(name)
        at |= {(name, place): TRUE for place in (procedure.entry, procedure.exit)}
        at |= {(name, place): head for place in loop_heads(procedure)}
    return Invariants(program, dict.fromkeys(names, TRUE), at)


@pytest.mark.parametrize("names", [["main"], ["main", "f"], ["main", "g"], ["main", "f", "g"]])
@pytest.mark.parametrize("condition", [HARD, EASY])
def test_an_error_that_is_reachable_is_not_excluded(names: list[str], condition: str) -> None:
    program = parse(SAFE.replace(HARD, condition))
    proof = invariants(program, names, Compare(Comparison.EQUAL, Var("t"), Const(0)))
    with pytest.raises((InternalError, OutOfBudget)):
        check_invariants(proof, program, resolve_targets(program, None), Budget())


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("names", [["main"], ["main", "h"], ["main", "g", "h"]])
@pytest.mark.parametrize("condition", [pytest.param(HARD, marks=pytest.mark.slow), EASY])
def test_a_loop_that_goes_on_for_ever_does_not_end(names: list[str], condition: str, ahead: bool) -> None:
    program = parse(ENDS.replace(HARD, condition))
    (head,) = loop_heads(program.procedure("main"))
    proof = Ranking(program, invariants(program, names, TRUE), {("main", head): (Var("i"),)}, ahead)
    with pytest.raises((InternalError, OutOfBudget)):
        check_ranking(proof, program, Budget())


def test_the_hard_loop_does_not_end_either() -> None:
    program = parse(ENDS)
    (head,) = loop_heads(program.procedure("main"))
    proof = Ranking(program, invariants(program, ["main"], TRUE), {("main", head): (Var("i"),)}, False)
    with pytest.raises((InternalError, OutOfBudget)):
        check_ranking(proof, program, Budget())


RECURS = "void f(int i) { int j = 0; while (i > 0) { f(i); i--; } }\nint main(void) { f(1); return 0; }\n"


def test_a_call_that_never_returns_is_no_step_over_it() -> None:
    """The measure decreases at the loop head, which a call of itself with the same argument passes again."""
    program = parse(RECURS)
    (head,) = loop_heads(program.procedure("f"))
    proof = Ranking(program, invariants(program, ["main", "f"], TRUE), {("f", head): (Var("i"),)})
    with pytest.raises(InternalError):
        check_ranking(proof, program, Budget())


ZERO = "int main(void) { unsigned char x = 1; int i; for (i = 0; i < 3; i++) ; assert(i != 3); return 0; }\n"


@pytest.mark.parametrize("operator", ["/", "%", "<<", ">>"])
def test_what_has_no_value_means_the_same_to_every_solver(operator: str) -> None:
    """A quotient by 0 is all ones in a bit-vector of any width, and one number in integers: a contradiction."""
    program = parse(ZERO)
    one, zero = Var("x"), Const(0 if operator in "/%" else 99)
    for narrow, wide in ((255, 65535), (1, 1), (0, 0), (255, 255)):
        quotients = [
            Compare(Comparison.EQUAL, Arithmetic(IntegerOperator(operator), one, zero, type), Const(value))
            for type, value in ((Int(8, False), narrow), (Int(16, False), wide), (Int(), narrow))
        ]
        said = Binary(Operator.AND, quotients[0], Binary(Operator.AND, quotients[1], quotients[2]))
        with pytest.raises((InternalError, OutOfBudget)):
            check_invariants(invariants(program, ["main"], said), program, resolve_targets(program, None), Budget())
