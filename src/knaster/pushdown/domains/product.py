"""Pairs of weights: two analyses in one run.

All operations work component by component.  A pair with one zero component is *not* made zero as a whole, since extend
would then no longer distribute over combine; the analyses do not sharpen each other.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.pushdown.semiring import Semiring, difference, is_distributive, require_weight, star

A = TypeVar("A")
B = TypeVar("B")


class Product(Generic[A, B]):
    """Weights are pairs of a weight of `first` and a weight of `second`."""

    def __init__(self, first: Semiring[A], second: Semiring[B]) -> None:
        self.first = first
        self.second = second
        self.zero = (first.zero, second.zero)
        self.one = (first.one, second.one)
        self.distributive = is_distributive(first) and is_distributive(second)

    def combine(self, left: tuple[A, B], right: tuple[A, B]) -> tuple[A, B]:
        """Return the combine in each component."""
        return self.first.combine(left[0], right[0]), self.second.combine(left[1], right[1])

    def extend(self, left: tuple[A, B], right: tuple[A, B]) -> tuple[A, B]:
        """Return the extend in each component."""
        return self.first.extend(left[0], right[0]), self.second.extend(left[1], right[1])

    def star(self, weight: tuple[A, B]) -> tuple[A, B]:
        """Return the star in each component."""
        return star(self.first, weight[0]), star(self.second, weight[1])

    def diff(self, new: tuple[A, B], old: tuple[A, B]) -> tuple[A, B]:
        """Return the difference in each component."""
        return difference(self.first, new[0], old[0]), difference(self.second, new[1], old[1])

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a pair of weights of the two domains."""
        if not (isinstance(weight, tuple) and len(weight) == 2):
            return False
        try:
            require_weight(self.first, weight[0])
            require_weight(self.second, weight[1])
        except UsageError:
            return False
        return True
