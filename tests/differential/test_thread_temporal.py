"""Termination and formulas of random threads: what random walks violate is FALSE, and every answer is checked."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.program.threads import recursive_procedure
from support.generators.ltl import random_formula
from support.generators.threaded_programs import Crowd, threaded_text
from support.oracles.thread_runs import find_violation

SMALL = Crowd(threads=(2, 2), statements=(1, 3), calls=0.2, lock=0.2, sections=0.25, enforces=0.1)


def random_question(random: Random, program: Program) -> Temporal | Termination:
    fair = random.choice(FAIRNESS)
    if random.random() < 0.15:
        return Termination(fair=fair)
    labels = [label for procedure in program.procedures for label, _ in procedure.labels]
    atoms = ["ended", *(f"{{{name}}}" for name in program.globals), *(f"in({name})" for name in program.threads)]
    atoms += [f"at({label})" for label in labels[:3]] + ["thread(1).in(" + program.threads[0] + ")"]
    chosen = tuple(random.sample(atoms, min(3, len(atoms))))
    return Temporal(random_formula(random, random.randrange(1, 6), chosen), fair=fair)


def compare(random: Random) -> tuple[str, bool] | None:
    """Return what the engine says of a random question and whether a random walk violates it."""
    program = parse(threaded_text(random, SMALL), "random.bp", "default", None)
    if recursive_procedure(program) is not None:
        return None
    question = random_question(random, program)
    result = knaster.check(program, question, engine="explicit", states=3_000)
    if result.verdict.value == "UNKNOWN":
        return None
    assert all(answer.checked for _, answer in result.answers)
    other = knaster.check(program, question, engine="states")
    assert other.verdict is result.verdict, (program.source, str(question), question.fair)
    assert all(answer.checked for _, answer in other.answers)
    violated = find_violation(program, question, random, walks=40)
    assert not (violated and result.verdict.value == "TRUE"), (program.source, str(question), question.fair)
    return result.verdict.value, violated


@pytest.mark.parametrize("seed", range(3))
def test_random_threads(seed: int) -> None:
    random = Random(f"threads in time {seed}")
    found = [compare(random) for _ in range(20)]
    assert {("TRUE", False), ("FALSE", True)} <= set(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_random_threads(seed: int) -> None:
    random = Random(f"threads in time, many {seed}")
    for _ in range(50):
        compare(random)
