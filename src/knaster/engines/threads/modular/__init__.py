"""A proof of one thread at a time, under all that the others can do, for every number of switches.

C. Flanagan, S. N. Freund and S. Qadeer, Thread-Modular Verification for Shared-Memory Programs (ESOP 2002); C. Flanagan
and S. Qadeer, Thread-Modular Model Checking (SPIN 2003).  `engine` is the fixed point over the threads, `guarantee`
what others see of a thread's steps, `ghosts` the program whose threads remember what others saw last.  For threads of
C `threads_of_c` asks Spacer for guarantees and invariants, `thread_clauses` are the Horn clauses.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.integers import UNITS
from knaster.engines.requirements import FLAT_OR_THREADS_OF_C, NO_CALL_FOR_LOCK, REACH, SETTLED, THREADS


class ModularOptions(Options):
    """One thread at a time, under all that the others can do."""

    visits: int = option(20_000, "give up beyond so many steps of a worklist")
    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


CARD = Card(
    "modular",
    "a proof of one thread at a time, for every number of switches",
    paper="Flanagan, Freund and Qadeer, *Thread-Modular Verification for Shared-Memory Programs* (ESOP 2002)",
    requires=(THREADS, NO_CALL_FOR_LOCK, REACH, SETTLED, FLAT_OR_THREADS_OF_C),
    run="knaster.engines.threads.modular.engine:modular",
    reduce="knaster.transform.flat_models.flatten:flatten_model",
    options=ModularOptions,
    decides=False,
    grows=True,
)
