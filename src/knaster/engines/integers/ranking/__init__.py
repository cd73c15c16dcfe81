"""Measures that decrease in every loop and recursion: every run ends.

L. Gonnord, D. Monniaux and G. Radanne, Synthesis of Ranking Functions using Extremal Counterexamples (PLDI 2015).
`engine` looks for a proof, `measures` finds lexicographic measures from counterexamples; the invariants that it needs
come from `inference` of the floor.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import INTEGERS, SEQUENTIAL, TERMINATION


class RankingOptions(Options):
    """Measures that decrease."""

    units: int = option(60_000_000, "give up beyond so many resource units of z3, about a minute")


CARD = Card(
    "ranking",
    "C: measures that decrease in every loop",
    paper=(
        "Gonnord, Monniaux and Radanne, *Synthesis of Ranking Functions using Extremal Counterexamples* (PLDI 2015)"
    ),
    requires=(SEQUENTIAL, INTEGERS, TERMINATION),
    run="knaster.engines.integers.ranking.engine:ranking",
    options=RankingOptions,
)
