"""Termination and formulas of random recursive programs against the explicit decision by repeating heads."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from support.generators.boolean_programs import TINY, random_program
from support.generators.temporal_questions import random_question
from support.oracles.temporal import TooLarge, holds_on_every_run


def compare(random: Random, *engines: str) -> bool | None:
    """Return what the engines say of a random question, after the oracle agreed; None where that takes too long."""
    program = random_program(random, TINY)
    question = random_question(random, program)
    try:
        expected = holds_on_every_run(program, question, most=4_000)
    except TooLarge:
        return None
    for engine in engines:
        result = knaster.check(program, question, engine=engine)
        assert result.verdict.value == ("TRUE" if expected else "FALSE"), (engine, program, question)
        assert all(answer.checked for _, answer in result.answers)
    return expected


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed: int) -> None:
    random = Random(f"temporal {seed}")
    found = [compare(random, "ranks") for _ in range(25)]
    assert {True, False} <= set(found)


def test_three_methods() -> None:
    random = Random("temporal, three methods")
    for _ in range(12):
        compare(random, "ranks", "pushdown", "calculus")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_random_programs(seed: int) -> None:
    random = Random(f"temporal, many {seed}")
    for number in range(100):
        compare(random, "ranks", *(("pushdown", "calculus") if number % 10 == 0 else ()))
