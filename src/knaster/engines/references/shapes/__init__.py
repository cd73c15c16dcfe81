"""Lists of any length in C: shapes that stand for all states, with summaries of calls.

A shape is a graph of objects and segments of lists (`semantics/memory/shapes`); the machine of all runs takes its
steps.  `exploration` is the fixed point, `ways` are the ways on from one shape to the next, `folding` makes segments of
what a loop builds, `engine` makes findings of it.  Data are numbers of which few are told apart; a target that a shape
comes to may be reached or not, so this method only proves.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import MEMORY, REACH, SEQUENTIAL


class ShapeOptions(Options):
    """Shapes of a program with memory."""

    shapes: int = option(5_000, "C with memory, 'shapes': give up beyond so many shapes")


CARD = Card(
    "shapes",
    "C with memory: lists of any length by shapes of the heap (only proves)",
    paper="Rinetzky, Sagiv and Yahav, *Interprocedural Shape Analysis for Cutpoint-Free Programs* (SAS 2005)",
    missing=("cutpoint-freeness is not required: objects to which the caller leads are variables of the callee",),
    requires=(REACH, SEQUENTIAL, MEMORY),
    run="knaster.engines.references.shapes.engine:shapes",
    options=ShapeOptions,
    decides=False,
)
