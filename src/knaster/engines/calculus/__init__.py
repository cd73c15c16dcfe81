"""A model checker written as a formula of the fixed-point calculus, given the relations of a program.

S. La Torre, P. Madhusudan and G. Parlato, Analyzing Recursive Programs using a Fixed-point Calculus (PLDI 2009). The
formulas are `summary.mu`, `entry_forward.mu` and `entry_forward_opt.mu` (section 4), and `reach.mu` for threads
(section 5); `fair.mu` decides termination and formulas of linear temporal logic (`endless`).  `engine` evaluates
one, `system` reads it; `templates` is what a formula is given as text, `relations` the same as BDDs; for threads
`threads` and `thread_relations`.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import BOOLEAN, NO_HEAP, NO_ROUNDS, PLACES_ONLY, REACH, SETTLED, of_threads


class CalculusOptions(Options):
    """A file of the fixed-point calculus."""

    algorithm: str = option(
        "entry-forward",
        "'summary', 'entry-forward', 'entry-forward-opt', or a file of your own; 'fair' for formulas; not for threads",
    )
    strategy: str = option("frontier", "how fixed points are computed", ("frontier", "together", "plain"))

    def in_force(self, threaded: bool) -> dict[str, object]:
        """Return what holds for a program: for threads there is one formula."""
        return {**Options.in_force(self, threaded), **({"algorithm": "reach"} if threaded else {})}


CARD = Card(
    "calculus",
    "a formula of the fixed-point calculus",
    paper=("La Torre, Madhusudan and Parlato, *Analyzing Recursive Programs using a Fixed-point Calculus* (PLDI 2009)"),
    missing=("temporal questions about programs with threads",),
    requires=(NO_HEAP, SETTLED, BOOLEAN, of_threads(REACH, PLACES_ONLY, NO_ROUNDS)),
    run="knaster.engines.calculus.engine:calculus",
    options=CalculusOptions,
)
