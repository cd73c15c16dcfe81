"""Exact linear algebra over the rationals: canonical bases and null spaces of integer rows.

A subspace of Qⁿ is represented by its reduced row echelon form with every row scaled to coprime integers and a positive
leading entry; that form is unique.  `python-flint` (extra `affine`) is imported when a matrix is large enough for it to
pay, and is never needed.

Notation: a row is a tuple of integers, a basis a tuple of rows in canonical form; a pivot is the column of a leading
entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from math import gcd
from typing import Any, Protocol

Row = tuple[int, ...]
Basis = tuple[Row, ...]

FLINT_PAIRS = 200  # eliminations of a row by a row from which flint is faster than the loop below, measured


class Arithmetic(Protocol):
    """Canonical bases over one ring of numbers."""

    def span(self, rows: Iterable[Sequence[int]], basis: Basis = ()) -> Basis:
        """Return the canonical basis of the space spanned by `rows` and `basis`."""
        ...

    def remainder(self, row: Sequence[int], basis: Basis) -> Row:
        """Return `row` reduced by `basis`: zero iff it lies in the space."""
        ...

    def kernel(self, rows: Sequence[Sequence[int]], width: int) -> Basis:
        """Return the canonical basis of the columns of height `width` that every row maps to zero."""
        ...

    def restrict(self, rows: Sequence[Sequence[int]], order: Sequence[int], hidden: int) -> Basis:
        """Return a canonical basis of what rows say of the columns of `order` that come after some hidden ones."""
        ...


def without_hidden(rows: Basis, hidden: int) -> Basis:
    """Return the rows of an echelon form that start with so many zeros, without these."""
    return tuple(row[hidden:] for row in rows if not any(row[:hidden]))


class Rationals:
    """The field of rationals."""

    def span(self, rows: Iterable[Sequence[int]], basis: Basis = ()) -> Basis:
        """Return the reduced echelon form in coprime integers."""
        new = [row for row in rows if any(row)]
        if not new:
            return basis
        if len(new) * (len(new) + len(basis)) >= FLINT_PAIRS and (matrix := _flint()) is not None:
            return _span_by_flint(matrix, [*basis, *new])
        pivots = {leading_column(row): row for row in basis}
        changed = False
        for row in new:
            changed |= _insert(pivots, row)
        return tuple(pivots[pivot] for pivot in sorted(pivots)) if changed else basis

    def remainder(self, row: Sequence[int], basis: Basis) -> Row:
        """Return a multiple of `row` without its part in the space."""
        rest = tuple(row)
        for known in basis:
            rest = _eliminate(rest, known, leading_column(known))
        return rest

    def restrict(self, rows: Sequence[Sequence[int]], order: Sequence[int], hidden: int) -> Basis:
        """Return what rows say of the columns of `order` that come after some hidden ones."""
        return without_hidden(self.span([[row[column] for column in order] for row in rows]), hidden)

    def kernel(self, rows: Sequence[Sequence[int]], width: int) -> Basis:
        """Return the null space: one vector per column without a pivot."""
        echelon = {leading_column(row): row for row in self.span(rows)}
        scale = 1
        for pivot, row in echelon.items():
            scale = scale * row[pivot] // gcd(scale, row[pivot])
        vectors = []
        for free in range(width):
            if free not in echelon:
                vector = [0] * width
                vector[free] = scale
                for pivot, row in echelon.items():
                    vector[pivot] = -row[free] * scale // row[pivot]
                vectors.append(vector)
        return self.span(vectors)


def _insert(pivots: dict[int, Row], row: Sequence[int]) -> bool:
    """Add `row` to a reduced echelon form; tell whether it was new."""
    rest = tuple(row)
    for pivot, known in pivots.items():
        rest = _eliminate(rest, known, pivot)
    if not any(rest):
        return False
    first = leading_column(rest)
    rest = _primitive(rest, first)
    for pivot, known in pivots.items():
        if known[first]:
            pivots[pivot] = _primitive(_eliminate(known, rest, first), pivot)
    pivots[first] = rest
    return True


def _eliminate(row: Row, known: Row, pivot: int) -> Row:
    """Return the multiple of `row` minus the multiple of `known` that is zero at `pivot`."""
    entry, unit = row[pivot], known[pivot]
    if not entry:
        return row
    if unit == 1:
        return tuple([left - right * entry for left, right in zip(row, known, strict=True)])
    divisor = gcd(entry, unit)
    entry, unit = entry // divisor, unit // divisor
    return tuple([left * unit - right * entry for left, right in zip(row, known, strict=True)])


def _primitive(row: Row, pivot: int) -> Row:
    """Return `row` scaled to coprime integers with a positive leading entry."""
    divisor = gcd(*row)
    if row[pivot] < 0:
        divisor = -divisor
    return row if divisor == 1 else tuple([entry // divisor for entry in row])


def leading_column(row: Sequence[int]) -> int:
    """Return the column of the first entry that is not zero, the length of the row if all are."""
    for column, entry in enumerate(row):
        if entry:
            return column
    return len(row)


@cache
def _flint() -> Callable[..., Any] | None:
    """Return flint's integer matrix, None where `python-flint` is not installed."""
    try:
        matrix: Callable[..., Any] = import_module("flint").fmpz_mat
    except ImportError:
        return None
    return matrix


def _span_by_flint(matrix: Callable[..., Any], rows: Sequence[Sequence[int]]) -> Basis:
    echelon, _, rank = matrix([list(row) for row in rows]).rref()
    found = [tuple(map(int, row)) for row in echelon.tolist()[:rank]]
    return tuple(_primitive(row, leading_column(row)) for row in found)
