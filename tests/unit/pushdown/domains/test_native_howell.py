"""Howell forms by the native library are those of Python, row by row and product by product."""

from __future__ import annotations

from random import Random

import pytest

from knaster.pushdown.domains import native_howell
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.packed import Packing
from knaster.pushdown.domains.packed_affine import PackedAffineRelations

pytestmark = pytest.mark.skipif(native_howell.load() is None, reason="the library was not compiled")
ROUNDS = 60


def entry(rng: Random, bits: int) -> int:
    return rng.choice((0, 0, 1, 2, rng.getrandbits(bits), 1 << rng.randrange(bits))) % (1 << bits)


def rows_of(rng: Random, bits: int, width: int) -> list[tuple[int, ...]]:
    return [tuple(entry(rng, bits) for _ in range(width)) for _ in range(rng.randrange(5))]


def without_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_howell, "load", lambda: None)


@pytest.mark.parametrize("bits", [1, 7, 32, 33, 64])
def test_forms(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, width = Random(bits), 5
    packing, given = Packing(bits, width), []
    for _ in range(ROUNDS):
        basis = packing.howell(map(packing.pack, rows_of(rng, bits, width)))
        rows = [packing.pack(row) for row in rows_of(rng, bits, width)]
        given.append((rows, basis, packing.howell(rows, basis)))
    without_library(monkeypatch)
    for rows, basis, found in given:
        made = packing.howell(rows, basis)
        assert made == found and (made is basis) == (found is basis)


@pytest.mark.parametrize("bits", [1, 7, 32, 33, 64])
def test_null_modules_and_columns(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, width, arithmetic = Random(bits), 4, ModularIntegers(bits)
    given = []
    for _ in range(ROUNDS):
        rows, order = rows_of(rng, bits, width), rng.sample(range(width), width)
        hidden = rng.randrange(width)
        given.append((rows, order, hidden, arithmetic.kernel(rows, width), arithmetic.restrict(rows, order, hidden)))
        assert all(
            sum(a * b for a, b in zip(row, one, strict=True)) % (1 << bits) == 0 for row in rows for one in given[-1][3]
        )
    without_library(monkeypatch)
    for rows, order, hidden, null, rest in given:
        assert arithmetic.kernel(rows, width) == null
        assert arithmetic.restrict(rows, order, hidden) == rest


def test_numbers_below_zero_count_modulo() -> None:
    assert ModularIntegers(8).restrict([(-1, 3)], (0, 1), 0) == ((1, 253),)
    assert ModularIntegers(8).kernel([(-1, 255)], 2) == ((1, 255),)


@pytest.mark.parametrize("bits", [3, 32, 64])
def test_products(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, names = Random(bits), ["x", "y", "z"]
    domain = PackedAffineRelations(names, bits)
    made = []
    for _ in range(ROUNDS):
        pair = [
            domain.combine(
                domain.assign({rng.choice(names): (entry(rng, bits), {rng.choice(names): entry(rng, bits)})}),
                domain.assign({rng.choice(names): rng.choice([None, 3])}),
            )
            for _ in range(2)
        ]
        made.append((pair, domain.extend(*pair)))
    without_library(monkeypatch)
    for pair, product in made:
        assert domain.extend(*pair) == product
