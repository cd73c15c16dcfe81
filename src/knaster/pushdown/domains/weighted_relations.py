"""Weighted relations: a matrix over another domain, indexed by pairs of states.

Lal (2009), Definitions 2.4.15 and 2.4.16.  Over `MinPath` it gives a shortest path for every pair of states; over a
finite-state property's states it is the product of section 2.4.3.  The scope change is project of section 3.5.1,
repaired: absent pairs have the *inner* zero, and the sum runs over both local halves.

Only entries that are not the inner zero are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.pushdown.semiring import Semiring, difference, star

S = TypeVar("S", bound=Hashable)
W = TypeVar("W")

SHOWN = 12  # entries in a printed relation
Rows = dict[int, dict[int, W]]


class WeightedRelation(Generic[S, W]):
    """A weighted relation: rows[i][j] is the weight of (states[i], states[j]); a missing entry is the inner zero."""

    __slots__ = ("_hash", "rows", "states")

    def __init__(self, states: tuple[S, ...], rows: Rows[W]) -> None:
        self.states = states
        self.rows = rows
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightedRelation):
            return NotImplemented
        return self.rows == other.rows and (self.states is other.states or self.states == other.states)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset((row, column, weight) for row, column, weight in self._entries()))
        return self._hash

    def __len__(self) -> int:
        return sum(map(len, self.rows.values()))

    def __iter__(self) -> Iterator[tuple[S, S, W]]:
        for row, column, weight in sorted(self._entries(), key=lambda entry: entry[:2]):
            yield self.states[row], self.states[column], weight

    def _entries(self) -> Iterator[tuple[int, int, W]]:
        for row, columns in self.rows.items():
            for column, weight in columns.items():
                yield row, column, weight

    def __repr__(self) -> str:
        shown = ", ".join(f"{s}→{t}: {w!r}" for (s, t, w), _ in zip(self, range(SHOWN), strict=False))
        return f"{{{shown}{', …' if len(self) > SHOWN else ''}}}"


class WeightedRelations(Generic[S, W]):
    """Weights are relations on `states` weighted by `inner`: combine is pointwise, extend is the matrix product."""

    def __init__(self, states: Iterable[S], inner: Semiring[W]) -> None:
        self.states = tuple(states)
        self.inner = inner
        self._index = {state: number for number, state in enumerate(self.states)}
        if len(self._index) < len(self.states):
            raise UsageError("the states of a relational domain must be distinct")
        self.zero: WeightedRelation[S, W] = WeightedRelation(self.states, {})
        self.one = self._make({number: {number: inner.one} for number in range(len(self.states))})

    def relation(self, entries: Mapping[tuple[S, S], W]) -> WeightedRelation[S, W]:
        """Return the weighted relation with exactly these entries."""
        rows: Rows[W] = {}
        for (source, target), weight in entries.items():
            rows.setdefault(self._number(source), {})[self._number(target)] = weight
        return self._make(rows)

    def lift(self, pairs: Iterable[tuple[S, S]], weight: W) -> WeightedRelation[S, W]:
        """Return the relation that gives every pair the same weight."""
        return self.relation({pair: weight for pair in pairs})

    def at(self, weight: WeightedRelation[S, W], source: S, target: S) -> W:
        """Return the weight of one pair."""
        return weight.rows.get(self._number(source), {}).get(self._number(target), self.inner.zero)

    def combine(self, first: WeightedRelation[S, W], second: WeightedRelation[S, W]) -> WeightedRelation[S, W]:
        """Return the pointwise combine."""
        rows = {number: dict(row) for number, row in first.rows.items()}
        for number, row in second.rows.items():
            target = rows.setdefault(number, {})
            for column, weight in row.items():
                target[column] = self.inner.combine(target[column], weight) if column in target else weight
        return self._make(rows)

    def extend(self, first: WeightedRelation[S, W], second: WeightedRelation[S, W]) -> WeightedRelation[S, W]:
        """Return the matrix product: the best way through any state in between."""
        combine, extend = self.inner.combine, self.inner.extend
        rows: Rows[W] = {}
        for number, row in first.rows.items():
            target: dict[int, W] = {}
            for middle, left in row.items():
                for column, right in second.rows.get(middle, {}).items():
                    through = extend(left, right)
                    target[column] = combine(target[column], through) if column in target else through
            rows[number] = target
        return self._make(rows)

    def star(self, weight: WeightedRelation[S, W]) -> WeightedRelation[S, W]:
        """Return the closure by Kleene's elimination: allow one more state in between at a time."""
        inner, size = self.inner, len(self.states)
        matrix = [[weight.rows.get(row, {}).get(column, inner.zero) for column in range(size)] for row in range(size)]
        for middle in range(size):
            loop = star(inner, matrix[middle][middle])
            onward = [inner.extend(loop, entry) for entry in matrix[middle]]
            matrix = [
                [inner.combine(entry, inner.extend(row[middle], onward[column])) for column, entry in enumerate(row)]
                for row in matrix
            ]
        closed = self._make({number: dict(enumerate(row)) for number, row in enumerate(matrix)})
        return self.combine(self.one, closed)

    def diff(self, new: WeightedRelation[S, W], old: WeightedRelation[S, W]) -> WeightedRelation[S, W]:
        """Return the pointwise difference."""
        zero = self.inner.zero
        return self._make(
            {
                number: {
                    column: difference(self.inner, weight, old.rows.get(number, {}).get(column, zero))
                    for column, weight in row.items()
                }
                for number, row in new.rows.items()
            }
        )

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a weighted relation on the states of this domain."""
        return isinstance(weight, WeightedRelation) and weight.states == self.states

    def projection(
        self, split: Callable[[S], tuple[Hashable, Hashable]]
    ) -> Callable[[WeightedRelation[S, W]], WeightedRelation[S, W]]:
        """Return project, which sums over what happened to locals and leaves them as they are.

        `split` takes a state apart into its global and its local half; every combination of halves must be a state.
        """
        halves = [split(state) for state in self.states]
        index = {half: number for number, half in enumerate(halves)}
        own = list(dict.fromkeys(half[1] for half in halves))
        if len(index) < len(halves) or len({half[0] for half in halves}) * len(own) != len(halves):
            raise UsageError("every combination of a global and a local half must be one state of the domain")

        def project(weight: WeightedRelation[S, W]) -> WeightedRelation[S, W]:
            sums: dict[tuple[Hashable, Hashable], W] = {}
            for source, row in weight.rows.items():
                for target, entry in row.items():
                    pair = halves[source][0], halves[target][0]
                    sums[pair] = self.inner.combine(sums[pair], entry) if pair in sums else entry
            rows: Rows[W] = {}
            for (g1, g2), entry in sums.items():
                for local in own:
                    rows.setdefault(index[g1, local], {})[index[g2, local]] = entry
            return self._make(rows)

        return project

    def _make(self, rows: Rows[W]) -> WeightedRelation[S, W]:
        zero: Any = self.inner.zero
        kept = ((number, {c: w for c, w in row.items() if w != zero}) for number, row in rows.items())
        return WeightedRelation(self.states, {number: row for number, row in kept if row})

    def _number(self, state: S) -> int:
        try:
            return self._index[state]
        except KeyError:
            raise UsageError(f"{state!r} is no state of this relational domain") from None
