"""A domain that gives up in the middle, as one with a budget does, leaves nothing half done."""

from __future__ import annotations

import random
from typing import Any

import pytest

from knaster.pushdown.automaton import Automaton, configuration_set, starting_with
from knaster.pushdown.fast.session import Session
from knaster.pushdown.runs.witness import witnesses
from knaster.pushdown.saturation.query import weight_in
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import PushdownSystem, Rule
from support.generators.pushdown_systems import RELATIONS, random_configuration


class Spent(Exception):
    """The budget is spent."""


class Budgeted:
    """Relations whose operations stop after a while."""

    zero, one = RELATIONS.zero, RELATIONS.one

    def __init__(self) -> None:
        self.left = 10**9

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Spent

    def combine(self, first: Any, second: Any) -> Any:
        self._spend()
        return RELATIONS.combine(first, second)

    def extend(self, first: Any, second: Any) -> Any:
        self._spend()
        return RELATIONS.extend(first, second)

    def diff(self, new: Any, old: Any) -> Any:
        return RELATIONS.diff(new, old)


def random_rules(rng: random.Random) -> list[Rule[Any]]:
    symbols = [f"n{i}" for i in range(5)]
    rules = []
    for _ in range(12):
        push = tuple(rng.choice(symbols) for _ in range(rng.choice([0, 1, 1, 2])))
        pairs = [(a, b) for a in range(4) for b in range(4) if rng.random() < 0.3]
        rules.append(Rule("p", rng.choice(symbols), "p", push, RELATIONS.relation(pairs)))
    return rules


@pytest.mark.parametrize("saturate", [post_star, pre_star])
def test_asking_again_after_an_interruption(saturate: Any) -> None:
    interrupted = 0
    for seed in range(25):
        rng = random.Random(f"interrupt {seed}")
        domain = Budgeted()
        system = PushdownSystem.of(domain, random_rules(rng))
        question: Automaton[Any] = configuration_set(random_configuration(rng, system, 1))
        asked: Automaton[Any] = starting_with("p")
        expected = weight_in(saturate(system, question), asked)
        for budget in range(0, 60, 3):
            answer = saturate(system, question, engine="fast", witnesses="all")
            domain.left = budget
            try:
                weight_in(answer, asked)
            except Spent:
                interrupted += 1
            domain.left = 10**9
            assert weight_in(answer, asked) == expected, (seed, budget)
            total = domain.zero
            for found in witnesses(answer, asked):
                total = domain.combine(total, found.value)
            assert total == expected, (seed, budget)
    assert interrupted > 50


def test_sessions_survive_interruptions() -> None:
    interrupted = 0
    for seed in range(25):
        rng = random.Random(f"interrupted session {seed}")
        domain = Budgeted()
        rules = random_rules(rng)
        system = PushdownSystem.of(domain, rules)
        question: Automaton[Any] = configuration_set(random_configuration(rng, system, 1))
        session = Session(system)
        session.post(question)
        for _ in range(20):
            gone, added = rng.sample(rules, 1), random_rules(rng)[:1]
            rules = [rule for rule in rules if rule is not gone[0]] + added
            session.edit(add=added, remove=gone)
            domain.left = rng.randrange(40)
            node = f"n{rng.randrange(5)}"
            try:
                session.at(node)
            except Spent:
                interrupted += 1
            domain.left = 10**9
            if rng.random() < 0.6:
                fresh = post_star(PushdownSystem.of(domain, rules), question)
                assert session.at(node) == weight_in(fresh, starting_with("p", node)), seed
    assert interrupted > 50
