"""Projections of threads, C and models equal brute force, and causes are no edges of runs that end well."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.decide.project import project
from knaster.decide.projections.runs_through import edges_on
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.model import Place, Program
from knaster.semantics.explore import reachable_locations
from knaster.transform.passing_runs import add_end
from support.generators.boolean_programs import TINY, random_program
from support.generators.c_programs import random_program as random_c
from support.generators.c_programs import text as text_of_c
from support.generators.c_programs import wilder_program as wilder_c
from support.generators.threaded_programs import Crowd, threaded_text
from support.generators.zing_models import BOUNDED, random_model
from support.oracles.model_edges import places_to_failures
from support.oracles.number_states import edges_to_places as edges_of_states
from support.oracles.projection_runs import edges_to_places
from support.oracles.random_runs import random_trace

C_INPUTS = (-1, 0, 1, 2, 3)  # all that differ: what is less than 0 or more than 2 is refused, or counts modulo 3
SMALL = Crowd(threads=(2, 2), statements=(1, 3), starts=0.2)


def places_of(program: Program, edges: set[int]) -> set[Place]:
    return {(own.name, edge.source) for own in program.procedures for edge in own.edges if id(edge) in edges}


def compare_threads(seeds: range) -> int:
    looked = 0
    for seed in seeds:
        rng = Random(f"projection {seed}")
        program = knaster.parse(threaded_text(rng, SMALL), file="p.bp")
        switches = rng.randint(0, 2)
        asserts = resolve_targets(program, "asserts") if any(own.failures for own in program.procedures) else ()
        target = rng.choice(asserts or resolve_targets(program, "all-labels"))
        edges = edges_to_places(program, {target.place}, switches, 20_000, 4)
        if edges is None:
            continue
        found = project(program, [target], switches=switches, annotate=True)
        statements = {(own.name, edge.source) for own in program.procedures for edge in own.edges}
        expected = places_of(program, edges) | ({target.place} & statements if edges else set())
        got = {node.place for node in found.nodes}
        assert got - {target.place} == expected - {target.place}, seed
        looked += bool(edges)
    return looked


def test_threads() -> None:
    assert compare_threads(range(2)) > 0


@pytest.mark.slow
def test_many_threads() -> None:
    assert compare_threads(range(2, 500)) > 100


def compare_c(seeds: range, seconds: float = 10.0) -> int:
    """Compare with all states of programs whose inputs have few values; return how many were compared."""
    looked = 0
    for seed in seeds:
        tree = wilder_c(seed) if seed % 2 else random_c(seed)
        program = knaster.parse(text_of_c(tree), file="p.c")
        targets = resolve_targets(program, None) if "reach_error();" in text_of_c(tree) else ()
        edges = edges_of_states(program, {target.place for target in targets}, C_INPUTS, 3_000) if targets else None
        if edges is None:
            continue
        found = project(program, limits=knaster.Limits(seconds))
        statements = {(own.name, edge.source) for own in program.procedures for edge in own.edges}
        expected = places_of(program, edges) - {target.place for target in targets}
        got = {node.place for node in found.nodes} - {target.place for target in targets}
        assert got <= expected, (seed, got - expected)
        assert expected & statements <= got | set(found.undecided), (seed, expected - got)
        looked += not found.note
    return looked


def test_c() -> None:
    assert compare_c(range(4), 3_600) > 1  # no limit of time counts here


@pytest.mark.slow
def test_many_c() -> None:
    assert compare_c(range(4, 100)) > 40


def compare_models(seeds: range) -> int:
    """Compare with all configurations of models; return how many were compared."""
    looked = 0
    for seed in seeds:
        program = knaster.parse(random_model(Random(f"projection {seed}"), BOUNDED), file="p.zing")
        expected = places_to_failures(program, 4_000)
        if expected is None:
            continue
        found = project(program)
        assert {node.place for node in found.nodes} == expected and not found.note, seed
        looked += bool(expected)
    return looked


def test_models() -> None:
    assert compare_models(range(9)) > 3


@pytest.mark.slow
def test_many_models() -> None:
    assert compare_models(range(9, 500)) > 100


def can_pass(program: Program, target: Target) -> bool:
    """Tell whether some run ends well, and not all runs stand at the target from the beginning."""
    passing, end = add_end(program, [target])
    return end.place in reachable_locations(passing, end.procedure)


def compare_causes(seeds: range) -> int:
    looked = 0
    for seed in seeds:
        rng = Random(f"causes {seed}")
        program = random_program(rng, TINY)
        reached = reachable_locations(program)
        targets = [target for target in resolve_targets(program, "all-labels") if target.place in reached]
        targets = [target for target in targets if can_pass(program, target)]
        if not targets:
            continue
        target = rng.choice(targets)
        causes = project(program, [target], causes=True).causes
        assert causes is not None
        alone = {id(cause.edge) for cause in causes.edges}
        together = {id(cause.edge) for cause in causes.together or ()}
        looked += bool(alone or together)
        for _ in range(30):
            trace = random_trace(rng, program)
            if trace is None or trace.location != program.procedure("main").exit or len(trace.paths) > 1:
                continue
            edges = {id(edge) for edge in edges_on(trace)}
            stood = {(path.procedure, step.edge.source) for path in trace.paths for step in path.steps}
            if target.place in stood | places_of(program, edges):
                continue
            assert not alone & edges, seed
            assert not together or not together <= edges, seed
    return looked


def test_causes() -> None:
    assert compare_causes(range(40)) > 3


@pytest.mark.slow
def test_many_causes() -> None:
    compare_causes(range(40, 1000))
