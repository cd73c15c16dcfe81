"""Weighted post* and pre* against each other, against runs enumerated one by one, and the kernel against the reference.

`KNASTER_EXAMPLES=20 pytest tests/differential/test_pushdown.py` checks 3,000 systems of every family.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from knaster.pushdown import kernel_calls as compiled
from knaster.pushdown.automaton import Automaton, configuration_set, starting_with
from knaster.pushdown.runs.witness import Witness, witness, witnesses
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.query import path_summary, weight_at, weight_in
from knaster.pushdown.semiring import is_below
from knaster.pushdown.solve import ijop, post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, run_value
from support.generators.pushdown_systems import (
    FAMILIES,
    RELAXED,
    Family,
    enumerate_runs,
    random_configuration,
    random_system,
    weighted_set,
)

SYSTEMS = 150 * int(os.environ.get("KNASTER_EXAMPLES", "1"))

families = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def _random_starts(
    rng: random.Random, family: Family[Any], system: PushdownSystem[Any]
) -> list[tuple[Configuration, Any]]:
    starts = []
    for _ in range(rng.randint(1, 3)):
        configuration = random_configuration(rng, system)
        weighted = configuration.stack and rng.random() < 0.3
        starts.append((configuration, family.weight(rng) if weighted else family.domain.one))
    return starts


@pytest.mark.parametrize("family", [*FAMILIES, RELAXED], ids=lambda family: family.name)
def test_post_star_combines_exactly_the_runs(family: Family[Any]) -> None:
    exact = 0
    for seed in range(SYSTEMS):
        rng = random.Random(f"post {family.name} {seed}")
        recursive = rng.random() < 0.5
        system = random_system(rng, family, recursive=recursive)
        starts = _random_starts(rng, family, system)
        found, complete = enumerate_runs(system, starts, family, height=6, points=4000)
        answer = post_star(system, weighted_set(starts))
        exact += complete
        for configuration, value in found.items():
            weight = answer.weight_of(configuration)
            assert is_below(family.domain, value, weight), (seed, configuration, value, weight)
            assert not complete or value == weight, (seed, configuration, value, weight)
        if complete:
            _compare_queries(family, system, answer, found, rng)
    assert exact > SYSTEMS / 3


def _compare_queries(
    family: Family[Any],
    system: PushdownSystem[Any],
    answer: Answer[Any],
    found: dict[Configuration, Any],
    rng: random.Random,
) -> None:
    """Check that everything that can be asked of the answer is the combination of the enumerated values."""
    domain = family.domain

    def total(select: Any) -> Any:
        value = domain.zero
        for configuration, weight in found.items():
            if select(configuration):
                value = domain.combine(value, weight)
        return value

    for configuration in (random_configuration(rng, system, 3) for _ in range(5)):
        assert answer.weight_of(configuration) == found.get(configuration, domain.zero)
        assert answer.weight_of(configuration) == weight_in(answer, configuration_set(configuration))
    assert path_summary(answer) == total(lambda c: True)
    state, *stack = random_configuration(rng, system, 2).stack or ("nowhere",)
    assert weight_at(answer, state, *stack) == total(lambda c: c.stack[: 1 + len(stack)] == (state, *stack))
    probe = random_configuration(rng, system, 2)
    below: Automaton[Any] = starting_with(probe.state, *probe.stack)
    assert weight_in(answer, below) == total(
        lambda c: c.state == probe.state and c.stack[: len(probe.stack)] == probe.stack
    )


@families
def test_both_directions_agree(family: Family[Any]) -> None:
    reached = 0
    for seed in range(SYSTEMS):
        rng = random.Random(f"both {family.name} {seed}")
        system = random_system(rng, family)
        sources: Automaton[Any] = configuration_set(*(random_configuration(rng, system) for _ in range(2)))
        probe = random_configuration(rng, system)
        targets: Automaton[Any] = starting_with(probe.state, *probe.stack)
        weight = ijop(system, sources, targets, "post")
        assert weight == ijop(system, sources, targets, "pre"), seed
        reached += weight != family.domain.zero
    assert reached > SYSTEMS / 10


def test_witnesses_without_path_extension() -> None:
    relaxed = several = 0
    for seed in range(SYSTEMS):
        rng = random.Random(f"relaxed {seed}")
        system = random_system(rng, RELAXED)
        start: Automaton[Any] = configuration_set(*(random_configuration(rng, system) for _ in range(2)))
        probe = random_configuration(rng, system)
        asked: Automaton[Any] = starting_with(probe.state, *probe.stack)
        answer = post_star(system, start, witnesses="all")
        relaxed += not system.has_path_extension()
        several += _check_witnesses(RELAXED, system, answer, asked, start, witnesses(answer, asked)) > 1
    assert relaxed > SYSTEMS / 4
    assert several > 0


@families
def test_every_witness_reexecutes(family: Family[Any]) -> None:
    several = 0
    for seed in range(SYSTEMS):
        rng = random.Random(f"witness {family.name} {seed}")
        system = random_system(rng, family)
        inner: Automaton[Any] = configuration_set(*(random_configuration(rng, system) for _ in range(2)))
        probe = random_configuration(rng, system)
        outer: Automaton[Any] = starting_with(probe.state, *probe.stack)
        for answer, asked, given in (
            (post_star(system, inner, witnesses="all"), outer, inner),
            (pre_star(system, outer, witnesses="all"), inner, outer),
        ):
            several += _check_witnesses(family, system, answer, asked, given, witnesses(answer, asked)) > 1
            one = witness(answer, asked)
            assert (one is None) == (weight_in(answer, asked) == family.domain.zero)
    assert several > 0 or family.name in ("boolean", "minpath")


def _check_witnesses(
    family: Family[Any],
    system: PushdownSystem[Any],
    answer: Answer[Any],
    asked: Automaton[Any],
    given: Automaton[Any],
    found: list[Witness[Any]],
) -> int:
    domain = family.domain
    value = domain.zero
    for each in found:
        near, far = (each.start, each.end) if answer.forward else (each.end, each.start)
        assert _accepts(system, asked, near) and _accepts(system, given, far)
        assert run_value(domain, each.run) == each.value
        value = domain.combine(value, each.value)
    assert value == weight_in(answer, asked)
    return len(found)


def _accepts(system: PushdownSystem[Any], automaton: Automaton[Any], configuration: Configuration) -> bool:
    """Tell whether `automaton` accepts `configuration`: an answer of a system without rules does."""
    return pre_star(PushdownSystem.of(system.domain, []), automaton).accepts(configuration)


@pytest.mark.skipif(not compiled.is_available(), reason="the kernel was not compiled")
@pytest.mark.parametrize("family", FAMILIES[:2], ids=lambda family: family.name)
@pytest.mark.parametrize("saturate", [post_star, pre_star])
def test_kernel_and_reference_agree(family: Family[Any], saturate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(2 * SYSTEMS):
        rng = random.Random(f"kernel {family.name} {seed}")
        system = random_system(rng, family)
        starts = _random_starts(rng, family, system)
        automaton = weighted_set(starts)
        fast = saturate(system, automaton)
        with monkeypatch.context() as patch:
            patch.setattr(compiled, "is_available", lambda: False)
            slow = saturate(system, automaton, witnesses="one")
        assert type(fast.source) is not type(slow.source)
        assert sorted(map(str, fast.transitions())) == sorted(map(str, slow.transitions())), seed
        asked: Automaton[Any] = starting_with(random_configuration(rng, system).state)
        for answer in (fast, slow):
            one = witness(answer, asked)
            weight = weight_in(answer, asked)
            assert (one is None) == (weight == family.domain.zero)
            if one is not None:
                assert one.value == weight
