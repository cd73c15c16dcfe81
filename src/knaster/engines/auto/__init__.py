"""The method that fits a program: for C several in turn, for references by threads and by the size of patterns.

`engine` chooses; the turns for C are `engines/integers/portfolio`, those for C with memory `memory_methods`,
for its threads `thread_methods`.
"""

from __future__ import annotations

from knaster.base.options import option
from knaster.engines.card import Card
from knaster.engines.explicit import ExplicitOptions
from knaster.engines.integers import UNITS
from knaster.engines.requirements import (
    INTEGERS_OR_REFERENCES,
    NO_ROUNDS,
    REACH_OR_THREADS,
    SEQUENTIAL_OR_THREADS_OF_C,
    of_others,
    of_references,
)


class AutomaticOptions(ExplicitOptions):
    """The choices of whichever method is chosen, for a program with references or for C."""

    edges: int = option(10_000, "one thread: where one call has more path edges, start again with 'visible'")
    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


CARD = Card(
    "auto",
    "the method that fits the program",
    requires=(
        of_references(NO_ROUNDS, REACH_OR_THREADS),
        of_others(SEQUENTIAL_OR_THREADS_OF_C, INTEGERS_OR_REFERENCES),
    ),
    run="knaster.engines.auto.engine:auto",
    options=AutomaticOptions,
    schedules=True,
    grows=True,
)
