"""The check of a proof about a program with memory by its reduced program: that is made again, and its proof checked.

That the reduced program reaches what the program with memory reaches is the reduction's promise (`transform.regions`),
which tests compare with the interpreter of memory.  Places where the reduced program knows nothing must be excluded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knaster.base.errors import InternalError
from knaster.base.lazy import load_named
from knaster.base.limits import Budget
from knaster.evidence.proofs.memory.regions import REFUSED, RegionProof, reduce_memory
from knaster.evidence.questions.question import Target
from knaster.program.model import Program


def check_ending(proof: RegionProof, program: Program, budget: Budget) -> str:
    """Raise `InternalError` where a proof does not show that every run ends; return how it was checked."""
    from knaster.checkers.checked import check_ends

    reduced = _reduce_again(proof, program)
    if any(original is None for _, original in reduced.targets):
        raise InternalError("a run may come to a place where the reduced program knows nothing")
    return check_ends(proof.inner, proof.inner.program, budget).how


def _reduce_again(proof: RegionProof, program: Program) -> Any:
    """Return the reduced program; raise `InternalError` where it is not that of the proof."""
    if proof.program != program:
        raise InternalError("the proof is of another program")
    try:
        reduced = reduce_memory(program, proof.asked)
    except load_named(REFUSED) as refused:
        raise InternalError(f"the program is not reduced: {refused}") from None
    if reduced.program != proof.inner.program:
        raise InternalError("the proof is of another reduced program")
    return reduced


def check_regions(proof: RegionProof, program: Program, targets: Iterable[Target], budget: Budget) -> str:
    """Raise `InternalError` where a proof does not show that no target is reachable; return how it was checked."""
    from knaster.checkers.checked import check_excludes

    excluded = set(targets)
    if not excluded <= set(proof.asked):
        raise InternalError("the proof is about other targets")
    reduced = _reduce_again(proof, program)
    own = [target for target, original in reduced.targets if original is None or original in excluded]
    return check_excludes(proof.inner, proof.inner.program, own, budget).how
