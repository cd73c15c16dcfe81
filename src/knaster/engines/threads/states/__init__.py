"""Sets of configurations of threads that do not recurse, one switch (or one round) after the other.

S. Qadeer and J. Rehof, Context-Bounded Model Checking of Concurrent Software (TACAS 2005); sets as BDDs: J. R. Burch
and others, Symbolic Model Checking: 10^20 States and Beyond (LICS 1990).  `engine` is the exploration level by level,
`steps` what each step does to sets, `points` sets by where a thread stands, `deadlock` where nobody can move, `traces`
the way back to a run.  Termination and formulas: `endless`, on `product` (threads beside an automaton; `letters`,
`abilities`), by `removals` (E. A. Emerson and C.-L. Lei, LICS 1986), with runs by `lassos`.
"""

from __future__ import annotations

from knaster.engines.card import Card
from knaster.engines.requirements import (
    BOOLEAN_OR_FLAT,
    DECIDABLE_DEADLOCK,
    NO_RECURSION,
    REACH_OR_RUNS,
    SETTLED,
    THREADS,
    points_at_most,
)

CARD = Card(
    "states",
    "sets of configurations of threads",
    paper="Qadeer and Rehof, *Context-Bounded Model Checking of Concurrent Software* (TACAS 2005)",
    requires=(
        REACH_OR_RUNS,
        SETTLED,
        BOOLEAN_OR_FLAT,
        THREADS,
        NO_RECURSION,
        points_at_most(100_000),
        DECIDABLE_DEADLOCK,
    ),
    run="knaster.engines.threads.states.engine:states",
    reduce="knaster.transform.flat_models.flatten:flatten_model",
    grows=True,
)
