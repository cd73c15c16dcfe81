"""The laws of tensor products, on every domain that has them."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.domains import (
    AffineRelations,
    BitRelations,
    Boolean,
    GenKill,
    MinPath,
    ModularIntegers,
    WeightedRelations,
)
from knaster.pushdown.transducers.tensor_laws import check_tensor
from knaster.pushdown.transducers.tensors import RelationPower, tensor_power

SCALE = int(os.environ.get("KNASTER_EXAMPLES", "1"))

BITS = BitRelations("ab")
LENGTHS = WeightedRelations("ab", MinPath())
RATIONAL = AffineRelations(["x"])
MODULAR = AffineRelations(["x"], ModularIntegers(2))

Sample = Callable[[random.Random], Any]


def _bits(rng: random.Random) -> Any:
    return BITS.relation([(a, b) for a in "ab" for b in "ab" if rng.random() < 0.5])


def _lengths(rng: random.Random) -> Any:
    return LENGTHS.relation({(a, b): rng.randrange(5) for a in "ab" for b in "ab" if rng.random() < 0.6})


def _affine(domain: AffineRelations) -> Sample:
    def sample(rng: random.Random) -> Any:
        steps = [domain.assign({"x": (rng.randrange(3), {"x": rng.randrange(-1, 3)})}) for _ in range(rng.randrange(3))]
        total = domain.zero
        for step in steps:
            total = domain.combine(total, step)
        return total

    return sample


DOMAINS: list[tuple[str, Any, Sample, int]] = [
    ("boolean", Boolean(), lambda rng: rng.random() < 0.5, 4),
    ("minpath", MinPath(), lambda rng: rng.choice([0, 1, 2, 7, MinPath.zero]), 4),
    ("relations", BITS, _bits, 3),
    ("lengths", LENGTHS, _lengths, 3),
    ("affine", RATIONAL, _affine(RATIONAL), 2),
    ("modular", MODULAR, _affine(MODULAR), 2),
]


@pytest.mark.parametrize(("name", "domain", "sample", "most"), DOMAINS, ids=[each[0] for each in DOMAINS])
def test_laws_of_tensors(name: str, domain: Any, sample: Sample, most: int) -> None:
    for seed in range(6 * SCALE):
        rng = random.Random(f"{name} {seed}")
        count = rng.randint(1, most)
        samples = [sample(rng) for _ in range(2 if count > 2 else 3)]
        assert not check_tensor(domain, tensor_power(domain, count), samples), (seed, count)


class _Pairs(RelationPower):
    """A detensor that composes the projections of each component: what pairs of weights would give."""

    def detensor(self, weight: Any) -> Any:
        rows: Any = BITS.one
        for position in range(self.count):
            pairs = [(left[position], right[position]) for left, right in weight]
            rows = BITS.extend(rows, BITS.relation(pairs))
        return rows


def test_pairs_of_weights_are_no_tensor_product() -> None:
    """The cross terms of the specification's T6.4: exact is empty, pairs say otherwise."""
    unit = {(i, j): BITS.relation([("ab"[i], "ab"[j])]) for i in (0, 1) for j in (0, 1)}
    samples = [unit[0, 1], unit[0, 0], unit[1, 1]]
    assert not check_tensor(BITS, tensor_power(BITS, 2), samples)
    broken = check_tensor(BITS, _Pairs(BITS, 2), samples)
    assert [violation.law for violation in broken] == ["detensor(⊙a + ⊙b) = detensor(⊙a) + detensor(⊙b)"]


def _detensor_by_hand(matrix: Sequence[Sequence[bool]], size: int) -> list[list[bool]]:
    """The formula of section 6.5.2: l = i div k, r = j mod k, j div k = i mod k."""
    result = [[False] * size for _ in range(size)]
    for i, row in enumerate(matrix):
        for j, entry in enumerate(row):
            if entry and j // size == i % size:
                result[i // size][j % size] = True
    return result


def test_detensor_is_the_formula_of_the_thesis() -> None:
    states = "abc"
    domain, rng = BitRelations(states), random.Random(3)
    power = tensor_power(domain, 2)
    for _ in range(50):
        pairs = [(a, b) for a in power.domain.one.states for b in power.domain.one.states if rng.random() < 0.1]
        weight = power.domain.relation(pairs)  # type: ignore[attr-defined]
        matrix = [[bool(row >> column & 1) for column in range(9)] for row in weight.rows]
        expected = _detensor_by_hand(matrix, 3)
        found = power.detensor(weight)
        assert [[(a, b) in found for b in states] for a in states] == expected


def test_what_has_no_tensor_product_says_so() -> None:
    with pytest.raises(UsageError, match="GenKill has no tensor product"):
        tensor_power(GenKill(["x"]), 2)
    with pytest.raises(UsageError, match="has 65536 rows"):
        tensor_power(BitRelations(range(16)), 4)
    with pytest.raises(UsageError, match="at least one factor"):
        tensor_power(Boolean(), 0)


def test_a_domain_may_bring_its_own() -> None:
    class Own(Boolean):
        def tensor_power(self, count: int) -> Any:
            return f"{count} copies"

    copies: Any = tensor_power(Own(), 3)
    assert copies == "3 copies"
