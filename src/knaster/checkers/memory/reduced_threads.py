"""The check of a proof about threads of C by the sequential program that they are reduced to: that is made again.

That the sequential program reaches what the threads reach, within the bound where there is one, is the reduction's
promise (`transform.memory_threads`), which tests compare with every interleaving.  Places where it knows nothing must
be excluded, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import InternalError
from knaster.base.lazy import load_named
from knaster.base.limits import Budget
from knaster.evidence.proofs.memory.reduced_threads import ReducedThreads, reduce_threads
from knaster.evidence.proofs.memory.regions import REFUSED
from knaster.evidence.questions.question import Target
from knaster.program.model import Program


def check_reduced_threads(proof: ReducedThreads, program: Program, targets: Iterable[Target], budget: Budget) -> str:
    """Raise `InternalError` where a proof does not show that no target is reachable, within its bound if it has one."""
    from knaster.checkers.checked import check_excludes

    excluded = set(targets)
    if proof.program != program:
        raise InternalError("the proof is of another program")
    if not excluded <= set(proof.asked):
        raise InternalError("the proof is about other targets")
    try:
        reduced = reduce_threads(program, proof.asked, proof.bound)
    except load_named(REFUSED) as refused:
        raise InternalError(f"the threads are not made one program: {refused}") from None
    if reduced.program != proof.inner.program:
        raise InternalError("the proof is of another sequential program")
    own = [target for target, original in reduced.targets if original is None or original in excluded]
    return check_excludes(proof.inner, proof.inner.program, own, budget).how
