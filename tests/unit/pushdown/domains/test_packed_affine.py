"""Packed affine relations: the spaces and the relations of `affine.py`, operation by operation."""

from __future__ import annotations

from random import Random

import pytest

from knaster.pushdown.domains import native_howell
from knaster.pushdown.domains.affine import AffineRelations, AffineSpace, Expression
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.packed_affine import PackedAffineRelations
from knaster.pushdown.laws import check_laws


class Plain(ModularIntegers):
    """Howell forms by operations on single entries."""

    span = ModularIntegers.span_of_tuples


def value(rng: Random, names: list[str]) -> Expression | None:
    linear = (rng.randint(0, 3), {rng.choice(names): rng.randint(-2, 3)})
    return rng.choice([None, rng.randint(-3, 5), rng.choice(names), linear])


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("bits", [1, 3, 32, 64])
def test_operations(bits: int, native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not native:
        monkeypatch.setattr(native_howell, "load", lambda: None)
    rng = Random(bits)
    for _ in range(12):
        names = [f"v{number}" for number in range(rng.randint(1, 4))]
        plain, packed = AffineRelations(names, Plain(bits)), PackedAffineRelations(names, bits)
        pool: list[tuple[AffineSpace, AffineSpace]] = [(plain.one, packed.one), (plain.zero, packed.zero)]
        for _ in range(4):
            values = {name: value(rng, names) for name in names if rng.random() < 0.6}
            pool.append((plain.assign(values), packed.assign(values)))
        shared = [name for name in names if rng.random() < 0.5]
        projections = plain.projection(shared), packed.projection(shared)
        for _ in range(12):
            (a, x), (b, y) = rng.choice(pool), rng.choice(pool)
            made = [
                (plain.combine(a, b), packed.combine(x, y)),
                (plain.extend(a, b), packed.extend(x, y)),
                (plain.diff(a, b), packed.diff(x, y)),
                (projections[0](a), projections[1](x)),
            ][rng.randrange(4)]
            assert made[0].basis == made[1].basis and made[1] == made[0]
            assert plain.relations(made[0]) == packed.relations(made[1])
            assert packed.owns(made[1]) and packed.owns(made[0])
            pool.append(made)


def test_laws() -> None:
    domain = PackedAffineRelations(["x", "y"], 8)
    samples = [domain.assign({"x": 3}), domain.assign({"x": "y", "y": (1, {"x": 2})}), domain.assign({"y": None})]
    assert check_laws(domain, [domain.zero, domain.one, *samples]) == []
