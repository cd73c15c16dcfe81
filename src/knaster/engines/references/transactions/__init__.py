"""Threads that recurse: summaries inside transactions.

S. Qadeer, S. K. Rajamani and J. Rehof, Summarizing Procedures in Concurrent Programs (POPL 2004), over the heaps of
S. Qadeer and S. K. Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), section 7.

In reading order: `lock_texts`, `channel_texts` and `discipline` (which data a lock protects, as long as nobody is seen
without it; which channels have one sender or one receiver, as long as no other is seen), `movers` (which steps
commute), `derivation` (roots, nodes, effects, cuts), `renaming` (what a callee sees of the heap), `walk` (one procedure
inside a transaction), `boundary_states` (all threads between transactions), `summaries` (the fixed point inside),
`search` (the one between), `runs` (from derivations to decisions), `engine` (findings).
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import (
    NO_CALLS_IN_WAITS,
    REACH,
    REFERENCES_OR_REFERRED,
    SETTLED,
    UNBOUNDED,
    of_others,
    threads_for,
)

FOR_THREADS = threads_for("of Boolean programs it checks those with threads")


class TransactionOptions(Options):
    """Summaries inside transactions."""

    states: int = option(20_000, "give up beyond so many states between transactions")
    edges: int = option(100_000, "give up where one call has more path edges")
    calls: int = option(100_000, "give up beyond so many different calls")


CARD = Card(
    "transactions",
    "threads: summaries of calls inside transactions (references; Boolean programs)",
    paper="Qadeer, Rajamani and Rehof, *Summarizing Procedures in Concurrent Programs* (POPL 2004)",
    missing=("patterns inside transactions",),
    requires=(REACH, UNBOUNDED, SETTLED, of_others(FOR_THREADS), REFERENCES_OR_REFERRED, NO_CALLS_IN_WAITS),
    run="knaster.engines.references.transactions.engine:transactions",
    grows=True,
    reduce="knaster.transform.reference_models.reference_model:reference_model",
    options=TransactionOptions,
)
