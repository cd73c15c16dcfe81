"""Lengths that may be negative: exact values against long enumeration, infinities exactly where they belong."""

from __future__ import annotations

import random
from math import inf
from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import single
from knaster.pushdown.merge import Merge
from knaster.pushdown.signed_lengths import Equation, Signed, SignedLengths, best_pre_star, best_run_in, best_values
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import Configuration, PushdownSystem, Rule, SystemBuilder, execute


def test_equations_with_a_negative_cycle() -> None:
    domain = SignedLengths()
    equations = [
        Equation(0, 5, ()),
        Equation(0, -1, (1,)),
        Equation(1, 0, (0,)),
        Equation(2, 3, (0,)),
        Equation(3, 7, ()),
        Equation(4, 0, (3, 5)),
    ]
    assert best_values(domain, 6, equations)[0] == [-inf, -inf, -inf, 7, inf, inf]
    assert best_values(SignedLengths(longest=True), 6, equations)[0] == [5, 5, 8, 7, -inf, -inf]


def test_a_product_of_an_infinity_and_nothing_is_nothing() -> None:
    domain = SignedLengths()
    assert domain.extend(-inf, domain.zero) == domain.zero
    assert domain.extend(-inf, 3) == -inf
    assert domain.owns(3) and domain.owns(-inf) and not domain.owns(True) and not domain.owns(2.5)


def _system(rng: random.Random) -> PushdownSystem[Signed]:
    rules: list[Rule[Signed]] = []
    for _ in range(rng.randint(2, 7)):
        push = tuple(rng.choice("ab") for _ in range(rng.choice([0, 1, 1, 2])))
        rules.append(Rule(rng.choice("pq"), rng.choice("ab"), rng.choice("pq"), push, rng.randint(-2, 3)))
    return PushdownSystem.of(SignedLengths(), rules)


def _best_by_enumeration(system: PushdownSystem[Signed], length: int) -> Signed:
    """Return the least sum over the runs of at most `length` rules from <p, a> to <q, ε>."""
    best: dict[tuple[Any, tuple[Any, ...]], Signed] = {("p", ("a",)): 0}
    total: Signed = inf
    for _ in range(length):
        following: dict[tuple[Any, tuple[Any, ...]], Signed] = {}
        for (state, stack), value in best.items():
            for rule in system.rules:
                if stack and rule.source == state and rule.symbol == stack[0] and len(stack) <= 8:
                    after = rule.target, rule.push + stack[1:]
                    following[after] = min(following.get(after, inf), value + rule.weight)
        best = following
        total = min(total, best.get(("q", ()), inf))
    return total


def test_random_systems() -> None:
    kinds = {"finite": 0, "infinite": 0, "none": 0}
    for seed in range(300):
        system = _system(random.Random(seed))
        weight, found = best_run_in(best_pre_star(system, single("q")), single("p", "a"))
        short, long = _best_by_enumeration(system, 14), _best_by_enumeration(system, 40)
        assert weight <= long
        if weight == inf:
            kinds["none"] += 1
        elif weight == -inf:
            kinds["infinite"] += 1
            assert long < short or long <= 0, seed
        else:
            kinds["finite"] += 1
            assert found is not None
            assert sum(rule.weight for rule in found.run) == weight == long, seed
            last = [(state, list(stack)) for state, stack in execute(Configuration("p", ("a",)), found.run)][-1:]
            assert last in ([("q", [])], [])
    assert min(kinds.values()) >= 10


def test_refusals() -> None:
    builder = SystemBuilder(SignedLengths())
    merge: Merge[Signed] = Merge(lambda a, b: a)
    builder.rule("p", "a", "p", "b", "c", merge=merge)
    with pytest.raises(UsageError, match="merge functions"):
        best_pre_star(builder.build(), single("p"))
    plain = SystemBuilder(SignedLengths())
    with pytest.raises(UsageError, match="best_pre_star"):
        best_run_in(post_star(plain.build(), single("p")), single("p"))
