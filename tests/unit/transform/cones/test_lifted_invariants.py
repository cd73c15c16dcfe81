"""One proof about a whole program from proofs about its parts."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.checked import check_excludes
from knaster.decide import cones
from knaster.evidence.answers.answer import Unreachable, Verdict
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.expression import TRUE

TEXT = """int __VERIFIER_nondet_int(void);
int a, b;
static int least(int x, int y) { if (x < y) return x; return y; }
static void up(void) { int n = __VERIFIER_nondet_int(); while (n > 0) { a = least(a + 1, 9); n = n - 1; } }
static void down(void) { int n = __VERIFIER_nondet_int(); while (n > 0) { if (b > 0) b = b - 1; n = n - 1; } }
int main(void) { up(); down(); assert(a <= 9); assert(b >= 0); return 0; }
"""


def test_a_proof_of_the_whole_is_made_of_proofs_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cones, "SMALL", 0)
    result = knaster.check(TEXT, file="x.c")
    assert result.verdict is Verdict.TRUE and result.stats["parts"] == 2
    first, second = (answer for _, answer in result.answers)
    assert isinstance(first, Unreachable) and isinstance(second, Unreachable)
    proof = first.proof
    assert isinstance(proof, Invariants) and proof is second.proof and proof.program is result.program
    targets = [target for target, _ in result.answers]
    check_excludes(proof, result.program, targets, Budget())
    forgetful = replace(proof, at={place: TRUE for place in proof.at})
    with pytest.raises(InternalError):
        check_excludes(forgetful, result.program, targets, Budget())
