"""The engine "fast" against plain saturation: the same weights, runs that make them up, both directions.

Weights are compared in 120 systems of every family, and in 3,000 by `make test-slow`; `KNASTER_EXAMPLES=10` makes
everything ten times as long.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from knaster.pushdown.automaton import Automaton, Edge, configuration_set, starting_with
from knaster.pushdown.domains.affine import AffineRelations
from knaster.pushdown.domains.relations import BddRelations
from knaster.pushdown.merge import projecting_merge
from knaster.pushdown.runs.witness import witness, witnesses
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.query import path_summary, weight_at, weight_in
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import PushdownSystem, Rule, run_value
from support.generators.pushdown_systems import FAMILIES, Family, random_configuration, random_system, weighted_set

SYSTEMS = 60 * int(os.environ.get("KNASTER_EXAMPLES", "1"))

SYMBOLIC = BddRelations(["g", "l"])
AFFINE = AffineRelations(["x", "y"])


def _symbolic(rng: random.Random) -> Any:
    name, other = rng.sample(["g", "l"], 2)
    right = rng.choice([SYMBOLIC.variable(other), ~SYMBOLIC.variable(name), True, False, None])
    condition = SYMBOLIC.assume(SYMBOLIC.variable(other) if rng.random() < 0.5 else ~SYMBOLIC.variable(name))
    return rng.choice([SYMBOLIC.one, SYMBOLIC.assign({name: right}), condition])


def _affine(rng: random.Random) -> Any:
    name, other = rng.sample(["x", "y"], 2)
    value = rng.choice([None, rng.randint(-1, 2), (rng.randint(-1, 1), {other: 1}), (1, {name: 1})])
    return AFFINE.one if rng.random() < 0.2 else AFFINE.assign({name: value})


def _forgetting_locals(rng: random.Random, call: Any) -> Any:
    return projecting_merge(SYMBOLIC, call, SYMBOLIC.projection(["l"])) if rng.random() < 0.6 else None


ALL: list[Family[Any]] = [
    *FAMILIES,
    Family("symbolic", SYMBOLIC, _symbolic, _forgetting_locals),
    Family("affine", AFFINE, _affine, lambda rng, call: None),
]

families = pytest.mark.parametrize("family", ALL, ids=lambda family: family.name)
Question = tuple[PushdownSystem[Any], Automaton[Any]]


def dense_system(rng: random.Random, family: Family[Any]) -> PushdownSystem[Any]:
    """Return a system with few symbols and many rules: loops with several entries, calls that call each other."""
    states = ["p", "q"][: rng.randint(1, 2)]
    symbols = [f"n{i}" for i in range(rng.randint(2, 9))]
    rules = []
    for _ in range(rng.randint(4, 22)):
        push = tuple(rng.choice(symbols) for _ in range(rng.choice([0, 1, 1, 1, 1, 2])))
        weight = family.weight(rng)
        merge = family.merge(rng, weight) if len(push) == 2 else None
        rules.append(Rule(rng.choice(states), rng.choice(symbols), rng.choice(states), push, weight, merge))
    return PushdownSystem.of(family.domain, rules)


def random_question(rng: random.Random, family: Family[Any]) -> Question:
    """Return a system and a weighted set of configurations, sometimes an infinite one."""
    system = (dense_system if rng.random() < 0.6 else random_system)(rng, family)
    if rng.random() < 0.5:
        starts = [(random_configuration(rng, system), family.domain.one) for _ in range(2)]
        return system, weighted_set([*starts, (random_configuration(rng, system), family.domain.one)])
    controls = sorted({rule.source for rule in system.given}, key=str)
    symbols = sorted({rule.symbol for rule in system.given}, key=str)
    edges = [
        Edge(rng.choice([*controls, "s", "t"]), rng.choice(symbols), rng.choice("st"), family.weight(rng))
        for _ in range(rng.randint(1, 5))
    ]
    final = frozenset(rng.sample(["s", "t"], rng.randint(1, 2)))
    return system, Automaton(tuple(edges), final, frozenset(controls))


@families
@pytest.mark.parametrize("saturate", [post_star, pre_star])
@pytest.mark.parametrize(
    "seeds", [range(2 * SYSTEMS), pytest.param(range(2 * SYSTEMS, 50 * SYSTEMS), marks=pytest.mark.slow)]
)
def test_fast_equals_plain(family: Family[Any], saturate: Any, seeds: range) -> None:
    reached = 0
    for seed in seeds:
        rng = random.Random(f"fast {saturate.__name__} {family.name} {seed}")
        system, automaton = random_question(rng, family)
        plain, fast = saturate(system, automaton), saturate(system, automaton, engine="fast")
        for _ in range(6):
            probe = random_configuration(rng, system, 3)
            assert plain.weight_of(probe) == fast.weight_of(probe), (seed, probe)
            if probe.stack:
                assert weight_at(plain, *probe.stack) == weight_at(fast, *probe.stack), (seed, probe)
            below: Automaton[Any] = starting_with(probe.state, *probe.stack)
            assert weight_in(plain, below) == weight_in(fast, below), (seed, probe)
            reached += plain.weight_of(probe) != family.domain.zero
        assert path_summary(plain) == path_summary(fast), seed
        _compare_transitions(plain, fast, family.domain.zero)
    assert reached > len(seeds) / 8


def _compare_transitions(plain: Answer[Any], fast: Answer[Any], zero: Any) -> None:
    """Check that plain transitions have the same weights; fast may have more, in callees that only 0 leads to."""
    found = {transition[:3]: transition.weight for transition in fast.transitions()}
    for transition in plain.transitions():
        assert found[transition[:3]] == transition.weight, transition
    if plain.forward:
        assert all(weight == zero for name, weight in found.items() if name not in {t[:3] for t in plain.transitions()})


@families
def test_fast_witnesses_make_up_the_weight(family: Family[Any]) -> None:
    several = 0
    for seed in range(SYSTEMS):
        rng = random.Random(f"fast witness {family.name} {seed}")
        system = (dense_system if rng.random() < 0.6 else random_system)(rng, family)
        inner: Automaton[Any] = configuration_set(*(random_configuration(rng, system) for _ in range(2)))
        probe = random_configuration(rng, system)
        outer: Automaton[Any] = starting_with(probe.state, *probe.stack)
        for answer, asked, given in (
            (post_star(system, inner, engine="fast", witnesses="all"), outer, inner),
            (pre_star(system, outer, engine="fast", witnesses="all"), inner, outer),
        ):
            total = family.domain.zero
            found = witnesses(answer, asked)
            for each in found:
                near, far = (each.start, each.end) if answer.forward else (each.end, each.start)
                assert _accepts(asked, near, system) and _accepts(given, far, system), seed
                assert run_value(family.domain, each.run) == each.value, seed
                total = family.domain.combine(total, each.value)
            assert total == weight_in(answer, asked), seed
            assert (witness(answer, asked) is None) == (total == family.domain.zero)
            several += len(found) > 1
    assert several > 0 or family.name in ("boolean", "minpath")


def _accepts(automaton: Automaton[Any], configuration: Any, system: PushdownSystem[Any]) -> bool:
    return pre_star(PushdownSystem.of(system.domain, []), automaton).accepts(configuration)


@pytest.mark.parametrize("saturate", [post_star, pre_star])
def test_fast_witness_is_shortest(saturate: Any) -> None:
    family = FAMILIES[1]
    for seed in range(SYSTEMS):
        rng = random.Random(f"fast shortest {seed}")
        system = dense_system(rng, family)
        automaton: Automaton[Any] = configuration_set(random_configuration(rng, system))
        asked: Automaton[Any] = starting_with(random_configuration(rng, system).state)
        answer = saturate(system, automaton, engine="fast", witnesses="one")
        found = witness(answer, asked)
        assert (family.domain.zero if found is None else found.value) == weight_in(answer, asked), seed
