"""One state after the other, for small programs and for comparison.

`engine` for Boolean programs, with threads or without; `heap` for programs with references, every interleaving (T.
Andrews, S. Qadeer, S. K. Rajamani, J. Rehof and Y. Xie, Zing: A Model Checker for Concurrent Software, CAV 2004),
`renumbered_runs` the runs of threads that were sorted there, `heap_switches` the same within a number of switches,
`heap_schedules` within a number of delays or preemptions (`semantics.schedule_costs`), `heap_random` random runs,
`heap_fingerprints` with 64 bits for each state (`fingerprint_store`, `packed_states`).
`memory_threads` decides C with threads, `memory_lassos` whether its runs end.  `thread_lassos` decides termination and
formulas of other threads and of programs with references, on the pairs of `thread_product`; `heap_lassos` writes down
the runs of the latter.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import (
    BOOLEAN_OR_THREADS_OF_C,
    NO_ROUNDS,
    REACH_OR_THREADS,
    of_others,
    of_references,
)


class ExplicitOptions(Options):
    """One state after the other."""

    states: int = option(1_000_000, "give up beyond so many states")
    reduction: str = option(
        "local",
        "programs with references: 'local' lets a thread run on while nobody can notice, 'symmetry' also leaves out "
        "the order of threads, 'persistent' also lets one thread move alone where no other is concerned, 'all' both",
        ("local", "symmetry", "persistent", "all", "none"),
    )
    search: str = option(
        "breadth", "programs with references: the order in which states are looked at", ("breadth", "depth", "random")
    )
    random: int = option(0, "programs with references: take so many random runs instead of all")
    seed: int = option(1, "what random runs, and the search 'random', are drawn from")
    fingerprints: bool = option(False, "programs with references: keep 64 bits of each state; TRUE is no proof then")
    region: int = option(100_000, "programs with references: give up where an atomic region takes more steps")


CARD = Card(
    "explicit",
    "one state after the other, for small programs",
    paper="Andrews, Qadeer, Rajamani, Rehof and Xie, *Zing: A Model Checker for Concurrent Software* (CAV 2004)",
    requires=(of_references(NO_ROUNDS), REACH_OR_THREADS, of_others(BOOLEAN_OR_THREADS_OF_C)),
    run="knaster.engines.explicit.engine:explicit",
    options=ExplicitOptions,
    schedules=True,
    grows=True,
)
