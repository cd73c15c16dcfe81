"""A proof of threads one at a time is checked on programs that are made again; each part of it counts."""

from __future__ import annotations

from functools import cache

import pytest

import knaster
from knaster.base.errors import InternalError, ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.memory.guaranteed_threads import check_guaranteed_threads
from knaster.evidence.proofs.memory.guaranteed_threads import GuaranteedThreads, from_fields, to_fields
from knaster.evidence.questions.question import Target
from knaster.frontends.languages import load
from knaster.program.expression import FALSE, TRUE, Var
from support.c_thread_texts import two_threads

pytest.importorskip("clang.cindex")
TEXT = two_threads("x = 1;", "assert(x < 2);")


@cache
def _proof() -> tuple[GuaranteedThreads, Target]:
    result = knaster.check(TEXT, file="a.c", property="reach", engine="modular")
    ((target, answer),) = result.answers
    assert isinstance(answer, knaster.Unreachable) and isinstance(answer.proof, GuaranteedThreads)
    return answer.proof, target


def _refuses(proof: GuaranteedThreads, match: str) -> None:
    with pytest.raises(InternalError, match=match):
        check_guaranteed_threads(proof, proof.program, [_proof()[1]], Budget())


def test_a_proof_is_checked_and_another_is_refused() -> None:
    proof, target = _proof()
    assert check_guaranteed_threads(proof, proof.program, [target], Budget())
    _refuses(replace(proof, asked=()), "other targets")
    other = load(TEXT.replace("x = 1", "x = 2"), file="a.c")
    with pytest.raises(InternalError, match="another program"):
        check_guaranteed_threads(proof, other, [target], Budget())
    with pytest.raises(InternalError, match="of another program"):
        check_guaranteed_threads(replace(proof, program=other), other, [target], Budget())


def test_each_part_counts() -> None:
    proof, _ = _proof()
    one, two, three = proof.steps
    for steps in ((FALSE, two, three), (one, TRUE, three), (one, two, FALSE)):
        _refuses(replace(proof, steps=steps), "of another program")  # the invariants are about these guarantees
    _refuses(replace(proof, steps=(one, two)), "not every thread guarantees")
    _refuses(replace(proof, steps=(one, Var("x"), three)), "no formula about the shared variables")
    _refuses(replace(proof, shows=True), "of another program")
    _refuses(replace(proof, inner=proof.inner[:2]), "not every thread has a proof")
    _refuses(replace(proof, inner=(proof.inner[0], proof.inner[2], proof.inner[1])), "of another program")
    for number in range(3):
        inner = list(proof.inner)
        nothing = {place: TRUE for place in inner[number].at}
        inner[number] = replace(inner[number], at=nothing)
        if number == 2:  # the thread that asserts knows nothing of x any more
            _refuses(replace(proof, inner=tuple(inner)), "is not reached")


def test_guarantees_that_are_not_kept_are_refused() -> None:
    """The programs of all threads are made with these guarantees, and their invariants say the same: one breaks it."""
    from knaster.evidence.proofs.memory.guaranteed_threads import reduce_guaranteed

    proof, _ = _proof()
    steps = (FALSE, FALSE, FALSE)
    threads = reduce_guaranteed(proof.program, proof.asked, steps, False)
    inner = tuple(replace(own, program=thread.program) for own, thread in zip(proof.inner, threads, strict=True))
    _refuses(replace(proof, steps=steps, inner=inner), "does not hold")


def test_a_file_has_guarantees_and_proofs() -> None:
    proof, target = _proof()
    assert repr(proof) == "<GuaranteedThreads of a.c: 3 threads>"
    fields = to_fields(proof, proof.program)
    again = from_fields(fields, proof.program, 1 << 10, Budget())
    assert check_guaranteed_threads(again, proof.program, [target], Budget())
    data = fields["guaranteed_threads"]
    for wrong, match in (
        ({"shows": 1}, "no truth value"),
        ({"guarantees": data["guarantees"][:1]}, "not every thread guarantees"),
        ({"proofs": data["proofs"][:1]}, "not every thread has a proof"),
        ({"proofs": [7, 7, 7]}, "a proof of a thread is none"),
        ({"proofs": [fields, fields, fields]}, "a proof of a thread is none"),
    ):
        with pytest.raises(ProofError, match=match):
            from_fields({"guaranteed_threads": {**data, **wrong}}, proof.program, 1 << 10, Budget())
    alone = load("int main(void) { int x = 1, *p = &x; return *p; }", file="a.c", objects="always")
    with pytest.raises(ProofError, match="about threads with memory"):
        from_fields(fields, alone, 1 << 10, Budget())
