"""Invariants that nobody proved: the checker refuses those that say too little, and those that say what is not so."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.invariants import check_invariants
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.c import parse
from knaster.program.expression import FALSE, TRUE, Compare, Comparison, Const, Expr, Var
from knaster.program.model import Place, Program, old
from knaster.semantics.python_code import loop_heads

DOWN = "int down(int n) { while (n > 0) n--; return n; }\n"
TWICE = "int g; void twice(int n) { if (n > 0) twice(n - 1); g = g + 2; }\n"
REACHED = [
    f"{DOWN}int main(void) {{ int x = down(nondet()); assert(x >= 0); return 0; }}\n",  # after a call
    f"{TWICE}int main(void) {{ twice(nondet()); assert(g != 6); return 0; }}\n",  # after one that recurs
    "int f(int n) { if (n > 0) return f(n - 1); assert(n >= 0); return 0; }\nint main(void) { return f(nondet()); }\n",
    "int main(void) { int i = 0; while (i < 5) i++; assert(i < 5); return 0; }\n",
]


def by_hand(program: Program, requires: Expr = TRUE, leaves: Expr = TRUE) -> Invariants:
    """Return invariants that say something about calls and nothing about the rest."""
    at: dict[Place, Expr] = {}
    for procedure in program.procedures:
        at |= {(procedure.name, place): TRUE for place in (procedure.entry, *loop_heads(procedure))}
        at[procedure.name, procedure.exit] = TRUE if procedure.name == "main" else leaves
    return Invariants(program, {p.name: TRUE if p.name == "main" else requires for p in program.procedures}, at)


def checked(text: str, requires: Expr = TRUE, leaves: Expr = TRUE) -> None:
    program = parse(text)
    check_invariants(by_hand(program, requires, leaves), program, resolve_targets(program, None), Budget())


@pytest.mark.parametrize("text", REACHED)
def test_what_says_nothing_excludes_nothing(text: str) -> None:
    with pytest.raises(InternalError):
        checked(text)


@pytest.mark.parametrize("text", REACHED[:3])
def test_a_call_that_happens_cannot_be_denied(text: str) -> None:
    with pytest.raises(InternalError):
        checked(text, requires=FALSE)
    with pytest.raises(InternalError):
        checked(text, leaves=FALSE)


def test_what_is_required_has_to_be_given_and_what_is_guaranteed_to_be_kept() -> None:
    text = "int f(int n) { if (n > 3) return f(n - 1); return n; }\nint main(void) { assert(f(nondet()) <= 3); }\n"
    low = Compare(Comparison.AT_MOST, Var("@0"), Const(3))
    checked(text, leaves=low)
    with pytest.raises(InternalError):
        checked(text, leaves=Compare(Comparison.AT_MOST, Var("@0"), Const(2)))
    with pytest.raises(InternalError):
        checked(text, requires=Compare(Comparison.AT_LEAST, Var(old("n")), Const(0)), leaves=low)
