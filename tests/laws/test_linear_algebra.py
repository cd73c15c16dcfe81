"""Canonical bases and null spaces against their definitions: all vectors of a small module, exact fractions, flint."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knaster.pushdown.domains import linear
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.linear import Basis, Rationals, Row

EXAMPLES = 60 * int(os.environ.get("KNASTER_EXAMPLES", "1"))

Rows = list[tuple[int, ...]]
small_rows = st.lists(st.tuples(*[st.integers(-3, 7)] * 3), max_size=4)
wide_rows = st.lists(st.tuples(*[st.integers(-9, 9)] * 5), max_size=6)


def _module(rows: Rows | Basis, modulus: int, width: int) -> set[Row]:
    """Return every combination of the rows: the definition of the module that they generate."""
    found = {(0,) * width}
    for row in rows:
        multiples = [tuple(factor * entry % modulus for entry in row) for factor in range(modulus)]
        found = {
            tuple((a + b) % modulus for a, b in zip(left, right, strict=True)) for left in found for right in multiples
        }
    return found


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_howell_form_against_all_vectors(bits: int) -> None:
    modulus, arithmetic = 1 << bits, ModularIntegers(bits)

    @settings(max_examples=EXAMPLES, deadline=None)
    @given(small_rows, small_rows)
    def check(rows: Rows, others: Rows) -> None:
        basis = arithmetic.span(rows)
        module = _module(rows, modulus, 3)
        assert _module(basis, modulus, 3) == module
        assert (arithmetic.span(others) == basis) == (_module(others, modulus, 3) == module)  # canonical
        assert arithmetic.span(others, basis) == arithmetic.span(rows + others)
        for zeros in range(3):  # the Howell property
            tail = [row for row in basis if not any(row[:zeros])]
            assert _module(tail, modulus, 3) == {vector for vector in module if not any(vector[:zeros])}
        for vector in others:
            inside = tuple(entry % modulus for entry in vector) in module
            assert (not any(arithmetic.remainder(vector, basis))) == inside
        kernel = {
            vector
            for vector in product(range(modulus), repeat=3)
            if all(sum(a * b for a, b in zip(row, vector, strict=True)) % modulus == 0 for row in rows)
        }
        assert _module(arithmetic.kernel(rows, 3), modulus, 3) == kernel

    check()


def _rank(rows: list[list[Fraction]]) -> int:
    """Return the rank, by plain Gaussian elimination on fractions."""
    rows, rank = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((number for number in range(rank, len(rows)) if rows[number][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for number in range(rank + 1, len(rows)):
            factor = rows[number][column] / rows[rank][column]
            rows[number] = [a - factor * b for a, b in zip(rows[number], rows[rank], strict=True)]
        rank += 1
    return rank


def _fractions(rows: Rows | Basis) -> list[list[Fraction]]:
    return [[Fraction(entry) for entry in row] for row in rows]


@settings(max_examples=EXAMPLES * 2, deadline=None)
@given(wide_rows, wide_rows, st.integers(1, 5))
def test_rational_bases(rows: Rows, others: Rows, factor: int) -> None:
    arithmetic = Rationals()
    basis = arithmetic.span(rows)
    rank = _rank(_fractions(rows))
    assert len(basis) == rank == _rank(_fractions([*rows, *basis]))  # the same space
    scaled = [tuple(-factor * entry for entry in row) for row in reversed(rows)]
    assert arithmetic.span(scaled) == basis  # canonical
    assert arithmetic.span(others, basis) == arithmetic.span(rows + others)
    for vector in others:
        inside = _rank(_fractions([*rows, vector])) == rank
        assert (not any(arithmetic.remainder(vector, basis))) == inside
    kernel = arithmetic.kernel(rows, 5)
    assert len(kernel) == 5 - rank
    assert all(sum(a * b for a, b in zip(row, vector, strict=True)) == 0 for row in rows for vector in kernel)


@settings(max_examples=EXAMPLES, deadline=None)
@given(wide_rows)
def test_flint_gives_the_same_basis(rows: Rows) -> None:
    matrix = linear._flint()
    if matrix is None:
        pytest.skip("python-flint is not installed")
    nonzero = [row for row in rows if any(row)]
    if nonzero:
        assert linear._span_by_flint(matrix, nonzero) == Rationals().span(rows)


def test_a_large_space_works_with_and_without_flint(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [tuple((i * j * j + i) % 11 - 5 for j in range(30)) for i in range(40)]
    with_flint = Rationals().span(rows)
    monkeypatch.setattr(linear, "_flint", lambda: None)
    assert Rationals().span(rows) == with_flint
