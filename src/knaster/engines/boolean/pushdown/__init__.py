"""A Boolean program as an extended weighted pushdown system, decided by saturation.

A. Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin,
2009), chapters 3 to 5.  `rules` is the program as a system, whose weights are relations on BDDs; `engine` asks post* or
pre* of the library `knaster.pushdown` about the targets; `error_places` is its error projection, for `knaster project`.
`repeating` decides termination and formulas by heads that repeat.
"""

from __future__ import annotations

from knaster.base.options import option
from knaster.engines.card import Card, SymbolicOptions
from knaster.engines.requirements import BOOLEAN, NO_HEAP, NO_THREAD_STATEMENTS, SEQUENTIAL


class PushdownOptions(SymbolicOptions):
    """Saturation of a weighted pushdown system."""

    direction: str = option("post", "forward from the start, or backward from the targets", ("post", "pre"))
    fast: bool = option(False, "solve by path expressions instead of one rule at a time")


CARD = Card(
    "pushdown",
    "saturation of a weighted pushdown system",
    paper=(
        "Lal, *Interprocedural Analysis and the Verification of Concurrent Programs* (PhD thesis, University "
        "of Wisconsin, 2009)"
    ),
    requires=(NO_HEAP, SEQUENTIAL, NO_THREAD_STATEMENTS, BOOLEAN),
    run="knaster.engines.boolean.pushdown.engine:pushdown",
    options=PushdownOptions,
)
