"""Pairs of terms that may be the same, or that may differ, after a path of copies: may- and must-aliases of pointers.

Lal (2009), section 3.5.3, with terms instead of access expressions: a pointer `p`, the address `&a` of an object, null.
`*p` and `a` are aliases where `p` and `&a` are the same, `*p` and `*q` where `p` and `q` are.  A path of copies gives
each term the value that some term had at its start, or a new one; so a pair at its end is one pair at its start, or is
decided.  That is linear in pairs, and holds of "may be the same" as of "may differ"; what can never differ is a
must-alias.

A weight maps each pair at the start of a path, and ⊥ (nothing assumed), to pairs at its end, as in `aliases`, whose
record and images are used.  Null is the same as no other pointer, so p and q are not the same where both are null;
{p, p} says that `p` may be something else than null, {p, 0} that it may be null.  The term "." is any one of a
caller's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from knaster.pushdown.domains.aliases import AliasTransformer, Pair, images
from knaster.pushdown.domains.bitmatrix import bits

NULL = "0"
OUTSIDE = "."

Values = Mapping[str, str | None]  # a term → whose value it has afterwards; None for a new one


class TermPairs:
    """Weights over terms that all procedures share and terms that each activation has of its own."""

    def __init__(self, shared: Iterable[str], own: Iterable[str], *, differ: bool) -> None:
        self.differ = differ
        self.shared, self.own = (*shared, NULL), tuple(own)
        self.terms = (*self.shared, *self.own, OUTSIDE)
        first = int(differ)  # nothing differs from itself
        self.pairs = tuple(
            (term, other)
            for number, term in enumerate(self.terms)
            for other in self.terms[number + first :]
            if (term, other) != (OUTSIDE, OUTSIDE)
        )
        self._number = {pair: number for number, pair in enumerate(self.pairs)}
        self._number |= {(other, term): number for (term, other), number in self._number.items()}
        self.zero = AliasTransformer((), self.pairs)
        self.one = self._make([0, *(1 << number for number in range(len(self.pairs)))])
        visible = frozenset(self.shared)
        self._shared_pairs = self.mask(pair for pair in self.pairs if visible.issuperset(pair))
        self._outward = self.mask((term, OUTSIDE) for term in self.shared)

    def mask(self, pairs: Iterable[Pair]) -> int:
        """Return pairs as a set of bits; those that this domain does not have are left out."""
        found = 0
        for pair in pairs:
            number = self._number.get(pair)
            if number is not None:
                found |= 1 << number
        return found

    def has(self, row: int, first: str, second: str) -> bool:
        """Tell whether a row has a pair."""
        return bool(row >> self._number[first, second] & 1)

    def sources(self, weight: AliasTransformer, first: str, second: str) -> list[Pair]:
        """Return the pairs at the start that lead to a pair at the end."""
        bit = 1 << self._number[first, second]
        return [pair for pair, row in zip(self.pairs, weight.rows[1:], strict=True) if row & bit]

    # Statements

    def assign(self, values: Values, known: Iterable[Pair] = ()) -> AliasTransformer:
        """Return the weight of a simultaneous assignment; `known` are pairs that it makes, whatever was before it."""
        after = self._inverse(values)
        moved = {*values, *after}
        always = self.mask(known) | self._news(values)
        rows = list(self.one.rows)
        for term in moved:
            for other in self.terms:
                number = self._number.get((term, other))
                if number is not None:
                    ends = self._ends(self.pairs[number], lambda each: after.get(each, [each]))
                    rows[number + 1] = self.mask(ends)
        return self._close(rows, always)

    def _inverse(self, values: Values) -> dict[str, list[str]]:
        """Return for each term that is read or written which terms have its value afterwards."""
        after: dict[str, list[str]] = {term: [] for term in values}
        for term, source in values.items():
            if source is not None:
                after.setdefault(source, [source]).append(term)
        return after

    def _news(self, values: Values) -> int:
        """Return what is so of new values: they differ from everything."""
        if not self.differ:
            return 0
        return self.mask((term, other) for term, source in values.items() if source is None for other in self.terms)

    def _ends(self, pair: Pair, after: Callable[[str], Sequence[str]]) -> Iterator[Pair]:
        """Yield what a pair becomes where each term becomes some; two that are null are not the same memory."""
        null = not self.differ and NULL in pair
        for left in after(pair[0]):
            for right in after(pair[1]):
                if not null or NULL in (left, right):
                    yield left, right

    # Calls

    def enter(self, values: Values, known: Iterable[Pair] = ()) -> AliasTransformer:
        """Return the weight of a step into a callee: `values` has all of its own terms; the caller's are outside."""
        after = self._visible(values)
        rows = [0]
        rows += [self.mask(self._ends(pair, lambda each: self._inside(each, after))) for pair in self.pairs]
        return self._close(rows, self.mask(known) | self._news(values))

    def _visible(self, values: Values) -> dict[str, list[str]]:
        """Return for each term of the caller which terms of the callee have its value."""
        after = {term: [term] for term in self.shared} | {term: [] for term in (*self.own, OUTSIDE)}
        for term, source in values.items():
            if source is not None:
                after[source].append(term)
        return after

    def _inside(self, term: str, after: Mapping[str, list[str]]) -> list[str]:
        return after[term] if term in self.shared else [*after[term], OUTSIDE]

    def merge(
        self, values: Values, enter: AliasTransformer
    ) -> Callable[[AliasTransformer, AliasTransformer], AliasTransformer]:
        """Return the merge function of a call that enters by these values.

        Of a pair of the caller the callee sees a pair, which becomes pairs of shared terms; it sees one side, which may
        become a shared term while the other stays; or none, and the pair stays.  Every part is linear in the caller's
        rows: path extension holds.
        """
        after = self._visible(values)
        own = (*self.own, OUTSIDE)
        plan = [self._plan(pair, after) for pair in self.pairs]

        def merge(caller: AliasTransformer, callee: AliasTransformer) -> AliasTransformer:
            if not caller.rows or not callee.rows:
                return self.zero
            rows = callee.rows
            effect = []
            for stays, inner, halves in plan:
                for number in inner:
                    stays |= rows[number + 1] & self._shared_pairs
                for number, kept in halves:
                    stays |= self._with(rows[number + 1], (kept,))
                effect.append(stays)
            through = images(enter.rows[:1], rows[1:], rows[0])[0]
            always = through & self._shared_pairs | self._with(through, own)
            return self._make(images(caller.rows, effect, always))

        return merge

    def _plan(self, pair: Pair, after: Mapping[str, list[str]]) -> tuple[int, list[int], list[tuple[int, str]]]:
        """Return what of a pair stays, the callee's pairs that it is, and those with one side outside."""
        left, right = pair
        stays = self.mask([pair]) if left not in self.shared and right not in self.shared else 0
        inner = [self._number[each] for each in self._ends(pair, after.__getitem__) if each in self._number]
        halves = []
        for seen, kept in {(left, right): None, (right, left): None}:
            if kept not in self.shared:
                ends = self._ends((seen, OUTSIDE), lambda each: after[each] or [each] * (each == OUTSIDE))
                halves += [(self._number[each], kept) for each in ends if each in self._number]
        return stays, inner, halves

    def _with(self, row: int, names: Sequence[str]) -> int:
        """Return the pairs {g, .} of a row, with each of some names for the dot."""
        return self.mask((self.pairs[number][0], name) for number in bits(row & self._outward) for name in names)

    # The semiring

    def combine(self, first: AliasTransformer, second: AliasTransformer) -> AliasTransformer:
        """Return the pointwise union."""
        if not first.rows or not second.rows:
            return first if first.rows else second
        return self._make([left | right for left, right in zip(first.rows, second.rows, strict=True)])

    def extend(self, first: AliasTransformer, second: AliasTransformer) -> AliasTransformer:
        """Return what follows from `first` by `second`."""
        if not first.rows or not second.rows:
            return self.zero
        if first is self.one or second is self.one:
            return second if first is self.one else first
        return self._make(images(first.rows, second.rows[1:], second.rows[0]))

    def diff(self, new: AliasTransformer, old: AliasTransformer) -> AliasTransformer:
        """Return the pointwise difference, closed under w(⊥) ⊆ w(x); 0 where nothing is new."""
        if not old.rows or not new.rows:
            return new
        rows = [left & ~right for left, right in zip(new.rows, old.rows, strict=True)]
        return self._close(rows, rows[0]) if any(rows) else self.zero

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a map over the pairs of this domain."""
        if not isinstance(weight, AliasTransformer) or weight.pairs != self.pairs:
            return False
        rows = weight.rows
        return not rows or (len(rows) == len(self.pairs) + 1 and all(rows[0] & ~row == 0 for row in rows))

    def _close(self, rows: list[int], always: int) -> AliasTransformer:
        return self._make([row | always for row in rows])

    def _make(self, rows: list[int]) -> AliasTransformer:
        return AliasTransformer(tuple(rows), self.pairs)
