"""A proof about the sequential program of threads is checked on the program that is made again."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.memory.reduced_threads import check_reduced_threads
from knaster.evidence.proofs.memory.reduced_threads import ReducedThreads
from knaster.evidence.questions.question import Bound, Target
from knaster.frontends.languages import load
from support.c_thread_texts import two_threads

pytest.importorskip("clang.cindex")
TEXT = two_threads("x = any(); y = 1;", "", "if (y) assert(x >= 0 || x < 0);")


def _proof(**how: object) -> tuple[ReducedThreads, Target]:
    ((target, answer),) = knaster.check(TEXT, file="a.c", property="reach", **how).answers  # type: ignore[arg-type]
    assert isinstance(answer, knaster.Unreachable) and isinstance(answer.proof, ReducedThreads)
    return answer.proof, target


@pytest.mark.parametrize("how", [{"engine": "interleaved"}, {"engine": "rounds", "rounds": 2}])
def test_a_proof_is_checked_and_another_is_refused(how: dict[str, object]) -> None:
    proof, target = _proof(**how)
    check_reduced_threads(proof, proof.program, [target], Budget())
    with pytest.raises(InternalError, match="other targets"):
        check_reduced_threads(replace(proof, asked=()), proof.program, [target], Budget())
    other = load(TEXT.replace("y = 1", "y = 2"), file="a.c")
    with pytest.raises(InternalError, match="another program"):
        check_reduced_threads(proof, other, [target], Budget())
    with pytest.raises(InternalError, match="another sequential program"):
        check_reduced_threads(replace(proof, program=other), other, [target], Budget())


def test_a_proof_within_a_bound_is_none_for_more() -> None:
    proof, target = _proof(engine="rounds", rounds=2)
    for bound in (None, Bound("rounds", 3), Bound("switches", 2)):
        with pytest.raises(InternalError, match="another sequential program"):
            check_reduced_threads(replace(proof, bound=bound), proof.program, [target], Budget())
    check_reduced_threads(replace(proof, bound=Bound("switches", 1)), proof.program, [target], Budget())
