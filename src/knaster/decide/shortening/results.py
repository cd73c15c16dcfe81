"""The results whose proofs are made shorter: invariants of programs over integers, and of those that memory becomes.

Steps that C may leave undefined and that the proof excludes stay excluded, so that notes say the same of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.evidence.answers.answer import Answer, Result, Unreachable
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.memory.regions import RegionProof, reduce_memory
from knaster.evidence.proofs.table import Proof
from knaster.evidence.questions.question import Target

MOST_EDGES = 1_500  # of a program whose proofs are made shorter


def with_short_proofs(result: Result, budget: Budget) -> Result:
    """Return a result whose invariants say no more than is needed; each proof that is new was checked."""
    about: dict[int, list[Target]] = {}
    for target, answer in result.answers:
        if _has_invariants(answer):
            assert isinstance(answer, Unreachable)
            about.setdefault(id(answer.proof), []).append(target)
    if not about or result.program.size > MOST_EDGES:
        return result
    made: dict[int, Proof] = {}
    answers: list[tuple[Target, Answer]] = []
    for target, answer in result.answers:
        if isinstance(answer, Unreachable) and id(answer.proof) in about:
            if id(answer.proof) not in made:
                made[id(answer.proof)] = _short(answer.proof, result, about[id(answer.proof)], budget)
            answer = replace(answer, proof=made[id(answer.proof)])
        answers.append((target, answer))
    return replace(result, answers=tuple(answers))


def _has_invariants(answer: Answer) -> bool:
    if not isinstance(answer, Unreachable) or not answer.checked or answer.bound is not None:
        return False
    proof = answer.proof
    return isinstance(proof.inner if isinstance(proof, RegionProof) else proof, Invariants)


def _short(proof: Proof | None, result: Result, targets: Sequence[Target], budget: Budget) -> Proof:
    """Return a proof that says less, or the same one."""
    from knaster.checkers.checked import check_excludes
    from knaster.decide.shortening.shorten import shorten

    if isinstance(proof, Invariants):
        return shorten(proof, targets, _excluded_lapses(proof, budget), budget)
    assert isinstance(proof, RegionProof)
    reduced = reduce_memory(result.program, proof.asked)
    own = [target for target, original in reduced.targets if original is None or original in targets]
    short = RegionProof(proof.program, proof.asked, shorten(proof.inner, own, (), budget))
    if short.inner is not proof.inner:
        check_excludes(short, result.program, targets, budget)
    return short


def _excluded_lapses(proof: Invariants, budget: Budget) -> list[Target]:
    """Return the steps that C may leave undefined and that a proof excludes."""
    from knaster.decide.conclusions.lapses_left import lapses_left
    from knaster.evidence.questions.undefined_steps import Lapses

    every = Lapses(proof.program).all()
    left = lapses_left(every, proof, budget) if every else set()
    return [
        Target(lapse.what, *lapse.place, lapse.line, condition=lapse.condition)
        for lapse in every
        if lapse.condition is not None and lapse not in left
    ]
