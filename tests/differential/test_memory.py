"""Programs with memory against gcc and its sanitizers: the same result, or the same first error at the same line."""

from __future__ import annotations

import shutil
from random import Random

import pytest

import knaster
from knaster.semantics.memory.explore import FAULT, Outcome
from knaster.semantics.memory.failure import SAFETY_KINDS
from support.fuzz.memory import compare
from support.generators.c_inputs import all_outcomes, program

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compare with")


@needs_gcc
def test_a_few_programs() -> None:
    assert compare(seed=7, count=8) == []


@needs_gcc
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1010))
def test_many_programs(seed: int) -> None:
    assert compare(seed, count=50) == []


def differences(seed: int, inputs: int) -> str:
    """Return what differs between the search and all inputs of a random program; empty where nothing does."""
    text = program(Random(seed), inputs)
    if "reach_error();" not in text.partition("int main")[2]:
        return ""
    outcomes = all_outcomes(text)
    wrong = any(outcome.kind == FAULT or _leaves_safety(outcome) for outcome in outcomes)
    for property, bad in (("reach", any(outcome.passed for outcome in outcomes)), ("safety", None)):
        bad = bad if bad is not None else wrong or any(outcome.passed for outcome in outcomes)
        verdict = knaster.check(text, file="a.c", property=property, objects="always").verdict.value
        if verdict != ("FALSE" if bad else "TRUE"):
            return f"seed {seed}, {property}: {verdict}, and on all inputs {bad}\n{text}"
    return ""


def _leaves_safety(outcome: Outcome) -> bool:
    """Tell whether a run went on after a step that `safety` asks for, such as a pointer that leaves its object."""
    return any(kind in SAFETY_KINDS for kind, _ in outcome.lapses)


def test_one_input_is_enumerated() -> None:
    assert not list(filter(None, (differences(seed, 1) for seed in range(10))))


@pytest.mark.slow
def test_two_inputs_are_enumerated() -> None:
    assert not list(filter(None, (differences(seed, 2) for seed in range(1000, 1020))))
