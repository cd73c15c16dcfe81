"""Kronecker's product of sparse matrices, and its undoing: the matrix product of the factors.

Lal (PhD thesis, University of Wisconsin, 2009), section 6.5.2.  An index of the product of n matrices of size k is a
number below kⁿ, whose digits to the base k are the indices of the factors, that of the last one varying fastest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

E = TypeVar("E")

Matrix = Mapping[tuple[int, int], E]  # the entries that are not zero


def kronecker(factors: Iterable[Matrix[E]], size: int, one: E, times: Callable[[E, E], E]) -> Matrix[E]:
    """Return Kronecker's product of square matrices of one size."""
    total: dict[tuple[int, int], E] = {(0, 0): one}
    for factor in factors:
        total = {
            (row * size + i, column * size + j): times(left, right)
            for (row, column), left in total.items()
            for (i, j), right in factor.items()
        }
    return total


def contract(
    matrix: Matrix[E], size: int, count: int, transposed: bool, plus: Callable[[E, E], E]
) -> dict[tuple[int, int], E]:
    """Return the matrix product of the `count` factors whose Kronecker product is `matrix`, and sums for sums."""
    total: dict[tuple[int, int], E] = {}
    for (row, column), value in matrix.items():
        last: int | None = None
        for position in range(count - 1, -1, -1):  # the last factor's index varies fastest
            row, i = divmod(row, size)
            column, j = divmod(column, size)
            if transposed and position % 2:
                i, j = j, i
            if last is None:
                end = j
            elif j != last:
                break
            last = i
        else:
            assert last is not None
            total[last, end] = plus(total[last, end], value) if (last, end) in total else value
    return total
