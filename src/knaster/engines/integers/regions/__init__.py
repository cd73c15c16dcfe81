"""C with memory as a program over integers: pointers become numbers, and the engines for integers answer.

After L. O. Andersen's points-to analysis and the regions of C. Lattner and V. Adve.  `transform.regions` makes the
program, `engine` asks `portfolio` about it and takes what it finds back to the program with memory; `parts` asks about
the parts of a larger program that targets depend on.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.integers import UNITS
from knaster.engines.requirements import MEMORY, NO_FORMULAS, SEQUENTIAL


class RegionOptions(Options):
    """C with memory as a program over integers."""

    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


CARD = Card(
    "regions",
    "C with memory: pointers become numbers, then as C over integers",
    paper="Andersen, *Program Analysis and Specialization for the C Programming Language* (thesis, 1994)",
    requires=(SEQUENTIAL, MEMORY, NO_FORMULAS),
    run="knaster.engines.integers.regions.engine:regions",
    options=RegionOptions,
)
