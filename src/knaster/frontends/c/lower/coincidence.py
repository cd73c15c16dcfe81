"""Whether two parts of a variable are the same one: their indices are compared (see `order/watching`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.frontends.c.lower.places import Place
from knaster.frontends.c.lower.values import both
from knaster.program.expression import FALSE, TRUE, Compare, Comparison, Const, Expr

if TYPE_CHECKING:
    from knaster.frontends.c.lower.expressions import Expressions


class Coincidence:
    """The places of one function that are compared."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions

    def remember(self, place: Place) -> Place:
        """Return a place whose indices stay the same."""
        copy = self.expressions.assignments.copy_index
        return Place(place.name, place.type, tuple(map(copy, place.indices)), place.span)

    def meet(self, one: Place, other: Place) -> Expr | None:
        """Return that two places are the same, or that one is a part of the other one."""
        found: Expr = TRUE
        for left, right in zip(one.indices, other.indices, strict=False):
            if not (isinstance(left, Const) and isinstance(right, Const)):
                found = both(found, Compare(Comparison.EQUAL, left, right))
            elif left != right:
                return FALSE
        return found


__all__ = ["Coincidence"]
