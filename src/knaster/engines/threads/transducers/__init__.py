"""What the contexts of tiny recursive threads make of stacks: transducers, composed one after the other.

A. Lal, T. Touili, N. Kidd and T. Reps, Interprocedural Analysis of Concurrent Programs Under a Context Bound (TACAS
2008); Lal's thesis, chapter 6.  `engine` composes transducers of `pushdown/transducers`; the program as pushdown
systems, and the traces, are `pushdown_systems` and `pushdown_traces` of the floor.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import (
    BOOLEAN,
    NO_HEAP,
    NO_ROUNDS,
    NO_STARTS,
    PLACES_ONLY,
    REACH,
    SETTLED,
    THREADS,
    pairs_at_most,
)


class TransducersOptions(Options):
    """Transducers of the contexts of threads, all values explicit."""

    rules: int = option(20_000, "give up beyond so many rules of the pushdown systems")


CARD = Card(
    "transducers",
    "what contexts make of stacks, for tiny threads (Lal)",
    paper=(
        "Lal, *Interprocedural Analysis and the Verification of Concurrent Programs* (PhD thesis, University "
        "of Wisconsin, 2009)"
    ),
    requires=(THREADS, NO_HEAP, REACH, SETTLED, BOOLEAN, PLACES_ONLY, NO_ROUNDS, NO_STARTS, pairs_at_most(4_000)),
    run="knaster.engines.threads.transducers.engine:transducers",
    options=TransducersOptions,
    grows=True,
)
