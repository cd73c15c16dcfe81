"""Threads of C as one sequential program of all their interleavings, for every number of switches.

R. Lipton, Reduction: A Method of Proving Properties of Parallel Programs (CACM 1975), says where threads need not be
interrupted.  `transform.memory_threads` makes the program; `engine` asks the methods for integers about it
(`portfolio`) and takes what they find back to the threads.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.integers import UNITS
from knaster.engines.requirements import MEMORY, REACH, UNBOUNDED, threads_for


class InterleavedOptions(Options):
    """All interleavings as one program over integers."""

    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


CARD = Card(
    "interleaved",
    "threads of C: all interleavings as one program over integers",
    paper="Lipton, *Reduction: A Method of Proving Properties of Parallel Programs* (CACM 1975)",
    requires=(threads_for("it reduces threads to a sequential program"), MEMORY, REACH, UNBOUNDED),
    run="knaster.engines.integers.interleaved.engine:interleaved",
    options=InterleavedOptions,
    grows=True,
)
