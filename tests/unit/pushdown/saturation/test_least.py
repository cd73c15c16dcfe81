"""Least solutions of random flows of weights, in any order, with derivations that make up every value."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.numbering import NONE
from knaster.pushdown.saturation.derivations import AllDerivations
from knaster.pushdown.saturation.least import LeastSolution

DOMAIN = BitRelations(range(3))

Arrow = tuple[int, int, BitRelation[int]]


def random_flow(rng: random.Random) -> tuple[int, list[Arrow]]:
    """Return a number of variables, 0 the start, and arrows between them."""
    count = rng.randint(1, 8)
    arrows = []
    for _ in range(rng.randint(0, 3 * count)):
        pairs = [(a, b) for a in range(3) for b in range(3) if rng.random() < 0.3]
        arrows.append((rng.randrange(count), rng.randrange(count), DOMAIN.relation(pairs)))
    return count, arrows


def by_rounds(count: int, arrows: list[Arrow]) -> list[BitRelation[int]]:
    values = [DOMAIN.one] + [DOMAIN.zero] * (count - 1)
    changed = True
    while changed:
        changed = False
        for source, target, weight in arrows:
            new = DOMAIN.combine(values[target], DOMAIN.extend(values[source], weight))
            changed |= new != values[target]
            values[target] = new
    return values


def flow(arrows: list[Arrow], **options: Any) -> LeastSolution[int, BitRelation[int]]:
    solution: LeastSolution[int, BitRelation[int]] = LeastSolution(DOMAIN, **options)
    solution.add(0, DOMAIN.one)
    for v in solution.changes():
        for number, (source, target, weight) in enumerate(arrows):
            if source == solution.name[v]:
                solution.add(target, DOMAIN.extend(solution.value[v], weight), number, v)
    return solution


@pytest.mark.parametrize("priority", [None, lambda name: name, lambda name: -name, lambda name: 0])
def test_the_order_changes_nothing(priority: Callable[[int], int] | None) -> None:
    for seed in range(60):
        count, arrows = random_flow(random.Random(f"flow {seed}"))
        solution = flow(arrows, priority=priority)
        expected = by_rounds(count, arrows)
        assert [solution.at(name) for name in range(count)] == expected, seed
        assert sorted(solution.name) == [name for name in range(count) if expected[name] != DOMAIN.zero]
        assert all(solution.number(name) == v for v, name in enumerate(solution.name))
        assert solution.number(count) == NONE and len(solution) == len(solution.value)


def test_derivations_refer_to_what_was_there_and_make_up_every_value() -> None:
    for seed in range(60):
        _, arrows = random_flow(random.Random(f"log {seed}"))
        log: AllDerivations[BitRelation[int]] = AllDerivations()
        solution = flow(arrows, log=log)
        for v, name in enumerate(solution.name):
            total = DOMAIN.zero
            for derivation, share, weight in zip(log.derivations[v], log.shares[v], log.weights[v], strict=True):
                if derivation.rule != NONE:
                    source, target, label = arrows[derivation.rule]
                    assert (source, target) == (solution.name[derivation.first], name)
                    assert share == DOMAIN.extend(log.weights[derivation.first][derivation.first_version], label)
                total = DOMAIN.combine(total, share)
                assert weight == total
            assert total == solution.value[v]


def test_variables_wait_once_and_in_their_order() -> None:
    for priority, expected in ((None, "bac"), (str, "abc"), (lambda name: -ord(name), "cba")):
        solution: LeastSolution[str, Any] = LeastSolution(MinPath(), priority=priority)
        for name in "bacab":
            solution.add(name, 5)
        solution.add("c", 3)
        solution.add("d", MinPath().zero)
        assert "".join(solution.name[v] for v in solution.changes()) == expected
        assert solution.at("c") == 3 and solution.at("d") == MinPath().zero
        solution.close()
        solution.add("e", 1)
        assert list(solution.changes()) == [] and solution.at("e") == 1


def test_a_chain_without_end_is_noticed() -> None:
    solution: LeastSolution[str, Any] = LeastSolution(MinPath(), limit=10)
    with pytest.raises(UsageError, match="one weight changed 10 times and is 89 now: MinPath seems to have"):
        for length in range(99, 0, -1):
            solution.add("a", length)
