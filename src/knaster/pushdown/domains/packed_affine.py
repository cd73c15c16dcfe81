"""Affine relations modulo 2^w on packed rows: the domain of `affine.py`, several times as fast.

A matrix is one integer (`packed.py`).  Row r of a product is the sum of the rows of the right matrix, each times an
entry of row r of the left one; most entries are 0 and most others 1, so a product is a few operations on integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from knaster.pushdown.domains import native_howell
from knaster.pushdown.domains.affine import AffineRelations, AffineSpace, Expression
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.linear import Basis
from knaster.pushdown.domains.packed import Packing, packing_of

Sparse = list[tuple[int, list[tuple[int, int]]]]  # rows that are not 0: number, and (column, entry) of what is not 0


class PackedSpace(AffineSpace):
    """A space of matrices whose canonical basis is packed; `basis` is made where somebody asks for it."""

    __slots__ = ("_columns", "_made", "_sparse", "packing", "rows")
    rows: tuple[int, ...]
    packing: Packing
    _made: Basis | None
    _sparse: list[Sparse] | None
    _columns: list[list[int]] | None

    def __init__(self, rows: tuple[int, ...], size: int, packing: Packing) -> None:
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "packing", packing)
        for name in ("_made", "_sparse", "_columns"):
            object.__setattr__(self, name, None)

    @property
    def basis(self) -> Basis:
        """The rows as tuples."""
        if self._made is None:
            object.__setattr__(self, "_made", tuple(map(self.packing.unpack, self.rows)))
        assert self._made is not None
        return self._made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedSpace):
            return self.rows == other.rows and self.size == other.size
        return isinstance(other, AffineSpace) and self.basis == other.basis and self.size == other.size

    def __hash__(self) -> int:
        return hash(self.rows)

    def sparse(self) -> list[Sparse]:
        """Return the matrices with what is not 0 alone."""
        if self._sparse is None:
            unpack = packing_of(self.packing.bits, self.size).unpack
            sparse = [[(n, _entries(unpack(row))) for n, row in enumerate(rows) if row] for rows in self.packed_rows()]
            object.__setattr__(self, "_sparse", sparse)
        assert self._sparse is not None
        return self._sparse

    def packed_rows(self) -> list[list[int]]:
        """Return the rows of each matrix, packed."""
        if self._columns is None:
            size, lane = self.size, self.packing.lane
            step = size * lane
            mask = (1 << step) - 1
            shifts = [step * (size - 1 - number) for number in range(size)]
            object.__setattr__(self, "_columns", [[row >> shift & mask for shift in shifts] for row in self.rows])
        assert self._columns is not None
        return self._columns


class PackedAffineRelations(AffineRelations):
    """Weights are spaces of matrices that carry affine relations between variables backwards, modulo 2^bits."""

    def __init__(self, variables: Iterable[str], bits: int) -> None:
        names = tuple(variables)
        size = len(names) + 1
        self._packing, self._row = packing_of(bits, size * size), packing_of(bits, size)
        self._step = self._row.lane * size
        self._one_row = self._packing.pack([int(place % (size + 1) == 0) for place in range(size * size)])
        entry = (1 << self._row.lane) - 1
        self._column_masks = [
            sum(entry << self._row.lane * (size * (size - row) - 1 - column) for row in range(size))
            for column in range(size)
        ]
        self._rest = (1 << self._step * (size - 1)) - 1  # the rows behind the first
        super().__init__(names, ModularIntegers(bits))
        self.zero = PackedSpace((), size, self._packing)

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a canonical space of matrices of this size; those that were made here are."""
        return (isinstance(weight, PackedSpace) and weight.packing is self._packing) or super().owns(weight)

    def assign(self, values: Mapping[str, Expression | None]) -> AffineSpace:
        """Return the simultaneous assignment of affine expressions; None means any value.

        The matrix leads with 1, and its column is 0 where the matrix of any value leads: a Howell form as they are.
        """
        size, lane, bits = self.size, self._row.lane, self._row.bits
        matrix, free = self._one_row, []
        for name, value in values.items():
            column = self._number(name)
            matrix &= ~self._column_masks[column]
            for row, entry in enumerate(self._column(value)):
                if entry:
                    matrix |= (entry & (1 << bits) - 1) << lane * (size * (size - row) - 1 - column)
            if value is None:
                free.append(column)
        top = size * size - 1
        rows = (matrix, *(1 << lane * (top - column) for column in sorted(free)))
        return PackedSpace(rows, size, self._packing)

    def combine(self, first: AffineSpace, second: AffineSpace) -> AffineSpace:
        """Return the space spanned by both."""
        left, right = self._rows(first), self._rows(second)
        if left == right or not right:
            return first
        if not left:
            return second
        rows = self._packing.howell(right, left)
        return first if rows is left else PackedSpace(rows, self.size, self._packing)

    def extend(self, first: AffineSpace, second: AffineSpace) -> AffineSpace:
        """Return the space spanned by all products of a matrix of `first` and a matrix of `second`."""
        if first == self.one:
            return second
        if second == self.one:
            return first
        left, right = self._packed(first), self._packed(second)
        if not left.rows or not right.rows:
            return self.zero
        library = native_howell.load()
        if library is not None:
            words = self._packing.width * self._packing.words
            made = native_howell.form_of_products(library, left.rows, right.rows, self.size, words, self._packing.bits)
            return PackedSpace(made, self.size, self._packing)
        products = [self._product(sparse, rows) for sparse in left.sparse() for rows in right.packed_rows()]
        if not any(row & self._rest for row in products):
            shift = self._step * (self.size - 1)
            points = self._row.howell([row >> shift for row in products])
            return PackedSpace(tuple(row << shift for row in points), self.size, self._packing)
        return PackedSpace(self._packing.howell(products), self.size, self._packing)

    def projection(self, global_names: Iterable[str]) -> Callable[[AffineSpace], AffineSpace]:
        """Return project, which keeps the effect on globals and leaves every other variable as it is."""
        size, lane, entry = self.size, self._row.lane, (1 << self._row.lane) - 1
        shared = {0} | {self._number(name) for name in global_names}
        places = [size * size - 1 - (row * size + column) for row in range(size) for column in shared]
        kept = sum(entry << lane * place for place in places)
        locals_ = [size * size - 1 - (local * size + local) for local in range(size) if local not in shared]
        diagonal = sum(1 << lane * place for place in locals_)
        top = lane * (size * size - 1)

        def project(weight: AffineSpace) -> AffineSpace:
            rows = [(row & kept) | (row >> top) * diagonal for row in self._rows(weight)]
            return PackedSpace(self._packing.howell(rows), size, self._packing)

        return project

    def relations(self, weight: AffineSpace, given: Sequence[Sequence[int]] = ()) -> Basis:
        """Return a canonical basis of the relations that hold after `weight`, where `given` hold at the start."""
        rows = self._rows(weight)
        if given or any(row & self._rest for row in rows):
            return super().relations(weight, given)
        shift = self._step * (self.size - 1)
        points = [self._row.unpack(row >> shift) for row in rows]  # in Howell form as they are
        return self.arithmetic.kernel(points, self.size)

    def _product(self, sparse: Sparse, rows: Sequence[int]) -> int:
        step, last, mask = self._step, self.size - 1, self._row.mask
        product = 0
        for number, entries in sparse:
            total = 0
            for column, entry in entries:
                total += rows[column] if entry == 1 else rows[column] * entry & mask
            product |= (total & mask) << step * (last - number)
        return product

    def _packed(self, weight: AffineSpace) -> PackedSpace:
        if isinstance(weight, PackedSpace):
            return weight
        return PackedSpace(tuple(map(self._packing.pack, weight.basis)), self.size, self._packing)

    def _rows(self, weight: AffineSpace) -> tuple[int, ...]:
        return self._packed(weight).rows

    def _span(self, rows: Iterable[Sequence[int]]) -> AffineSpace:
        packed = self._packing.howell(map(self._packing.pack, rows))
        return PackedSpace(packed, self.size, self._packing)


def _entries(row: Sequence[int]) -> list[tuple[int, int]]:
    return [(column, entry) for column, entry in enumerate(row) if entry]
