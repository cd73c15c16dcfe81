"""Sets of stacks of small recursive threads, context by context, until no set of configurations is new.

S. Qadeer and J. Rehof (TACAS 2005); P. Liu and T. Wahl, CUBA: Interprocedural Context-Unbounded Analysis of Concurrent
Programs (PLDI 2018).  `engine` asks `pushdown/switching`; the program as pushdown systems, and what was found as traces
and as a proof, are `pushdown_systems` and `pushdown_traces` of the floor.  `lassos` decides termination and formulas
within a number of switches, on the systems of `paired_systems`.
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
    REACH_OR_RECURSIVE,
    SETTLED,
    THREADS,
    pairs_at_most,
)


class StacksOptions(Options):
    """Sets of stacks of threads, all values explicit."""

    rules: int = option(1_000_000, "give up beyond so many rules of the pushdown systems")


CARD = Card(
    "stacks",
    "sets of stacks of small recursive threads",
    paper="Liu and Wahl, *CUBA: Interprocedural Context-Unbounded Analysis of Concurrent Programs* (PLDI 2018)",
    requires=(
        THREADS,
        NO_HEAP,
        REACH_OR_RECURSIVE,
        SETTLED,
        BOOLEAN,
        PLACES_ONLY,
        NO_ROUNDS,
        NO_STARTS,
        pairs_at_most(200_000),
    ),
    run="knaster.engines.threads.stacks.engine:stacks",
    options=StacksOptions,
    grows=True,
)
