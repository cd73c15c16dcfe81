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
from knaster.semantics.heap.failure import Fails
from knaster.semantics.heap.interpreter import FailedAssume, Machine
from knaster.transform.passing_runs import add_end
from support.generators.boolean_programs import TINY, random_program
from support.generators.c_programs import random_program as random_c
from support.generators.c_programs import text as text_of_c
from support.generators.threaded_programs import Crowd, threaded_text
from support.generators.zing_models import BOUNDED, random_model
from support.oracles.projection_runs import edges_to_places
from support.oracles.random_runs import random_trace
from support.oracles.variable_runs import random_run

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


def compare_c(seeds: range, runs: int) -> int:
    looked = 0
    for seed in seeds:
        program = knaster.parse(text_of_c(random_c(seed)), file="p.c")
        targets = resolve_targets(program, None)
        places = {target.place for target in targets}
        found = project(program, limits=knaster.Limits(3))
        inside = {node.place for node in found.nodes} | set(found.undecided)
        rng = Random(f"projection {seed}")
        for _ in range(runs):
            passed: list[Place] = []
            for name, location, _state in random_run(rng, program):
                if (name, location) in places:
                    statements = {(own.name, edge.source) for own in program.procedures for edge in own.edges}
                    assert set(passed) & statements <= inside, seed
                    looked += 1
                    break
                passed.append((name, location))
    return looked


@pytest.mark.slow
def test_c() -> None:
    assert compare_c(range(40), 200) > 20


def random_failure(program: Program, rng: Random, most: int = 60) -> list[Place] | None:
    """Return the statements of a random run of a model that fails; None where it does not within some steps."""
    machine = Machine(program)
    here, inside, passed = machine.start(), 0, list[Place]()
    for _ in range(most):
        threads = [inside] if inside else [t for t in range(1, len(here.threads) + 1) if machine.runnable(here, t)]
        if not threads:
            return None
        thread = rng.choice(threads)
        frame = here.threads[thread - 1][-1]
        passed.append((frame.procedure, frame.location))
        try:
            count = len(machine.alternatives(here, thread))
            event = machine.step(here, thread, rng.randrange(count))
        except FailedAssume:
            return None
        except Fails:
            return passed
        if machine.failure_of(here, thread) is not None:
            return passed
        inside = thread if event.keeps else 0
    return None


def compare_models(seeds: range, runs: int) -> int:
    looked = 0
    for seed in seeds:
        rng = Random(f"projection {seed}")
        program = knaster.parse(random_model(rng, BOUNDED), file="p.zing")
        found = project(program)
        inside = {node.place for node in found.nodes} | set(found.undecided)
        for _ in range(runs):
            passed = random_failure(program, rng)
            if passed is not None:
                assert set(passed) <= inside, (seed, set(passed) - inside)
                looked += 1
    return looked


def test_models() -> None:
    assert compare_models(range(6), 20) > 3


@pytest.mark.slow
def test_many_models() -> None:
    compare_models(range(6, 500), 20)


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
