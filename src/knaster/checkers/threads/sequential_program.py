"""The check of a proof about threads by the sequential program for a bound: that program is made again, and its proof.

That the sequential program reaches what the threads reach within the bound is the reduction's promise
(`transform.threads.sequentialize`), which tests compare with the interpreter of threads.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.path_edges import check_path_edges
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.proofs.threads.sequential_program import SequentialProof, reduce_threads
from knaster.evidence.questions.question import Bound, Target
from knaster.program.model import Program


def check_sequential_program(
    proof: SequentialProof, program: Program, targets: Iterable[Target], budget: Budget
) -> None:
    """Raise `InternalError` where a proof does not show that no target is reachable within its bound."""
    if proof.program != program:
        raise InternalError("the proof is of another program")
    excluded = set(targets)
    if not excluded <= set(proof.asked):
        raise InternalError("the proof is about other targets")
    reduction = reduce_threads(program, proof.asked, proof.bound)
    reduced = proof.certificate.program
    if reduced != reduction.program:
        raise InternalError("the proof is of another sequential program")
    own = [target for target, original in reduction.targets.items() if original in excluded]
    check_path_edges(proof.certificate, reduced, own, budget)


def find_sequential_proof(
    program: Program, asked: tuple[Target, ...], bound: Bound, certificate: Certificate
) -> SequentialProof | None:
    """Return the proof about threads that a certificate of their sequential program is; None where it is of another."""
    reduced = reduce_threads(program, asked, bound).program
    return SequentialProof(program, bound, asked, certificate) if reduced == certificate.program else None
