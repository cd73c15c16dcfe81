"""Delays and preemptions: the least numbers are those of all schedules, and a bound never adds anything."""

from __future__ import annotations

from random import Random

import pytest

from knaster.frontends.zing import parse
from knaster.semantics.heap.explore import explore
from support.generators.zing_models import random_threads
from support.oracles.schedule_costs import costs_found, least_costs
from support.oracles.zing_switches import handed

KINDS = ("delays", "preemptions")


def _agree(text: str, kind: str, most: int) -> int:
    """Compare on one model; return how many failures were found."""
    program = parse(text)
    wanted = least_costs(program, kind, most, 250)
    if wanted is None:
        return 0
    for reduction in ("none", "local"):
        found, whole = costs_found(program, kind, most, reduction)
        assert found == wanted, (kind, most, reduction, text)
        if whole:
            every = explore(program, 1000)
            failures = {(f.kind, f.line if f.kind == "assertion" else 0) for f in every.failures}
            assert failures == set(found) if every.complete else failures <= set(found), text
    return len(wanted)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("end", ["", "end"])
@pytest.mark.parametrize("most", [0, 1, 2, 4])
def test_threads_that_hand_something_over(kind: str, end: str, most: int) -> None:
    _agree(handed(end, "select { wait(turn == 9) -> ; }"), kind, most)


def _random_models(numbers: range) -> int:
    failures = 0
    for number in numbers:
        rng = Random(number)
        text = random_threads(rng)
        for kind in KINDS:
            failures += _agree(text, kind, rng.choice((0, 0, 1, 2)))
    return failures


def test_random_models() -> None:
    assert _random_models(range(14)) > 5


@pytest.mark.slow
def test_more_random_models() -> None:
    assert _random_models(range(100, 900)) > 400


@pytest.mark.parametrize("kind", [*KINDS, "switches"])
def test_a_larger_bound_finds_as_much_and_no_bound_finds_more(kind: str) -> None:
    for number in range(4):
        program = parse(random_threads(Random(number), 2))
        every = {(f.kind, f.line if f.kind == "assertion" else 0) for f in explore(program, 1500).failures}
        before: set[tuple[str, int]] = set()
        for most in (0, 1, 2, 4):
            found = set(costs_found(program, kind, most, "local")[0])
            assert before <= found and (found <= every or len(every) == 0)
            before = found
