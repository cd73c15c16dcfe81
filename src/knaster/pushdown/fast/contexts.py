"""What lies below the top of the stack: expressions for all ways from a state of an answer to a final state.

path_summary of Lal (PhD thesis, University of Wisconsin, 2009), section 2.4.1, by path expressions.  The states of the
answer are the vertices of a second graph, in which paths start at the final states; a transition q → q' is an edge from
q' to q.  Its label is a variable of its own, so that the graph stays the same when only weights change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from knaster.pushdown.fast.expression import EMPTY, EPSILON, Expressions
from knaster.pushdown.fast.paths import PathExpressions
from knaster.pushdown.fast.regions import ROOT, Edge

W = TypeVar("W")


class Contexts(Generic[W]):
    """For every state the combined weight of all ways from it to a final state, as an expression."""

    def __init__(
        self,
        arrows: Iterable[tuple[int, int, int]],
        final: Iterable[int],
        expressions: Expressions[W],
        paths: PathExpressions,
    ) -> None:
        """Take the transitions as (source, target, vertex), without those on the empty word, and a solver for paths."""
        self._place: dict[int, int] = {}
        place = self._place
        edges: list[Edge] = []
        for source, target, vertex in arrows:
            above, below = place.setdefault(source, len(place)), place.setdefault(target, len(place))
            edges.append((below, above, expressions.variable(vertex)))
        for state in final:
            edges.append((ROOT, place.setdefault(state, len(place)), EPSILON))
        self._paths = paths
        self._paths.solve(range(len(place)), edges)

    def expression(self, state: int) -> int:
        """Return the expression of a state; ∅ where no final state can be reached."""
        place = self._place.get(state)
        return EMPTY if place is None else self._paths.expression(place)
