"""Termination and formulas of random threads within switches: against random walks, and against `explicit`.

What a walk with so many switches violates is FALSE; what `explicit` proves of every run no run with few violates.
"""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.base.records import replace
from knaster.evidence.questions.question import Bound, Temporal, Termination
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.program.threads import recursive_procedure
from support.generators.ltl import random_formula
from support.generators.threaded_programs import Crowd, threaded_text
from support.oracles.thread_runs import find_violation

SMALL = Crowd(threads=(2, 2), statements=(1, 3), calls=0.4, lock=0.15, sections=0.2)


def random_question(random: Random, program: Program) -> Temporal | Termination:
    fair = random.choice(("none", "none", "weak"))
    bound = Bound("switches", random.randrange(3))
    if random.random() < 0.3:
        return Termination(bound, fair)
    labels = [label for procedure in program.procedures for label, _ in procedure.labels]
    atoms = ["ended", *(f"{{{name}}}" for name in program.globals), *(f"in({name})" for name in program.threads)]
    atoms += [f"at({label})" for label in labels[:3]] + ["thread(1).in(" + program.threads[0] + ")"]
    chosen = tuple(random.sample(atoms, min(3, len(atoms))))
    return Temporal(random_formula(random, random.randrange(1, 5), chosen), bound=bound, fair=fair)


def compare(random: Random) -> tuple[str, bool] | None:
    """Return what `stacks` says of a random question and whether a random walk violates it."""
    program = parse(threaded_text(random, SMALL), "random.bp", "default", None)
    question = random_question(random, program)
    try:
        result = knaster.check(program, question, engine="stacks", rules=20_000)
    except knaster.base.errors.UsageError:  # it starts threads, or has too many values
        return None
    assert question.bound is not None
    bounded = f"with {question.bound}" in result.reason and "as asked" not in result.reason
    if result.verdict.value == "UNKNOWN" and not bounded:
        return None
    assert result.verdict.value == "UNKNOWN" or all(answer.checked for _, answer in result.answers)
    violated = find_violation(program, question, random, walks=40, switches=question.bound.number)
    assert not (violated and bounded), (program.source, str(question), question, result.reason)
    if result.verdict.value == "FALSE" and recursive_procedure(program) is None:
        whole = knaster.check(program, replace(question, bound=None), engine="explicit", states=1_000)
        assert whole.verdict.value != "TRUE", (program.source, str(question), question)
    return result.verdict.value, violated


@pytest.mark.parametrize("seed", range(5))
def test_random_threads(seed: int) -> None:
    random = Random(f"few switches in time {seed}")
    found = [compare(random) for _ in range(12)]
    assert {("UNKNOWN", False), ("FALSE", True)} & set(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_random_threads(seed: int) -> None:
    random = Random(f"few switches in time, many {seed}")
    for _ in range(30):
        compare(random)
