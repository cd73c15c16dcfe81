"""The check of a proof about threads of C, one at a time: the program of each thread is made again, its proof checked.

That threads which keep their guarantees, each in its own program, reach nothing else together is the argument of
`transform.memory_threads.guaranteed_threads`; that the threads over integers are those of C is trusted as for
`reduced_threads`.  Places where nobody knows what happens, and those where a guarantee is broken, must be excluded.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import InternalError
from knaster.base.lazy import load_named
from knaster.base.limits import Budget
from knaster.evidence.proofs.memory.guaranteed_threads import INNER, GuaranteedThreads, reduce_guaranteed
from knaster.evidence.proofs.memory.regions import REFUSED
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.question import Target
from knaster.program.model import Program


def check_guaranteed_threads(
    proof: GuaranteedThreads, program: Program, targets: Iterable[Target], budget: Budget
) -> str:
    """Raise `InternalError` where a proof does not show that no target is reachable; return how it was checked."""
    from knaster.checkers.checked import check_excludes

    excluded = set(targets)
    if proof.program != program:
        raise InternalError("the proof is of another program")
    if not excluded <= set(proof.asked):
        raise InternalError("the proof is about other targets")
    try:
        threads = reduce_guaranteed(program, proof.asked, proof.steps, proof.shows)
    except load_named(REFUSED) as refused:
        raise InternalError(f"threads are not looked at one by one: {refused}") from None
    if len(proof.inner) != len(threads):
        raise InternalError("not every thread has a proof")
    how: dict[str, None] = {}
    for thread, inner in zip(threads, proof.inner, strict=True):
        kind = kind_of(inner)
        if kind is None or kind.name not in INNER or inner.program != thread.program:
            raise InternalError("the proof of a thread is one of another program")
        how[check_excludes(inner, inner.program, thread.excluded(excluded), budget).how] = None
    return ", ".join(each for each in how if each)
