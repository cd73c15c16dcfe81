"""Shortest paths and their number: the length of a shortest path together with the shortest paths themselves.

The obvious pair (length, number of shortest paths) is *no* idempotent semiring: a + a would double the number, and
saturation, which may add the same path twice, would count it twice.  Here a weight holds the paths as words of labels,
so that union forgets duplicates; the number is the size of the set.  A set never grows beyond `limit` words: the first
ones in shortlex order (shorter words first, then alphabetical) are kept.  That order survives concatenation on either
side, so the first words of a concatenation come from the first words of its parts, and all semiring laws stay exact.

Notation: a weight is (n, X), X a non-empty set of words, all of paths of length n; 0 is (∞, ∅), 1 is (0, {ε}).
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import merge
from itertools import islice, pairwise, product
from math import inf

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.semiring import star_by_differences

Word = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shortest:
    """The length of a shortest path and the first such paths, in shortlex order."""

    length: Length
    words: tuple[Word, ...]

    def __repr__(self) -> str:
        if not self.words:
            return "0"
        shown = ", ".join(" ".join(word) or "ε" for word in self.words[:8])
        return f"{self.length}: {{{shown}{', …' if len(self.words) > 8 else ''}}}"


class ShortestPaths:
    """Weights are sets of equally long labelled paths; only the shortest survive a combine."""

    zero = Shortest(inf, ())
    one = Shortest(0, ((),))

    def __init__(self, limit: int = 1000) -> None:
        if limit < 1:
            raise UsageError(f"the limit on kept paths must be at least 1, not {limit}")
        self.limit = limit

    def step(self, label: str, length: int = 1) -> Shortest:
        """Return the weight of one rule: a path of one label."""
        if length < 0:
            raise UsageError(f"the length of a step must not be negative, and {label!r} has {length}")
        return Shortest(length, ((label,),))

    def count(self, weight: Shortest) -> int:
        """Return how many shortest paths there are; `limit` means at least that many."""
        return len(weight.words)

    def combine(self, first: Shortest, second: Shortest) -> Shortest:
        """Return the shorter one; of two equally long ones the union."""
        if first.length != second.length:
            return first if first.length < second.length else second
        if first.words == second.words:
            return first
        return Shortest(first.length, self._first(merge(first.words, second.words, key=_shortlex)))

    def extend(self, first: Shortest, second: Shortest) -> Shortest:
        """Return every concatenation, lengths added."""
        if not first.words or not second.words:
            return self.zero
        words = sorted((left + right for left, right in product(first.words, second.words)), key=_shortlex)
        return Shortest(first.length + second.length, self._first(words))

    def star(self, weight: Shortest) -> Shortest:
        """Return 1, unless the paths have length 0: then every repetition is as short."""
        return self.one if weight.length > 0 else star_by_differences(self, weight)

    def diff(self, new: Shortest, old: Shortest) -> Shortest:
        """Return the words of old + new that `old` does not have."""
        if new.length != old.length:
            return new if new.length < old.length else self.zero
        known = set(old.words)
        fresh = tuple(word for word in self.combine(new, old).words if word not in known)
        return Shortest(new.length, fresh) if fresh else self.zero

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a set of paths within the limit, in order."""
        if not isinstance(weight, Shortest) or not MinPath().owns(weight.length):
            return False
        keys = [_shortlex(word) for word in weight.words]
        ordered = all(left < right for left, right in pairwise(keys))
        return ordered and len(keys) <= self.limit and (weight.length == inf) == (not keys)

    def _first(self, words: Iterable[Word]) -> tuple[Word, ...]:
        """Return the first `limit` distinct words of an ordered sequence."""
        return tuple(islice(dict.fromkeys(words), self.limit))


def _shortlex(word: Word) -> tuple[int, Word]:
    return len(word), word
