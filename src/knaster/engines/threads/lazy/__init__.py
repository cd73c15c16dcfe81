"""Threads under a bound, context by context: only shared states that are handed over occur.

A. Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin,
2009), section 7.6.  `engine` hands shared states over, `schedules` says which schedules occur; steps, calls
and returns inside a context are those of `views/summaries/path_edges`;
`transform/threads/thread_view` is the program that a thread sees, `views/summaries/scheduled_trace` finds the traces.
"""

from __future__ import annotations

from knaster.engines.card import Card
from knaster.engines.requirements import BOOLEAN_OR_FLAT, PLACES_ONLY, REACH, SETTLED, threads_for

CARD = Card(
    "lazy",
    "threads, context by context (Lal and Reps)",
    paper=(
        "Lal, *Interprocedural Analysis and the Verification of Concurrent Programs* (PhD thesis, University "
        "of Wisconsin, 2009)"
    ),
    missing=("DDVERIFY's drivers (7.7), whose models are not published",),
    requires=(threads_for("it follows threads"), REACH, SETTLED, BOOLEAN_OR_FLAT, PLACES_ONLY),
    run="knaster.engines.threads.lazy.engine:lazy",
    reduce="knaster.transform.flat_models.flatten:flatten_model",
    grows=True,
)
