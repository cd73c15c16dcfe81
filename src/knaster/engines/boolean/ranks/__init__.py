"""Infinite runs of a sequential Boolean program that an automaton accepts: the fixed point of heads, and its ranks.

A. Gurfinkel, O. Wei, M. Chechik, Model checking recursive programs with exact predicate abstraction (ATVA 2008),
section 4: non-termination as a greatest fixed point, here with acceptance (E. A. Emerson, C.-L. Lei, 1986).  In
reading order: `heads` (the graph of heads over the summaries of the product), `fixpoint` (which of them begin an
accepted run, and the ranks of the others), `walk` (a cycle among them), `lassos` (the run of the program that it
stands for), `vacuity` (what never happens), `engine`.
"""

from __future__ import annotations

from knaster.engines.boolean import SummariesOptions
from knaster.engines.card import Card
from knaster.engines.requirements import ABOUT_RUNS, BOOLEAN, NO_HEAP, NO_THREAD_STATEMENTS, SEQUENTIAL

CARD = Card(
    "ranks",
    "infinite runs of a Boolean program as a greatest fixed point, ranks as proof",
    paper=(
        "Esparza, Hansel, Rossmanith and Schwoon, *Efficient Algorithms for Model Checking Pushdown Systems* (CAV 2000)"
    ),
    missing=("symbolic pre* of the heads: summaries are used instead",),
    requires=(ABOUT_RUNS, NO_HEAP, SEQUENTIAL, NO_THREAD_STATEMENTS, BOOLEAN),
    run="knaster.engines.boolean.ranks.engine:ranks",
    options=SummariesOptions,
)
