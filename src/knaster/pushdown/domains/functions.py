"""Functions on a finite join semilattice, as tables: any distributive dataflow framework of small height.

Lal (PhD thesis, University of Wisconsin, 2009), section 3.3: the weights are the distributive functions C → C and a
special 0 that no path has; combine is the pointwise join, extend(a, b) is b after a.

Notation: an element of C is its number in `elements`; a table gives the number of the image of each element.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import product
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass, field

C = TypeVar("C", bound=Hashable)


@dataclass(frozen=True, slots=True)
class FunctionTable(Generic[C]):
    """A function by its table; the special 0 has none."""

    table: tuple[int, ...] | None
    elements: tuple[C, ...] = field(compare=False)

    def apply(self, element: C) -> C | None:
        """Return the image of an element, None for the function 0."""
        return None if self.table is None else self.elements[self.table[self.elements.index(element)]]

    def __repr__(self) -> str:
        if self.table is None:
            return "0"
        changed = [
            f"{element}→{self.elements[image]}"
            for number, (element, image) in enumerate(zip(self.elements, self.table, strict=True))
            if number != image
        ]
        return f"[{', '.join(changed)}]" if changed else "id"


class FunctionSpace(Generic[C]):
    """Weights are the distributive functions on `elements`, ordered by `join`.

    With `distributive=False` any monotone function is accepted; answers are then safe but perhaps not exact.
    """

    def __init__(self, elements: Iterable[C], join: Callable[[C, C], C], distributive: bool = True) -> None:
        self.elements = tuple(elements)
        self.distributive = distributive
        self._index = {element: number for number, element in enumerate(self.elements)}
        if len(self._index) < len(self.elements):
            raise UsageError("the elements of a semilattice must be distinct")
        self._join = [[self._number(join(a, b)) for b in self.elements] for a in self.elements]
        self._check_semilattice()
        self.zero: FunctionTable[C] = FunctionTable(None, self.elements)
        self.one = self._make(range(len(self.elements)))

    def function(self, image: Callable[[C], C]) -> FunctionTable[C]:
        """Return the table of a function; raise `UsageError` where it does not respect joins."""
        table = [self._number(image(element)) for element in self.elements]
        broken = self._broken_pair(table)
        if broken is not None:
            kind = "distributive" if self.distributive else "monotone"
            raise UsageError(f"the function is not {kind}: look at {broken[0]!r} and {broken[1]!r}")
        return self._make(table)

    def pointwise(
        self, operation: Callable[[C, C], C]
    ) -> Callable[[FunctionTable[C], FunctionTable[C]], FunctionTable[C]]:
        """Return a, b ↦ λc. operation(a(c), b(c)), strict in 0: how a return function acts on weights."""
        results = [[self._number(operation(a, b)) for b in self.elements] for a in self.elements]

        def lift_merge(first: FunctionTable[C], second: FunctionTable[C]) -> FunctionTable[C]:
            if first.table is None or second.table is None:
                return self.zero
            return self._make(results[a][b] for a, b in zip(first.table, second.table, strict=True))

        return lift_merge

    def combine(self, first: FunctionTable[C], second: FunctionTable[C]) -> FunctionTable[C]:
        """Return the pointwise join."""
        if first.table is None or second.table is None:
            return second if first.table is None else first
        return self._make(self._join[a][b] for a, b in zip(first.table, second.table, strict=True))

    def extend(self, first: FunctionTable[C], second: FunctionTable[C]) -> FunctionTable[C]:
        """Return `first` followed by `second`."""
        if first.table is None or second.table is None:
            return self.zero
        after = second.table
        return self._make(after[image] for image in first.table)

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a table over the elements of this domain."""
        return isinstance(weight, FunctionTable) and weight.elements == self.elements

    def _broken_pair(self, table: list[int]) -> tuple[C, C] | None:
        for a, b in product(range(len(table)), repeat=2):
            joined = self._join[table[a]][table[b]]
            above = table[self._join[a][b]]
            if joined != above and (self.distributive or self._join[joined][above] != above):
                return self.elements[a], self.elements[b]
        return None

    def _check_semilattice(self) -> None:
        join, numbers = self._join, range(len(self.elements))
        good = all(join[a][a] == a and join[a][b] == join[b][a] for a in numbers for b in numbers) and all(
            join[join[a][b]][c] == join[a][join[b][c]] for a in numbers for b in numbers for c in numbers
        )
        if not good:
            raise UsageError("join must be idempotent, commutative and associative")

    def _make(self, table: Iterable[int]) -> FunctionTable[C]:
        return FunctionTable(tuple(table), self.elements)

    def _number(self, element: C) -> int:
        try:
            return self._index[element]
        except KeyError:
            raise UsageError(f"{element!r} is no element of this semilattice") from None
