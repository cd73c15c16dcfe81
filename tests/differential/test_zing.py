"""Random Zing models: every method finds exactly the failures that the interpreter's search finds."""

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

FACTOR = float(os.environ.get("KNASTER_EXAMPLES", "1"))
Found = set[tuple[str, int]]


def failures(program: Program, engine: str, **options: Any) -> tuple[Found, bool]:
    """Return the failures that an engine finds (asserts by line, others by kind), and whether it found all."""
    result = knaster.check(program, "failures", engine=engine, **options)
    found: Found = set()
    for target, answer in result.answers:
        if isinstance(answer, Reachable):
            assert answer.checked and answer.failure is not None
            found.add((answer.failure.kind, answer.failure.line if not target.kind else 0))
    return found, not any(isinstance(answer, Unknown) for _, answer in result.answers)


def expected(program: Program, limit: int, depth: int | None = None) -> tuple[Found, bool]:
    found = explore(program, limit, depth)
    lines = {(each.kind, each.line if each.kind == "assertion" else 0) for each in found.failures}
    return lines, found.complete


@pytest.mark.parametrize(("kind", "count"), [(ALIASING, 25), (RICH, 12), (BOUNDED, 5)])
def test_summaries_find_what_the_interpreter_finds(kind: Kind, count: int) -> None:
    for seed in range(int(count * FACTOR)):
        program = parse(random_model(Random(f"{kind} {seed}"), kind))
        wanted, complete = expected(program, 1500)
        if not complete:
            continue
        for engine in ("visible", "patterns", "explicit"):
            assert failures(program, engine) == (wanted, True), (engine, program.source)


def test_endless_recursion_contains_what_little_recursion_finds() -> None:
    for seed in range(int(6 * FACTOR)):
        program = parse(random_model(Random(f"endless {seed}"), ENDLESS))
        wanted, _ = expected(program, 200, 7)
        visible, all_visible = failures(program, "visible", edges=60, calls=60)
        patterns, all_patterns = failures(program, "patterns", edges=60, calls=60)
        assert not all_visible or wanted <= visible, program.source
        assert not all_patterns or wanted <= patterns, program.source
        assert not (all_visible and all_patterns) or visible == patterns, program.source


def test_interleavings_with_and_without_reduction() -> None:
    for seed in range(int(25 * FACTOR)):
        program = parse(random_threads(Random(f"threads {seed}")))
        found = explore(program, 1500)
        if not found.complete:
            continue
        wanted = {(each.kind, each.line if each.kind == "assertion" else 0) for each in found.failures}
        whole = knaster.check(program, "failures", engine="explicit", reduction="none")
        reached = {target for target, answer in whole.answers if isinstance(answer, Reachable)}
        if not reached:
            assert whole.stats["distinct_states"] == found.distinct
        assert failures(program, "explicit", reduction="none") == (wanted, True), program.source
        assert failures(program, "explicit", reduction="local") == (wanted, True), program.source
