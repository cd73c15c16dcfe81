"""Runs that never end although no state comes back: a recurrent set around a state that a run reaches.

A. Gupta, T. A. Henzinger, R. Majumdar, A. Rybalchenko and R.-G. Xu, Proving Non-termination (POPL 2008); H. Y. Chen, B.
Cook, C. Fuhs, K. Nimkar and P. O'Hearn, Proving Nontermination via Safety (TACAS 2014).  `engine` is all of it.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import INTEGERS, SEQUENTIAL, TERMINATION


class RecurrenceOptions(Options):
    """Sets of states to which a run can always come back."""

    units: int = option(20_000_000, "give up beyond so many resource units of z3, seconds")


CARD = Card(
    "recurrence",
    "C: sets of states to which a run can always come back",
    paper="Gupta, Henzinger, Majumdar, Rybalchenko and Xu, *Proving Non-termination* (POPL 2008)",
    requires=(SEQUENTIAL, INTEGERS, TERMINATION),
    run="knaster.engines.integers.recurrence.engine:recurrence",
    options=RecurrenceOptions,
)
