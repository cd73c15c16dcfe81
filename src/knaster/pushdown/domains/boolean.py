"""The Boolean domain: is there a path at all?

Lal (2009), Definition 2.4.12.  With it, weighted reachability is plain reachability.
"""

from __future__ import annotations


class Boolean:
    """Weights are truth values: combine is or, extend is and."""

    zero = False
    one = True

    def combine(self, first: bool, second: bool) -> bool:
        """Return first ∨ second."""
        return first or second

    def extend(self, first: bool, second: bool) -> bool:
        """Return first ∧ second."""
        return first and second

    def star(self, weight: bool) -> bool:
        """Return true: the empty path is always there."""
        return True

    def diff(self, new: bool, old: bool) -> bool:
        """Return new ∧ ¬old."""
        return new and not old

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a truth value."""
        return isinstance(weight, bool)
