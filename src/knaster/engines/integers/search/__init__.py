"""Runs on chosen inputs: a target that one of them reaches, or a run that comes back to where it was.

`engine` explores, `memory` programs with memory; calls are tabulated by `semantics/tabulation`, of which
`tabulation_traces` of the floor makes runs.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import NO_FORMULAS, OF_C, SEQUENTIAL


class SearchOptions(Options):
    """Runs on chosen inputs."""

    runs: int = option(100_000, "give up beyond so many states at which runs meet")


CARD = Card(
    "search",
    "C: runs on chosen inputs",
    requires=(SEQUENTIAL, OF_C, NO_FORMULAS),
    run="knaster.engines.integers.search.engine:search",
    options=SearchOptions,
)
