"""Programs with memory against gcc and its sanitizers: the same result, or the same first error at the same line."""

from __future__ import annotations

import shutil
from random import Random

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.semantics.memory.explore import FAULT, Outcome
from knaster.semantics.memory.failure import POINTER, SAFETY_KINDS
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
        result = knaster.check(text, file="a.c", property=property, objects="always")
        if result.verdict.value != ("FALSE" if bad else "TRUE"):
            return f"seed {seed}, {property}: {result.verdict.value}, and on all inputs {bad}\n{text}"
        if property == "safety" and (said := _site_differences(result, outcomes)):
            return f"seed {seed}: {said}\n{text}"
    return ""


def _site_differences(result: knaster.Result, outcomes: list[Outcome]) -> str:
    """Return which targets are answered otherwise than by the undefined steps of all runs; empty where none is."""
    came = {(kind, span.line, span.column) for outcome in outcomes for kind, span in outcome.undefined_steps}
    answers = {(t.kind, t.line, t.column): isinstance(a, Reachable) for t, a in result.answers if not t.has_place}
    wrong = [site for site, reached in answers.items() if reached is not (site in came)]
    forgotten = [site for site in came if site[0] in SAFETY_KINDS and site[0] != POINTER and site not in answers]
    return f"wrong {wrong}, forgotten {forgotten}" if wrong or forgotten else ""


def _leaves_safety(outcome: Outcome) -> bool:
    """Tell whether a run went on after a step that `safety` asks for, such as a pointer that leaves its object."""
    return any(kind in SAFETY_KINDS for kind, _ in outcome.lapses)


def test_one_input_is_enumerated() -> None:
    assert not list(filter(None, (differences(seed, 1) for seed in range(10))))


@pytest.mark.slow
def test_two_inputs_are_enumerated() -> None:
    assert not list(filter(None, (differences(seed, 2) for seed in range(1000, 1020))))
