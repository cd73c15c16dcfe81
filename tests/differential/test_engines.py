"""Every engine against the oracle, on random recursive programs.

Each label and each assert gets the same answer; each trace replays and is as short as explicit search says; each
unreachable target has a certificate that holds.  A disagreement is shrunk before it is reported.

`KNASTER_EXAMPLES=10 pytest tests/differential` runs ten times as many programs; the slow lane runs 5,000 per engine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings

from knaster.api import check
from knaster.base.errors import InternalError
from knaster.checkers.runs.replay import replay
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Answer, Reachable, Unreachable
from knaster.evidence.questions.question import Target
from knaster.frontends.boolean.printer import to_text
from knaster.program.model import Place, Program
from knaster.semantics.explore import shortest_lengths
from knaster.transform.shrink.search import shrink
from support.generators.boolean_programs import LARGE, SMALL, TINY, Size, programs, random_program
from support.trusting import SEQUENTIAL

EVERYTHING = ("all-labels", "asserts")
TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))
BATCHES = 5
VARIANTS: Mapping[str, Mapping[str, object]] = {
    "without live ranges": {"liveness": False},
    "without effects": {"effects": False},
    "without both": {"liveness": False, "effects": False},
    "distinct variables": {"layout": "distinct"},
}


def many(count: int) -> int:
    """Return how many programs to try where the default is `count`."""
    return max(1, round(count * TIMES))


def problem(program: Program, target: Target, answer: Answer, lengths: Mapping[Place, int]) -> str | None:
    """Return what is wrong with one answer."""
    shortest = lengths.get((target.procedure, target.location))
    match answer:
        case Reachable(trace):
            if shortest is None:
                return "said to be reachable"
            if trace is None:
                return "no trace"
            try:
                replay(program, trace, target)
            except InternalError:
                return "a trace that does not replay"
            return None if trace.length == shortest else "a trace of the wrong length"
        case Unreachable(certificate, bound):
            if shortest is not None:
                return "said to be unreachable"
            return "no checked certificate" if certificate is None or bound is not None else None
        case _:
            return "unknown without a budget"


@cache
def sample(seed: int, size: Size) -> tuple[Program, Mapping[Place, int]]:
    """Return a random program and what the oracle says about it, once for all engines."""
    program = random_program(Random(seed), size)
    return program, shortest_lengths(program)


class Disagreement(NamedTuple):
    """How an engine and the oracle disagree; shrinking keeps the kind."""

    kind: str
    detail: str = ""


def disagreement(program: Program, lengths: Mapping[Place, int], options: Mapping[str, object]) -> Disagreement | None:
    """Return how an engine and the oracle disagree about a program; None where they agree."""
    try:
        result = check(program, EVERYTHING, evidence=Evidence(proofs=True), **options)  # type: ignore[arg-type]
    except Exception as error:  # whatever it is, it is to be reported with a small program
        return Disagreement(type(error).__name__, str(error))
    wanted = {
        (procedure.name, location)
        for procedure in program.procedures
        for location in [*dict(procedure.labels).values(), *procedure.failures]
    }
    if {(target.procedure, target.location) for target, _ in result.answers} != wanted:
        return Disagreement("some targets have no answer")
    for target, answer in result.answers:
        kind = problem(program, target, answer, lengths)
        if kind is not None:
            return Disagreement(kind, target.name)
    return None


def run(options: Mapping[str, object], size: Size, seeds: range) -> None:
    """Compare an engine with the oracle on these programs."""
    for seed in seeds:
        program, lengths = sample(seed, size)
        found = disagreement(program, lengths, options)
        if found is not None:
            fail(program, found.kind, options)


def fail(program: Program, kind: str, options: Mapping[str, object]) -> None:
    """Fail with a small program that shows the same kind of disagreement."""

    def again(smaller: Program) -> Disagreement | None:
        found = disagreement(smaller, shortest_lengths(smaller), options)
        return found if found is not None and found.kind == kind else None

    small = shrink(program, lambda smaller: again(smaller) is not None)
    pytest.fail(f"{again(small)}, with {options}:\n{to_text(small)}\n{small}")


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_small_programs(engine: str, batch: int) -> None:
    run({"engine": engine}, SMALL, range(batch, many(40), BATCHES))


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_tiny_programs(engine: str) -> None:
    run({"engine": engine}, TINY, range(many(24)))


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_large_programs(engine: str) -> None:
    run({"engine": engine}, LARGE, range(many(3)))


@pytest.mark.parametrize(
    ("engine", "variant"), [*(("summaries", variant) for variant in VARIANTS), ("pushdown", "distinct variables")]
)
def test_every_way_to_encode(engine: str, variant: str) -> None:
    run({"engine": engine, **VARIANTS[variant]}, SMALL, range(many(8)))


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_one_question_at_a_time(engine: str) -> None:
    for seed in range(many(3)):
        program, lengths = sample(seed, SMALL)
        for procedure in program.procedures:
            for label, _ in procedure.labels[::3]:
                [(target, answer)] = check(program, label, engine=engine, evidence=Evidence(proofs=True)).answers
                assert problem(program, target, answer, lengths) is None, (seed, label)


@pytest.mark.parametrize("engine", SEQUENTIAL)
@settings(max_examples=many(10), deadline=None, suppress_health_check=list(HealthCheck))
@given(program=programs())
def test_hypothesis_finds_nothing(engine: str, program: Program) -> None:
    assert disagreement(program, shortest_lengths(program), {"engine": engine}) is None


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_five_thousand_programs(engine: str, batch: int) -> None:
    run({"engine": engine}, SMALL, range(batch, many(5000), BATCHES))
