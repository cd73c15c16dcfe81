"""Exact linear algebra modulo 2^w: Howell forms and null modules.

Müller-Olm and Seidl's analysis of modular arithmetic, as in Lal (2009), end of section 3.5.2.  A submodule of (Z/2^w)ⁿ
is represented by its Howell form: an echelon form in which every leading entry is a power of two, the entries above it
are smaller, and every element of the module that starts with k zeros is a combination of the rows that start with k
zeros.  That form is unique.  A row with the leading entry 2^k therefore brings its multiple by 2^(w-k), whose leading
entry vanishes, along.

Notation: a pivot is the column of a leading entry, its exponent the k in 2^k.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from ctypes import CDLL

from knaster.base.errors import UsageError
from knaster.pushdown.domains import native_howell
from knaster.pushdown.domains.linear import Basis, Row, leading_column, without_hidden
from knaster.pushdown.domains.packed import WORD, packing_of


class ModularIntegers:
    """The integers modulo 2^bits."""

    def __init__(self, bits: int) -> None:
        if bits < 1:
            raise UsageError(f"a machine word has at least 1 bit, not {bits}")
        self.bits = bits
        self._mask = (1 << bits) - 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModularIntegers) and self.bits == other.bits

    def __hash__(self) -> int:
        return self.bits

    def span(self, rows: Iterable[Sequence[int]], basis: Basis = ()) -> Basis:
        """Return the Howell form of the module that `rows` and `basis` generate."""
        new = list(rows)
        if not basis and new and self._library is not None:
            return self.restrict(new, range(len(new[0])), 0)
        if self.bits <= WORD and new:
            packing = packing_of(self.bits, len(new[0]))
            known = tuple(map(packing.pack, basis))
            made = packing.howell(map(packing.pack, new), known)
            return basis if made is known else tuple(map(packing.unpack, made))
        return self.span_of_tuples(new, basis)

    def span_of_tuples(self, rows: Iterable[Sequence[int]], basis: Basis = ()) -> Basis:
        """Return the same by operations on single entries, for words of any length."""
        mask = self._mask
        pivots = {leading_column(row): row for row in basis}
        todo = [rest for row in rows if any(rest := tuple([entry & mask for entry in row]))]
        changed = False
        while todo:
            changed |= self._insert(pivots, todo.pop(), todo)
        return self._reduce(pivots) if changed else basis

    def remainder(self, row: Sequence[int], basis: Basis) -> Row:
        """Return `row` minus the multiples of the basis rows that make its entries at their pivots smallest."""
        mask = self._mask
        rest = tuple([entry & mask for entry in row])
        for known in basis:
            rest = self._subtract(rest, known, leading_column(known))
        return rest

    def kernel(self, rows: Sequence[Sequence[int]], width: int) -> Basis:
        """Return the null module: in the Howell form of [Aᵗ | I], the right parts of rows with a zero left part."""
        height, library = len(rows), self._library
        if library is not None:
            return native_howell.null_module(library, self._words(rows), height, width, self.bits)
        joined = [
            [row[column] for row in rows] + [int(other == column) for other in range(width)] for column in range(width)
        ]
        return tuple(row[height:] for row in self.span(joined) if not any(row[:height]))

    def restrict(self, rows: Sequence[Sequence[int]], order: Sequence[int], hidden: int) -> Basis:
        """Return what rows say of the columns of `order` that come after some hidden ones."""
        library = self._library
        if library is not None and rows:
            words, width = self._words(rows), len(rows[0])
            return native_howell.restrict(library, words, len(rows), width, order, hidden, self.bits)
        return without_hidden(self.span([[row[column] for column in order] for row in rows]), hidden)

    @property
    def _library(self) -> CDLL | None:
        return native_howell.load() if self.bits <= WORD else None

    def _words(self, rows: Sequence[Sequence[int]]) -> array[int]:
        mask = self._mask
        return array("Q", [entry & mask for row in rows for entry in row])

    def _insert(self, pivots: dict[int, Row], row: Row, todo: list[Row]) -> bool:
        """Add `row` to an echelon form; rows that this calls for go to `todo`.  Tell whether anything changed."""
        mask = self._mask
        while (pivot := leading_column(row)) < len(row):
            exponent = _exponent(row[pivot])
            known = pivots.get(pivot)
            if known is not None and known[pivot] <= 1 << exponent:
                row = self._subtract(row, known, pivot)
                continue
            odd = row[pivot] >> exponent
            if odd != 1:
                unit = pow(odd, -1, 1 << self.bits)
                row = tuple([entry * unit & mask for entry in row])
            pivots[pivot] = row
            if exponent:
                todo.append(tuple([entry << self.bits - exponent & mask for entry in row]))
            if known is not None:
                todo.append(self._subtract(known, row, pivot))
            return True
        return False

    def _subtract(self, row: Row, known: Row, pivot: int) -> Row:
        """Return `row` minus the multiple of `known` that leaves the smallest entry at `pivot`."""
        factor = row[pivot] // known[pivot]
        if not factor:
            return row
        mask = self._mask
        return tuple([left - right * factor & mask for left, right in zip(row, known, strict=True)])

    def _reduce(self, pivots: dict[int, Row]) -> Basis:
        """Return the rows in order, entries above pivots reduced; the columns must be taken in ascending order."""
        order = sorted(pivots)
        for number, pivot in enumerate(order):
            for above in order[:number]:
                pivots[above] = self._subtract(pivots[above], pivots[pivot], pivot)
        return tuple(pivots[pivot] for pivot in order)


def _exponent(entry: int) -> int:
    """Return how often 2 divides `entry`."""
    return (entry & -entry).bit_length() - 1
