"""Procedures as Horn clauses, decided by Spacer: a run into a target, or invariants that exclude it.

A. Komuravelli, A. Gurfinkel and S. Chaki, SMT-based Model Checking for Recursive Programs (CAV 2014).  `engine` asks in
stages, `attempt` asks once, `clauses` is the program as Horn clauses, `models` reads models as invariants, `runs` makes
runs of derivations; what runs tell of calls and loops is `inference` of the floor.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.integers import UNITS
from knaster.engines.requirements import INTEGERS, REACH, SEQUENTIAL


class HornOptions(Options):
    """Horn clauses, decided by Spacer."""

    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


CARD = Card(
    "horn",
    "C: invariants and summaries by Horn clauses (Spacer)",
    paper="Komuravelli, Gurfinkel and Chaki, *SMT-based Model Checking for Recursive Programs* (CAV 2014)",
    requires=(SEQUENTIAL, INTEGERS, REACH),
    run="knaster.engines.integers.horn.engine:horn",
    options=HornOptions,
)
