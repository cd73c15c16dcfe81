"""After any edits a session answers as if it had been asked from scratch.

`KNASTER_EXAMPLES=20 pytest tests/differential/test_sessions.py` has twenty times as many sessions.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from knaster.pushdown.automaton import Automaton, configuration_set, starting_with
from knaster.pushdown.fast.session import Session
from knaster.pushdown.saturation.query import weight_at
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import PushdownSystem, Rule
from support.generators.pushdown_systems import FAMILIES, Family, random_configuration

SCALE = int(os.environ.get("KNASTER_EXAMPLES", "1"))
SESSIONS, EDITS = 2 * SCALE, 150

families = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def _random_rule(rng: random.Random, family: Family[Any], states: list[str], symbols: list[str]) -> Rule[Any]:
    length = rng.choice([0, 1, 1, 2] if rng.random() < 0.97 else [3])
    push = tuple(rng.choice(symbols) for _ in range(length))
    weight = family.weight(rng)
    merge = family.merge(rng, weight) if len(push) == 2 else None
    return Rule(rng.choice(states), rng.choice(symbols), rng.choice(states), push, weight, merge)


@families
@pytest.mark.parametrize("backward", [False, True], ids=["post", "pre"])
def test_edits_equal_scratch(family: Family[Any], backward: bool) -> None:
    reached = reused = 0
    for seed in range(SESSIONS):
        rng = random.Random(f"session {family.name} {backward} {seed}")
        states, symbols = ["p", "q"][: rng.randint(1, 2)], [f"n{i}" for i in range(rng.randint(3, 8))]
        rules = [_random_rule(rng, family, states, symbols) for _ in range(rng.randint(5, 15))]
        system = PushdownSystem.of(family.domain, rules)
        question: Automaton[Any] = configuration_set(*(random_configuration(rng, system) for _ in range(2)))
        if rng.random() < 0.4:
            question = starting_with(states[0], rng.choice(symbols))
        session = Session(system)
        (session.pre if backward else session.post)(question)
        for edit in range(EDITS):
            removed = rng.sample(rules, min(len(rules), rng.choice([0, 1, 1, 2])))
            added = [_random_rule(rng, family, states, symbols) for _ in range(rng.choice([0, 1, 1, 2]))]
            for rule in removed:
                rules.remove(rule)
            rules += added
            session.edit(add=added, remove=removed)
            if rng.random() < 0.3:
                continue  # several edits before the next question
            system = PushdownSystem.of(family.domain, rules)
            scratch = (pre_star if backward else post_star)(system, question)
            for _ in range(4):
                probe = random_configuration(rng, system, 3) if rules else None
                if probe is None:
                    continue
                assert session.weight_of(probe) == scratch.weight_of(probe), (seed, edit, probe)
                if probe.stack:
                    node, *context = probe.stack
                    expected = weight_at(scratch, node, *context)
                    assert session.at(node, context) == expected, (seed, edit, probe)
                    reached += expected != family.domain.zero
            reused += not session.explain().scratch
    assert reached > SESSIONS * EDITS / 4
    assert reused > SESSIONS * EDITS / 3
