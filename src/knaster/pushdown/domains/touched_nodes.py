"""Weights that say which nodes paths touch and how long they are; only what no other path beats is kept.

The domain of the path optimisation BTRACE, as Lal (2009), section 4.3, describes its queries.  A weight is a set of
(touched nodes, length); a pair is dropped if another one touches all its nodes and more, or the same, and is no longer.
Whatever precedes or follows, a dropped pair stays beaten, so the semiring laws hold.

A weight can have as many pairs as there are sets of nodes of which none contains another: choose few nodes.

Notation: nodes are numbered; a set of nodes is an integer, bit i for node i.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from knaster.base.errors import UsageError
from knaster.base.records import dataclass

SHOWN = 8  # pairs in a printed weight


@dataclass(frozen=True, slots=True)
class Touched:
    """Pairs (nodes, length) of which none is beaten, shortest first."""

    pairs: tuple[tuple[int, int], ...]

    def __repr__(self) -> str:
        shown = ", ".join(f"{nodes:b}: {length}" for nodes, length in self.pairs[:SHOWN])
        return f"{{{shown}{', …' if len(self.pairs) > SHOWN else ''}}}"


class Touching:
    """Weights tell which of `nodes` paths touch and how long they are; 0 is no path, 1 the empty path."""

    zero = Touched(())
    one = Touched(((0, 0),))

    def __init__(self, nodes: Iterable[Hashable]) -> None:
        self.nodes = tuple(dict.fromkeys(nodes))
        self._bit = {node: 1 << number for number, node in enumerate(self.nodes)}

    def step(self, node: Hashable, length: int = 1) -> Touched:
        """Return the weight of one rule that leaves `node`, which may or may not be one of the nodes."""
        if length < 0:
            raise UsageError(f"the length of a step must not be negative, and {node!r} has {length}")
        return Touched(((self._bit.get(node, 0), length),))

    def combine(self, first: Touched, second: Touched) -> Touched:
        """Return the union, without what is beaten."""
        if first.pairs == second.pairs or not second.pairs:
            return first
        if not first.pairs:
            return second
        return _unbeaten({*first.pairs, *second.pairs})

    def extend(self, first: Touched, second: Touched) -> Touched:
        """Return every path of `first` followed by every path of `second`."""
        if len(first.pairs) == len(second.pairs) == 1:
            (left, length), (right, more) = first.pairs[0], second.pairs[0]
            return Touched(((left | right, length + more),))
        pairs = {(left | right, length + more) for left, length in first.pairs for right, more in second.pairs}
        return _unbeaten(pairs)

    def diff(self, new: Touched, old: Touched) -> Touched:
        """Return the pairs of `new` that `old` does not beat."""
        return Touched(tuple(pair for pair in new.pairs if not _is_beaten(pair, old.pairs)))

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a set of pairs over these nodes."""
        everything = (1 << len(self.nodes)) - 1
        return isinstance(weight, Touched) and all(
            nodes & ~everything == 0 and length >= 0 for nodes, length in weight.pairs
        )

    def best(self, weight: Touched) -> tuple[int, int] | None:
        """Return the pair with the most nodes, of those the shortest; None where there is no path."""
        return min(weight.pairs, key=lambda pair: (-pair[0].bit_count(), pair[1], pair[0]), default=None)

    def name_nodes(self, nodes: int) -> tuple[Hashable, ...]:
        """Return the nodes of a set by name."""
        return tuple(node for node in self.nodes if nodes & self._bit[node])


def _is_beaten(pair: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    nodes, length = pair
    return any(nodes & ~more == 0 and shorter <= length for more, shorter in others)


def _unbeaten(pairs: set[tuple[int, int]]) -> Touched:
    """Return the pairs that no other one beats; shorter ones first, and of equally long ones those with more nodes."""
    kept: list[tuple[int, int]] = []
    for nodes, length in sorted(pairs, key=lambda pair: (pair[1], -pair[0].bit_count(), pair[0])):
        for more, _ in kept:
            if nodes & ~more == 0:
                break
        else:
            kept.append((nodes, length))
    return Touched(tuple(kept))
