"""C programs with threads: what Knaster says, and what an oracle says that enumerates every interleaving."""

from __future__ import annotations

from random import Random

import pytest

from support.fuzz.c_threads import (
    PROPERTIES,
    disagreement,
    disagreement_about_divisions,
    disagreement_about_ends,
    disagreement_of_guarantees,
    disagreement_of_reductions,
    disagreement_within,
)
from support.generators.c_threads import threads_program
from support.oracles.c_interleavings import decide

pytest.importorskip("clang.cindex")


@pytest.mark.parametrize("first", range(0, 16, 4))
def test_random_programs_of_two_threads(first: int) -> None:
    for number in range(first, first + 4):
        text, crew = threads_program(Random(f"differential {number}"), 2, 2)
        verdicts = decide(crew, 20_000)
        assert verdicts is not None
        assert disagreement(text, verdicts, [list(PROPERTIES)[number % 3]]) == "", text


@pytest.mark.parametrize("first", range(0, 9, 3))
def test_each_division_of_random_programs(first: int) -> None:
    for number in range(first, first + 3):
        text, crew = threads_program(Random(f"divisions {number}"), 2, 2, divides=6)
        verdicts = decide(crew, 20_000)
        assert verdicts is not None
        assert disagreement_about_divisions(text, verdicts) == "", text


@pytest.mark.parametrize("kind", ["switches", "rounds", "preemptions", "delays"])
def test_bounds(kind: str) -> None:
    for number in range(6):
        text, crew = threads_program(Random(f"bounds {number}"), 2, 2)
        for bound in (int(kind == "rounds"), 1 + int(kind == "rounds")):
            assert disagreement_within(text, crew, kind, bound) == "", text


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 12, 2))])
def test_threads_as_one_sequential_program(first: int) -> None:
    for number in range(first, first + 2):
        text, crew = threads_program(Random(f"reductions {number}"), 2, 2)
        assert disagreement_of_reductions(text, crew, 1 + number % 3) == "", text


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_one_thread_at_a_time(first: int) -> None:
    for number in range(first, first + 10):
        text, crew = threads_program(Random(f"guarantees {number}"), 2, 2)
        verdicts = decide(crew, 20_000)
        assert verdicts is not None
        assert disagreement_of_guarantees(text, verdicts, 3_000_000) == "", text


@pytest.mark.parametrize("fair", ["none", "weak", "strong"])
def test_ends_of_random_programs(fair: str) -> None:
    for number in range(10):
        text, crew = threads_program(Random(f"ends {number}"), 1 + number % 2, 3, spins=8)
        assert disagreement_about_ends(text, crew, fair) == "", text


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_more_threads_as_one_sequential_program(first: int) -> None:
    for number in range(first, first + 20):
        random = Random(f"slow reductions {number}")
        text, crew = threads_program(random, random.choice([1, 2, 2, 3]), random.choice([2, 3, 4]))
        assert disagreement_of_reductions(text, crew, random.randrange(1, 4)) == "", text


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 300, 20))
def test_more_random_programs(first: int) -> None:
    for number in range(first, first + 20):
        random = Random(f"slow {number}")
        text, crew = threads_program(random, random.choice([1, 2, 2, 3]), random.choice([2, 3, 4]))
        verdicts = decide(crew, 60_000)
        if verdicts is not None:
            assert disagreement(text, verdicts, tuple(PROPERTIES)) == "", text
