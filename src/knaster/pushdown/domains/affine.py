"""Affine relations: which equations a0 + a1·x1 + … + an·xn = 0 hold between variables?

Lal (2009), section 3.5.2, after Müller-Olm and Seidl: over the rationals, or modulo 2^w with `ModularIntegers(w)`.

A relation is the column a = (a0, …, an).  A statement x := A·x + b is the matrix M = [[1, bᵗ], [0, Aᵗ]], which maps a
relation that holds afterwards to the one that must hold before.  A weight is the space spanned by the matrices of all
paths, in canonical form; extend spans the products of the basis matrices, combine spans the union.  x := ? is the span
of x := 0 and x := 1.  A relation holds after a weight iff every matrix of the space maps it to zero (no start valuation
is excluded), or into the space of the relations that are known to hold at the start.

The scope change keeps the columns of globals, which say what they become from globals and from the caller's locals, and
makes the locals an identity, scaled by the entry for the constant so that it stays linear.  The call inside it must say
what each local of the callee begins with (`assign` it an argument, or None).

Notation: a matrix of size k = n + 1 is stored as one row of k² entries, row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import mul

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.linear import Arithmetic, Basis, Rationals, Row

Expression = int | str | tuple[int, Mapping[str, int]]  # a constant, a variable, or a constant and coefficients

SHOWN = 4  # matrices in a printed weight


@dataclass(frozen=True, slots=True)
class AffineSpace:
    """A space of square matrices of the given size, by its canonical basis."""

    basis: Basis
    size: int

    def matrices(self) -> list[list[Row]]:
        """Return the basis matrices as lists of rows."""
        size = self.size
        return [[row[start : start + size] for start in range(0, size * size, size)] for row in self.basis]

    def __repr__(self) -> str:
        shown = ["[" + "; ".join(" ".join(map(str, row)) for row in matrix) + "]" for matrix in self.matrices()[:SHOWN]]
        return f"span{{{', '.join(shown)}{', …' if len(self.basis) > SHOWN else ''}}}"


class AffineRelations:
    """Weights are spaces of matrices that carry affine relations between `variables` backwards."""

    def __init__(self, variables: Iterable[str], arithmetic: Arithmetic | None = None) -> None:
        self.variables = tuple(variables)
        if len(set(self.variables)) < len(self.variables):
            raise UsageError("the variables of an affine domain must be distinct")
        self.arithmetic: Arithmetic = arithmetic or Rationals()
        self.size = len(self.variables) + 1
        self._index = {name: number for number, name in enumerate(self.variables, 1)}
        self.zero = AffineSpace((), self.size)
        self.one = self._span([self._identity()])

    def assign(self, values: Mapping[str, Expression | None]) -> AffineSpace:
        """Return the simultaneous assignment of affine expressions; None means any value."""
        size = self.size
        matrix = self._identity()
        spans = [matrix]
        for name, value in values.items():
            column = self._number(name)
            matrix[column::size] = self._column(value)
            if value is None:
                arbitrary = [0] * (size * size)
                arbitrary[column] = 1
                spans.append(arbitrary)
        return self._span(spans)

    def combine(self, first: AffineSpace, second: AffineSpace) -> AffineSpace:
        """Return the space spanned by both."""
        if first.basis == second.basis or not second.basis:
            return first
        if not first.basis:
            return second
        if self._are_points(first.basis) and self._are_points(second.basis):
            known = tuple(row[: self.size] for row in first.basis)
            points = self.arithmetic.span([row[: self.size] for row in second.basis], known)
            return first if points is known else self._padded(points)
        basis = self.arithmetic.span(second.basis, first.basis)
        return first if basis is first.basis else AffineSpace(basis, self.size)

    def extend(self, first: AffineSpace, second: AffineSpace) -> AffineSpace:
        """Return the space spanned by all products of a matrix of `first` and a matrix of `second`."""
        if first == self.one:
            return second
        if second == self.one:
            return first
        columns = [_columns(matrix, self.size) for matrix in second.basis]
        if self._are_points(first.basis):
            size = self.size
            points = [_product([row[:size]], right) for row in first.basis for right in columns]
            return self._padded(self.arithmetic.span(points))
        products = [_product(matrix, right) for matrix in first.matrices() for right in columns]
        return self._span(products)

    def diff(self, new: AffineSpace, old: AffineSpace) -> AffineSpace:
        """Return the span of the basis of `new` reduced by `old`."""
        if not old.basis:
            return new
        return self._span([self.arithmetic.remainder(row, old.basis) for row in new.basis])

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a canonical space of matrices of this size."""
        return (
            isinstance(weight, AffineSpace)
            and weight.size == self.size
            and all(len(row) == self.size**2 for row in weight.basis)
            and self.arithmetic.span(weight.basis) == weight.basis
        )

    def projection(self, global_names: Iterable[str]) -> Callable[[AffineSpace], AffineSpace]:
        """Return project, which keeps the effect on globals and leaves every other variable as it is."""
        size = self.size
        shared = {0} | {self._number(name) for name in global_names}
        kept = [row * size + column for row in range(size) for column in shared]
        diagonal = [local * size + local for local in range(size) if local not in shared]

        def project(weight: AffineSpace) -> AffineSpace:
            rows = []
            for matrix in weight.basis:
                row = [0] * (size * size)
                for position in kept:
                    row[position] = matrix[position]
                for position in diagonal:
                    row[position] = matrix[0]
                rows.append(row)
            return self._span(rows)

        return project

    def relations(self, weight: AffineSpace, given: Sequence[Sequence[int]] = ()) -> Basis:
        """Return a canonical basis of the relations (a0, …, an) that hold after `weight`.

        `given` are relations that hold at the start.  After 0, which no path has, every relation holds.
        """
        size = self.size
        if any(len(row) != size for row in given):
            raise UsageError(f"a relation between {size - 1} variables has {size} coefficients, the constant first")
        if given:
            points = self.arithmetic.kernel(given, size)  # m · a is implied iff every point maps it to zero
            rows = [
                [sum(entry * matrix[row][column] for row, entry in enumerate(point)) for column in range(size)]
                for matrix in weight.matrices()
                for point in points
            ]
        else:
            rows = [list(row) for matrix in weight.matrices() for row in matrix if any(row)]
        return self.arithmetic.kernel(self.arithmetic.span(rows), size)

    def describe(self, relation: Sequence[int]) -> str:
        """Return a relation as an equation, such as `1 + x1 - x2 = 0`."""
        terms = []
        for name, factor in zip(("", *self.variables), relation, strict=True):
            if factor:
                size = abs(factor)
                text = str(size) if not name else name if size == 1 else f"{size}·{name}"
                terms.append(("-" if factor < 0 else "+") + " " + text)
        left = " ".join(terms).removeprefix("+ ") or "0"
        modulus = f" (mod 2^{self.arithmetic.bits})" if isinstance(self.arithmetic, ModularIntegers) else ""
        return f"{left} = 0{modulus}"

    def _are_points(self, basis: Basis) -> bool:
        """Tell whether matrices have a first row alone, as all have after a start at which anything may hold."""
        return not any(any(row[self.size :]) for row in basis)

    def _padded(self, points: Basis) -> AffineSpace:
        """Return the space of matrices with these first rows: their canonical forms are the same."""
        rest = (0,) * (self.size * self.size - self.size)
        return AffineSpace(tuple(row + rest for row in points), self.size)

    def _span(self, rows: Iterable[Sequence[int]]) -> AffineSpace:
        return AffineSpace(self.arithmetic.span(rows), self.size)

    def _identity(self) -> list[int]:
        return [int(position % (self.size + 1) == 0) for position in range(self.size**2)]

    def _column(self, value: Expression | None) -> list[int]:
        """Return the coefficients of an affine expression, the constant first; all zero for any value."""
        column = [0] * self.size
        match value:
            case None:
                pass
            case int():
                column[0] = value
            case str():
                column[self._number(value)] = 1
            case (constant, coefficients):
                column[0] = constant
                for name, factor in coefficients.items():
                    column[self._number(name)] = factor
        return column

    def _number(self, name: str) -> int:
        try:
            return self._index[name]
        except KeyError:
            raise UsageError(f"{name!r} is no variable of this affine domain") from None


def _product(matrix: list[Row], right: list[Row | int | None]) -> list[int]:
    """Return the product of a matrix and the columns of another; rows of zeros, of which there are many, are quick."""
    zeros, product = [0] * len(right), []
    for row in matrix:
        if any(row):
            product += [
                sum(map(mul, row, column)) if isinstance(column, tuple) else 0 if column is None else row[column]
                for column in right
            ]
        else:
            product += zeros
    return product


def _columns(matrix: Row, size: int) -> list[Row | int | None]:
    """Return the columns; the number of its only entry for a unit vector, None for zero.  Most columns are of these."""
    columns: list[Row | int | None] = []
    for start in range(size):
        column = matrix[start::size]
        zeros = column.count(0)
        if zeros == size:
            columns.append(None)
        else:
            columns.append(column.index(1) if zeros == size - 1 and 1 in column else column)
    return columns
