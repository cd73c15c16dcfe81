"""Threads under a bound as one sequential program, which `summaries` decides.

A. Lal and T. Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008); Lal's thesis,
sections 7.1 and 7.2.  The program is written by `transform/threads/sequentialize`; there is no other file.
"""

from __future__ import annotations

from knaster.engines.boolean import SummariesOptions
from knaster.engines.card import Card
from knaster.engines.requirements import BOOLEAN, NO_STARTS_IN_ROUNDS, PLACES_ONLY, REACH, SETTLED, threads_for

CARD = Card(
    "eager",
    "threads as one sequential program (Lal and Reps)",
    paper=(
        "Lal, *Interprocedural Analysis and the Verification of Concurrent Programs* (PhD thesis, University "
        "of Wisconsin, 2009)"
    ),
    missing=("the general reduction (7.1) here: of C it is `rounds`",),
    requires=(
        threads_for("it reduces threads to a sequential program"),
        NO_STARTS_IN_ROUNDS,
        REACH,
        SETTLED,
        BOOLEAN,
        PLACES_ONLY,
    ),
    run="knaster.engines.boolean.summaries.engine:summaries",
    options=SummariesOptions,
    reduce="knaster.transform.threads.sequentialize:sequentialize",
)
