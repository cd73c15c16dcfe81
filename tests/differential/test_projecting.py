"""The error projection equals the explicit one: every statement through which an execution to the target goes."""

from __future__ import annotations

import os
from random import Random

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.checkers.runs.replay import replay
from knaster.decide.asked import Evidence
from knaster.decide.project import project
from knaster.engines.boolean.pushdown.error_places import error_projection
from knaster.engines.boolean.pushdown.rules import SPREAD
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Place, Program
from knaster.program.state import State
from knaster.program.validate import validate
from knaster.semantics.explore import reachable_locations
from knaster.transform.through import remember_place
from knaster.views.symbolic.encoding import encode
from support.generators.boolean_programs import TINY, random_program

TIMES = int(os.environ.get("KNASTER_EXAMPLES", "1"))


def statements(program: Program) -> list[Place]:
    return [(p.name, location) for p in program.procedures for location in range(p.exit)]


def explicit(program: Program, target: Target) -> set[Place]:
    """Return the statements on executions to the target, one exploration of an instrumented program for each."""
    found: set[Place] = set()
    for place in statements(program):
        reduced = remember_place(program, place, [target])
        assert validate(reduced.program, "main") == []
        asked = next(iter(reduced.targets))
        if (asked.procedure, asked.location) in reachable_locations(reduced.program):
            found.add(place)
    return found


def projected(program: Program, target: Target) -> set[Place]:
    symbolic = encode(program, nodes=1 << 16, spread=SPREAD)
    return set(error_projection(symbolic, [target], Budget()).places) & set(statements(program))


def some_target(program: Program, seed: int) -> Target | None:
    """Return a target, a reachable one where there is one; an assertion in every third program that has some."""
    asserts = any(procedure.failures for procedure in program.procedures)
    targets = resolve_targets(program, ["asserts"] if asserts and seed % 3 == 0 else ["all-labels", "asserts"])
    reachable = reachable_locations(program)
    hit = [target for target in targets if (target.procedure, target.location) in reachable]
    return Random(seed).choice(hit or list(targets)) if targets else None


def compare(seeds: range) -> int:
    """Compare projections of programs that have a target; return of how many something is in it."""
    looked = 0
    for seed in seeds:
        program = random_program(Random(seed), TINY)
        target = some_target(program, seed)
        if target is not None:
            found = projected(program, target)
            assert found == explicit(program, target), seed
            looked += bool(found)
    return looked


def test_equals_brute_force() -> None:
    compare(range(150 * TIMES))


@pytest.mark.slow
def test_equals_brute_force_on_a_thousand_programs() -> None:
    compare(range(150 * TIMES, 1000 * TIMES))


def test_a_trace_through_a_place_is_one_of_the_original_program() -> None:
    checked = 0
    for seed in range(15 * TIMES):
        program = random_program(Random(seed), TINY)
        target = some_target(program, seed)
        if target is None:
            continue
        for place in statements(program)[::2]:
            reduced = remember_place(program, place, [target])
            [(asked, answer)] = knaster.check(reduced.program, reduced.question, evidence=Evidence(proofs=True)).answers
            reachable = (asked.procedure, asked.location) in reachable_locations(reduced.program)
            assert isinstance(answer, Reachable) == reachable
            if isinstance(answer, Reachable):
                assert answer.trace is not None
                original, trace = reduced.back(asked, answer.trace)
                assert original == target
                replay(program, trace, original)
                checked += 1
    assert checked > 20


def test_witnesses_pass_their_statement_and_values_are_possible() -> None:
    """Every witness was replayed when it was made; it passes the statement, with values that the projection allows."""
    annotated = 0
    for seed in range(20):
        program = random_program(Random(seed), TINY)
        target = some_target(program, seed)
        if target is None:
            continue
        for node in project(program, [target], annotate=True).nodes:
            assert node.witness is not None and node.values is not None
            assert node.values.valuations
            states = [
                state
                for path in every_path(node.witness)
                for state in states_at(path, node.place, node.witness.location)
            ]
            assert states, (seed, node.place)
            assert any(
                all(state[x] == v for x, v in cube.items()) for state in states for cube in node.values.valuations
            )
            annotated += 1
    assert annotated > 50


def every_path(trace: Trace) -> list[Path]:
    found = {id(path): path for path in trace.paths}
    todo = list(trace.paths)
    while todo:
        for step in todo.pop().steps:
            if step.inside is not None and id(step.inside) not in found:
                found[id(step.inside)] = step.inside
                todo.append(step.inside)
    return list(found.values())


def states_at(path: Path, place: Place, last: int) -> list[State]:
    """Return the states in which a path stands at a place."""
    if path.procedure != place[0]:
        return []
    before = [path.start, *(step.after for step in path.steps)]
    at = [step.edge.source for step in path.steps] + [last]
    return [state for state, location in zip(before, at, strict=True) if location == place[1]]
