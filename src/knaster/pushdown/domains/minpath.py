"""The min-path domain: how long is a shortest path?

Lal (2009), Definition 2.4.14.  Give every rule the weight 1 to count rules.  A better weight is a *smaller* number, so
ascending chains descend in the natural numbers and are finite although the domain has no bounded height.
"""

from __future__ import annotations

from math import inf

Length = int | float  # a natural number or infinity


class MinPath:
    """Weights are natural numbers and infinity: combine is minimum, extend is addition."""

    zero: Length = inf
    one: Length = 0

    def combine(self, first: Length, second: Length) -> Length:
        """Return the smaller one."""
        return first if first <= second else second

    def extend(self, first: Length, second: Length) -> Length:
        """Return the sum."""
        return first + second

    def star(self, weight: Length) -> Length:
        """Return 0: going round never makes a path shorter."""
        return 0

    def diff(self, new: Length, old: Length) -> Length:
        """Return `new` where it is shorter than `old`, else infinity."""
        return new if new < old else inf

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a natural number or infinity; negative lengths would break boundedness."""
        if isinstance(weight, bool):
            return False
        return weight == inf if isinstance(weight, float) else isinstance(weight, int) and weight >= 0
