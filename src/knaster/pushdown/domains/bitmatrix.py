"""Relations on a small set of states, as bit-matrices: one Python integer per row.

Lal (2009), Definition 2.4.13; the scope change is the project function of section 3.5.1, repaired so that the caller's
locals have nothing to do with the callee's initial ones:
project(w) = {(g1, l, g2, l) | (g1, l1, g2, l2) ∈ w for some l1, l2; l any local state}.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from knaster.base.errors import UsageError

S = TypeVar("S", bound=Hashable)

SHOWN = 12  # pairs in a printed relation


class BitRelation(Generic[S]):
    """A relation: bit j of row i is set where states[i] is related to states[j]."""

    __slots__ = ("rows", "states")

    def __init__(self, states: tuple[S, ...], rows: tuple[int, ...]) -> None:
        self.states = states
        self.rows = rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BitRelation):
            return NotImplemented
        return self.rows == other.rows and (self.states is other.states or self.states == other.states)

    def __hash__(self) -> int:
        return hash(self.rows)

    def __len__(self) -> int:
        return sum(row.bit_count() for row in self.rows)

    def __iter__(self) -> Iterator[tuple[S, S]]:
        for state, row in zip(self.states, self.rows, strict=True):
            for column in bits(row):
                yield state, self.states[column]

    def __contains__(self, pair: object) -> bool:
        return any(pair == known for known in self)

    def image(self) -> frozenset[S]:
        """Return the states that the relation leads to."""
        reached = 0
        for row in self.rows:
            reached |= row
        return frozenset(self.states[column] for column in bits(reached))

    def __repr__(self) -> str:
        shown = ", ".join(f"{source}→{target}" for (source, target), _ in zip(self, range(SHOWN), strict=False))
        return f"{{{shown}{', …' if len(self) > SHOWN else ''}}}"


class BitRelations(Generic[S]):
    """Weights are relations on `states`: combine is union, extend is composition."""

    def __init__(self, states: Iterable[S]) -> None:
        self.states = tuple(states)
        self._index = {state: number for number, state in enumerate(self.states)}
        if len(self._index) < len(self.states):
            raise UsageError("the states of a relational domain must be distinct")
        self.zero = self._make([0] * len(self.states))
        self.one = self._make([1 << number for number in range(len(self.states))])

    def relation(self, pairs: Iterable[tuple[S, S]]) -> BitRelation[S]:
        """Return the relation that holds exactly the given pairs."""
        rows = [0] * len(self.states)
        for source, target in pairs:
            rows[self._number(source)] |= 1 << self._number(target)
        return self._make(rows)

    def function(self, step: Callable[[S], S | None]) -> BitRelation[S]:
        """Return the graph of a partial function; None where it is undefined."""
        pairs = ((state, step(state)) for state in self.states)
        return self.relation((source, target) for source, target in pairs if target is not None)

    def assume(self, condition: Callable[[S], bool]) -> BitRelation[S]:
        """Return the identity on the states that satisfy `condition`."""
        return self.relation((state, state) for state in self.states if condition(state))

    def combine(self, first: BitRelation[S], second: BitRelation[S]) -> BitRelation[S]:
        """Return the union."""
        return self._make([left | right for left, right in zip(first.rows, second.rows, strict=True)])

    def extend(self, first: BitRelation[S], second: BitRelation[S]) -> BitRelation[S]:
        """Return the composition, `first` before `second`."""
        images = second.rows
        memory: dict[int, int] = {0: 0}
        rows = []
        for row in first.rows:
            reached = memory.get(row)
            if reached is None:
                reached = memory[row] = _union(images, row)
            rows.append(reached)
        return self._make(rows)

    def star(self, weight: BitRelation[S]) -> BitRelation[S]:
        """Return the reflexive and transitive closure, by Warshall's algorithm."""
        rows = [row | 1 << number for number, row in enumerate(weight.rows)]
        for middle in range(len(rows)):
            bit, through = 1 << middle, rows[middle]
            rows = [row | through if row & bit else row for row in rows]
        return self._make(rows)

    def diff(self, new: BitRelation[S], old: BitRelation[S]) -> BitRelation[S]:
        """Return the pairs of `new` that `old` does not have."""
        return self._make([left & ~right for left, right in zip(new.rows, old.rows, strict=True)])

    def everything(self) -> BitRelation[S]:
        """Return the relation that holds between any two states."""
        return self._make([(1 << len(self.states)) - 1] * len(self.states))

    def transpose(self, weight: BitRelation[S]) -> BitRelation[S]:
        """Return the relation with its sides exchanged."""
        rows = [0] * len(self.states)
        for number, row in enumerate(weight.rows):
            for column in bits(row):
                rows[column] |= 1 << number
        return self._make(rows)

    def diagonal(self, weight: BitRelation[S]) -> BitRelation[S]:
        """Return the part of the relation that is in the identity."""
        return self._make([row & 1 << number for number, row in enumerate(weight.rows)])

    def tabulate(self, function: Callable[[BitRelation[S]], BitRelation[S]]) -> list[list[BitRelation[S]]]:
        """Return which pairs every single pair is mapped to: one call of the function for each."""
        return [[function(self.relation([(source, target)])) for target in self.states] for source in self.states]

    def pull(self, table: list[list[BitRelation[S]]], after: BitRelation[S]) -> BitRelation[S]:
        """Return the pairs that a tabulated function maps to some pair of `after`."""
        return self._make([_mask(n for n, image in enumerate(row) if _meet(image, after)) for row in table])

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a relation on the states of this domain."""
        return isinstance(weight, BitRelation) and weight.states == self.states

    def projection(self, split: Callable[[S], tuple[Hashable, Hashable]]) -> Callable[[BitRelation[S]], BitRelation[S]]:
        """Return project, which forgets what happened to locals and leaves them as they are.

        `split` takes a state apart into its global and its local half; every combination of halves must be a state.
        """
        halves = [split(state) for state in self.states]
        index = {half: number for number, half in enumerate(halves)}
        shared = list(dict.fromkeys(half[0] for half in halves))
        own = list(dict.fromkeys(half[1] for half in halves))
        if len(index) < len(halves) or len(shared) * len(own) != len(halves):
            raise UsageError("every combination of a global and a local half must be one state of the domain")
        block = {g: _mask(index[g, local] for local in own) for g in shared}

        def project(weight: BitRelation[S]) -> BitRelation[S]:
            rows = [0] * len(halves)
            for g1 in shared:
                reached = _union(weight.rows, block[g1])
                for g2 in shared:
                    if reached & block[g2]:
                        for local in own:
                            rows[index[g1, local]] |= 1 << index[g2, local]
            return self._make(rows)

        return project

    def _make(self, rows: list[int]) -> BitRelation[S]:
        return BitRelation(self.states, tuple(rows))

    def _number(self, state: S) -> int:
        try:
            return self._index[state]
        except KeyError:
            raise UsageError(f"{state!r} is no state of this relational domain") from None


def bits(word: int) -> Iterator[int]:
    """Yield the positions of the ones in `word`, lowest first."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low


def _union(rows: tuple[int, ...], selected: int) -> int:
    union = 0
    while selected:  # `bits`, spelled out: this is the inner loop of extend
        low = selected & -selected
        union |= rows[low.bit_length() - 1]
        selected ^= low
    return union


def _meet(first: BitRelation[S], second: BitRelation[S]) -> bool:
    return any(left & right for left, right in zip(first.rows, second.rows, strict=True))


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
