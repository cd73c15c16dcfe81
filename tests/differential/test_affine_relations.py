"""Affine relations against concrete runs: every relation holds, and over Q the same ones hold modulo 2^w."""

from __future__ import annotations

import os
from random import Random

from knaster.pushdown.domains.affine import AffineRelations
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.linear import Rationals
from support.generators.affine_programs import GLOBALS, LOCALS, graph, random_program, random_run

PROGRAMS = 40 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
NAMES = GLOBALS + LOCALS


def test_relations_hold_in_every_run() -> None:
    rational, modular = AffineRelations(NAMES), AffineRelations(NAMES, ModularIntegers(8))
    found = exact = 0
    for seed in range(PROGRAMS):
        program = random_program(Random(seed))
        over_q = {n: rational.relations(w) for n, w in graph(program, rational).jovp().everywhere().items()}
        modulo = {n: modular.relations(w) for n, w in graph(program, modular).jovp().everywhere().items()}
        points: dict[tuple[str, int], list[tuple[int, ...]]] = {}
        random = Random(seed)
        for _ in range(60):
            for node, values in random_run(program, random, 40):
                points.setdefault(node, []).append((1, *(values[name] for name in NAMES)))
        for node, seen in points.items():
            for point in seen:
                assert all(_dot(relation, point) == 0 for relation in over_q[node]), (seed, node)
                assert all(_dot(relation, point) % 256 == 0 for relation in modulo[node]), (seed, node)
            for relation in over_q[node]:
                assert not any(ModularIntegers(8).remainder(relation, modulo[node])), (seed, node)
            found += len(over_q[node])
            exact += Rationals().kernel(seen, len(NAMES) + 1) == over_q[node]
    assert found > PROGRAMS  # the relations are not all trivial
    assert exact > PROGRAMS * 4  # and mostly the strongest ones that the runs allow


def _dot(relation: tuple[int, ...], point: tuple[int, ...]) -> int:
    return sum(a * b for a, b in zip(relation, point, strict=True))
