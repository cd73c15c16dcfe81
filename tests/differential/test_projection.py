"""The error projection equals the explicit one: every statement through which an execution to the target goes."""

from __future__ import annotations

import os
from random import Random

import pytest

import knaster
from knaster.engines.projection import error_projection
from knaster.program.explore import explore, reachable_locations
from knaster.program.model import Program
from knaster.program.validate import validate
from knaster.reductions.through import Place, through
from knaster.results.replay import replay
from knaster.results.targets import resolve_targets
from knaster.results.verdict import Budget, Reachable, Target
from knaster.symbolic.bdd import Store
from knaster.symbolic.encode import encode
from knaster.symbolic.layout import shared_slots
from strategies import TINY, random_program

TIMES = int(os.environ.get("KNASTER_EXAMPLES", "1"))


def statements(program: Program) -> list[Place]:
    return [(p.name, location) for p in program.procedures for location in range(p.exit)]


def explicit(program: Program, target: Target) -> set[Place]:
    """Return the statements on executions to the target, one exploration of an instrumented program for each."""
    found: set[Place] = set()
    for place in statements(program):
        reduced = through(program, place, [target])
        assert validate(reduced.program, "main") == []
        asked = reduced.targets[0]
        if (asked.procedure, asked.location) in reachable_locations(reduced.program):
            found.add(place)
    return found


def projected(program: Program, target: Target) -> set[Place]:
    layout = shared_slots(program)
    symbolic = encode(program, "main", layout, Store(layout.variables, 1 << 16))
    return set(error_projection(symbolic, [target], Budget()).places) & set(statements(program))


def some_target(program: Program, seed: int) -> Target | None:
    """Return a target, a reachable one where there is one."""
    targets = resolve_targets(program, ["all-labels", "asserts"])
    reachable = reachable_locations(program)
    hit = [target for target in targets if (target.procedure, target.location) in reachable]
    return Random(seed).choice(hit or list(targets)) if targets else None


def compare(seeds: range) -> None:
    for seed in seeds:
        program = random_program(Random(seed), TINY)
        target = some_target(program, seed)
        if target is not None:
            assert projected(program, target) == explicit(program, target), seed


def test_equals_brute_force() -> None:
    compare(range(40 * TIMES))


@pytest.mark.slow
def test_equals_brute_force_on_a_thousand_programs() -> None:
    compare(range(1000 * TIMES))


def test_a_trace_through_a_place_is_one_of_the_original_program() -> None:
    checked = 0
    for seed in range(15 * TIMES):
        program = random_program(Random(seed), TINY)
        target = some_target(program, seed)
        if target is None:
            continue
        for place in statements(program)[::2]:
            reduced = through(program, place, [target])
            layout = shared_slots(reduced.program)
            assert layout.size > 0
            places = [(reduced.targets[0].procedure, reduced.targets[0].location)]
            result = knaster.pipeline.check_places(reduced.program, reduced.targets)
            answer = result[reduced.targets[0]]
            assert isinstance(answer, Reachable) == bool(set(places) & reachable_locations(reduced.program))
            if isinstance(answer, Reachable):
                assert answer.trace is not None
                asked, trace = reduced.back(reduced.targets[0], answer.trace)
                replay(program, "main", trace, asked)
                checked += 1
    assert checked > 20
