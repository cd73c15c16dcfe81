"""Transducers against post*, against runs enumerated one by one, and compositions against contexts run one by one.

`KNASTER_EXAMPLES=30 pytest tests/differential/test_transducers.py` checks 3,000 systems of every family.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from knaster.pushdown.automaton import configuration_set
from knaster.pushdown.numbering import Names
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import Configuration
from knaster.pushdown.transducers.compose import Composition
from knaster.pushdown.transducers.contexts import Standing, weight_within
from knaster.pushdown.transducers.images import image
from knaster.pushdown.transducers.language import single_word
from knaster.pushdown.transducers.of_system import transducer_of
from knaster.pushdown.transducers.rounds import in_rounds
from knaster.pushdown.transducers.transducer import word_of
from support.generators.joint_systems import JOINT_FAMILIES, by_rounds, by_switches, random_systems, some_joints
from support.generators.pushdown_systems import FAMILIES, Family, enumerate_runs, random_configuration, random_system

SCALE = int(os.environ.get("KNASTER_EXAMPLES", "1"))

joint_families = pytest.mark.parametrize("family", JOINT_FAMILIES, ids=lambda family: family.name)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_transducer_relates_what_runs_relate(family: Family[Any]) -> None:
    """Every pair of configurations has the weight that post* of the first gives the second."""
    related = several = 0
    for seed in range(100 * SCALE):
        rng = random.Random(f"transducer {family.name} {seed}")
        system = random_system(rng, family, merges=False)
        several += len({rule.source for rule in system.given}) > 1
        transducer = transducer_of(system)
        for _ in range(2):
            start = random_configuration(rng, system, 3)
            answer = post_star(system, configuration_set(start))
            reached, _ = enumerate_runs(system, [(start, family.domain.one)], family, height=4, points=100)
            ends = [end for end in list(reached)[:8] if isinstance(end.state, str)]
            for end in (*ends, random_configuration(rng, system, 2)):
                weight = answer.weight_of(end)
                related += weight != family.domain.zero
                assert transducer.weight_of(word_of(start), word_of(end)) == weight, (seed, str(start), str(end))
    assert related > 300 * SCALE and several > 50 * SCALE


@joint_families
def test_a_transducer_composed_with_itself_is_itself(family: Family[Any]) -> None:
    """A run that is interrupted is a run, so τ;τ = τ, with all the work done by the tensor product."""
    related = 0
    for seed in range(15 * SCALE):
        rng = random.Random(f"composed {family.name} {seed}")
        system = random_systems(rng, family, ("p", "q")[: rng.randint(1, 2)], 1, recursive=True)[0][0]
        once = transducer_of(system)
        twice = Composition(once, once)
        for _ in range(4):
            start, end = (word_of(random_configuration(rng, system)) for _ in range(2))
            weight = once.weight_of(start, end)
            related += weight != family.domain.zero
            assert twice.weight_of(start, end) == weight, (seed, start, end)
    assert related > 5 * SCALE


@joint_families
def test_contexts_by_transducers(family: Family[Any]) -> None:
    """Composed transducers weigh what contexts, run one by one, weigh."""
    for seed in range(8 * SCALE):
        rng = random.Random(f"contexts {family.name} {seed}")
        large = family.name == "relations"  # its tensor products have 2^(2 k + 2) rows
        states = ("p", "q")[: 1 if large else rng.randint(1, 2)]
        systems, start = random_systems(rng, family, states, rng.choice((2, 2, 3)))
        switches = rng.randint(0, 1 if large else 2)
        found = by_switches(systems, start, family, switches)
        for end in some_joints(rng, systems, found):
            weight = weight_within(systems, start, end, switches)
            assert weight == found.get(end, family.domain.zero), (seed, switches, str(end))
        number = rng.randrange(len(systems))
        top = rng.choice(systems[number].given).symbol
        total = family.domain.zero
        for end, weight in found.items():
            if end.stacks[number][:1] == (top,):
                total = family.domain.combine(total, weight)
        assert weight_within(systems, start, Standing(number, (top,)), switches) == total, (seed, switches, top)


@joint_families
def test_rounds_as_one_system(family: Family[Any]) -> None:
    """The reduction to one system weighs what rounds, run one by one, weigh."""
    for seed in range(12 * SCALE):
        rng = random.Random(f"rounds {family.name} {seed}")
        systems, start = random_systems(rng, family, ("p", "q")[: rng.randint(1, 2)], rng.choice((2, 2, 3)))
        rounds = rng.randint(1, 3)
        found = by_rounds(systems, start, family, rounds)
        reduced = in_rounds(systems, start, rounds)
        for end in some_joints(rng, systems, found):
            assert reduced.weight_of(end) == found.get(end, family.domain.zero), (seed, rounds, str(end))


def test_no_run_stops_inside_a_rule() -> None:
    """A rule with three symbols is one step: no configuration in its middle is related to anything."""
    rng = random.Random(5)
    while True:
        system = random_system(rng, FAMILIES[0], merges=False)
        long = [rule for rule in system.given if len(rule.push) == 3]
        if long:
            break
    word = word_of(Configuration(long[0].source, (long[0].symbol,)))
    ends = [Configuration(rule.target, rule.push) for rule in system.rules]
    related = [transducer_of(system).weight_of(word, word_of(end)) for end in ends if not isinstance(end.state, str)]
    assert related and not any(related)


def test_images_without_weights() -> None:
    """The image of one configuration is the set of those to which it is related."""
    related = 0
    for seed in range(40 * SCALE):
        rng = random.Random(f"image {seed}")
        system = random_system(rng, FAMILIES[0], merges=False)
        transducer, names = transducer_of(system), Names()
        start = random_configuration(rng, system)
        word = [names.number(symbol) for symbol in word_of(start)]
        reached = image(single_word(word), transducer, names)
        answer = post_star(system, configuration_set(start))
        for _ in range(20):
            end = random_configuration(rng, system)
            letters = [names.number(symbol) for symbol in word_of(end)]
            assert reached.contains(letters) == answer.accepts(end), (seed, str(start), str(end))
            related += answer.accepts(end)
    assert related > 40 * SCALE
