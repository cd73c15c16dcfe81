"""Packed rows: the Howell form of `howell.py`, for words of every length."""

from __future__ import annotations

from random import Random

import pytest

from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.packed import Packing


@pytest.mark.parametrize("bits", [1, 2, 3, 8, 32, 33, 64])
def test_howell_forms(bits: int) -> None:
    rng = Random(bits)
    numbers = [0, 0, 1, 2, 4, 6, (1 << bits) - 1, 1 << bits - 1]
    plain = ModularIntegers(bits)
    for _ in range(60):
        width = rng.randint(1, 5)
        packing = Packing(bits, width)
        rows = [[rng.choice(numbers) for _ in range(width)] for _ in range(rng.randint(0, 4))]
        more = [[rng.choice(numbers) for _ in range(width)] for _ in range(rng.randint(0, 3))]
        packed = [packing.pack(row) for row in rows]
        assert [packing.unpack(row) for row in packed] == [tuple(n & (1 << bits) - 1 for n in row) for row in rows]
        basis = packing.howell(packed)
        assert tuple(map(packing.unpack, basis)) == plain.span_of_tuples(rows)
        both = packing.howell(map(packing.pack, more), basis)
        assert tuple(map(packing.unpack, both)) == plain.span_of_tuples(more, plain.span_of_tuples(rows))
        assert packing.howell(basis, both) is both
