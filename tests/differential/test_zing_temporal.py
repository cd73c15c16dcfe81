"""Termination and formulas of random Zing models: what random walks violate is FALSE, and every answer is checked."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.frontends.zing import parse
from knaster.program.model import Program
from support.generators.ltl import random_formula
from support.generators.zing_loops import random_loops
from support.oracles.heap_runs import find_violation


def random_question(random: Random, program: Program) -> Temporal | Termination:
    fair = random.choice(FAIRNESS)
    if random.random() < 0.25:
        return Termination(fair=fair)
    labels = [label for procedure in program.procedures for label, _ in procedure.labels]
    atoms = ["ended", "{Main.x}", "{Main.n + 1 > 1}", "{Main.g != null}", "in(step)", "thread(1).in(t0)"]
    atoms += [f"at({label})" for label in labels[:3]]
    chosen = tuple(random.sample(atoms, 3))
    return Temporal(random_formula(random, random.randrange(1, 6), chosen), fair=fair)


def compare(random: Random) -> tuple[str, bool] | None:
    """Return what the engine says of a random question and whether a random walk violates it."""
    program = parse(random_loops(random), "random.zing")
    question = random_question(random, program)
    result = knaster.check(program, question, states=1_500)
    if result.verdict.value == "UNKNOWN":
        return None
    assert all(answer.checked for _, answer in result.answers)
    violated = find_violation(program, question, random, walks=40)
    assert not (violated and result.verdict.value == "TRUE"), (program.source, str(question), question.fair)
    return result.verdict.value, violated


@pytest.mark.parametrize("seed", range(4))
def test_random_models(seed: int) -> None:
    random = Random(f"models in time {seed}")
    answers = [compare(random) for _ in range(15)]
    assert {("TRUE", False), ("FALSE", True)} <= set(answers)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_random_models(seed: int) -> None:
    random = Random(f"models in time, many {seed}")
    for _ in range(50):
        compare(random)
