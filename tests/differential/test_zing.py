"""Random Zing models: every method finds exactly the failures that the interpreter's search finds.

Every trace is replayed and every proof is checked.  `KNASTER_EXAMPLES=125` compares 5,000 models of each kind; with
`KNASTER_FIRST=1000` the first one is number 1,000, so that they can be taken in pieces.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

import knaster
from knaster.frontends.zing import parse
from knaster.heap.explore import explore
from knaster.program.model import Program
from knaster.results.answer import Reachable, Unknown
from strategies_zing import ALIASING, BOUNDED, ENDLESS, RICH, Kind, random_model, random_threads

COUNT = round(40 * float(os.environ.get("KNASTER_EXAMPLES", "1")))
FIRST = int(os.environ.get("KNASTER_FIRST", "0"))
SEEDS = range(FIRST, FIRST + COUNT)
Found = set[tuple[str, int]]


def failures(program: Program, engine: str, **options: Any) -> tuple[Found, bool]:
    """Return the failures that an engine finds (asserts by line, others by kind), and whether it found all."""
    result = knaster.check(program, "failures", engine=engine, **options)
    found: Found = set()
    for target, answer in result.answers:
        assert answer.checked or isinstance(answer, Unknown)
        if isinstance(answer, Reachable):
            assert answer.failure is not None
            found.add((answer.failure.kind, answer.failure.line if not target.kind else 0))
    return found, not any(isinstance(answer, Unknown) for _, answer in result.answers)


def expected(program: Program, limit: int, depth: int | None = None) -> tuple[Found, bool]:
    found = explore(program, limit, depth)
    lines = {(each.kind, each.line if each.kind == "assertion" else 0) for each in found.failures}
    return lines, found.complete


@pytest.mark.parametrize("kind", [ALIASING, RICH, BOUNDED], ids=["aliasing", "rich", "bounded"])
def test_summaries_find_what_the_interpreter_finds(kind: Kind) -> None:
    compared = 0
    for seed in SEEDS:
        program = parse(random_model(Random(f"{kind} {seed}"), kind))
        wanted, complete = expected(program, 1000)
        if not complete:
            continue
        compared += 1
        for engine in ("visible", "patterns", "explicit"):
            assert failures(program, engine) == (wanted, True), (seed, engine, program.source)
    assert compared > 0.7 * len(SEEDS)


def test_endless_recursion_contains_what_little_recursion_finds() -> None:
    ended = 0
    for seed in SEEDS:
        program = parse(random_model(Random(f"endless {seed}"), ENDLESS))
        wanted, _ = expected(program, 300, 7)
        visible, all_visible = failures(program, "visible", edges=100, calls=100, changes=30)
        patterns, all_patterns = failures(program, "patterns", edges=100, calls=100, changes=30)
        assert not all_visible or wanted <= visible, (seed, program.source)
        assert not all_patterns or wanted <= patterns, (seed, program.source)
        assert not (all_visible and all_patterns) or visible == patterns, (seed, program.source)
        ended += all_visible and all_patterns
    assert ended > 0.3 * len(SEEDS)


def test_interleavings_with_and_without_reduction() -> None:
    compared = 0
    for seed in SEEDS:
        program = parse(random_threads(Random(f"threads {seed}")))
        found = explore(program, 1000)
        if not found.complete:
            continue
        compared += 1
        wanted = {(each.kind, each.line if each.kind == "assertion" else 0) for each in found.failures}
        if not wanted:
            whole = knaster.check(program, "failures", engine="explicit", reduction="none")
            assert whole.stats["distinct_states"] == found.distinct
        assert failures(program, "explicit", reduction="none") == (wanted, True), (seed, program.source)
        assert failures(program, "explicit", reduction="local") == (wanted, True), (seed, program.source)
    assert compared > 0.3 * len(SEEDS)
