"""Stacks of random runs: each is found by a run; what is excluded no random run has."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.evidence.traces.trace import Trace
from knaster.frontends.boolean.printer import to_text
from knaster.program.model import Program
from support.generators.boolean_programs import TINY, random_program
from support.oracles.random_runs import random_trace


def stack_of(program: Program, trace: Trace) -> str | None:
    """Return the stack of a run as text, the innermost frame first; None where it does not stand before a statement."""
    edges = program.procedure(trace.procedure).leaving.get(trace.location, ())
    if not edges:
        return None
    lines = [edges[0].span.line, *(path.steps[-1].edge.span.line for path in trace.paths[-2::-1])]
    names = [path.procedure for path in trace.paths[::-1]]
    return "\n".join(f"{name}:{line}" for name, line in zip(names, lines, strict=True)) + "\n"


def compare(seeds: range) -> list[int]:
    counts = [0, 0]
    for seed in seeds:
        rng = Random(f"crash {seed}")
        text = to_text(random_program(rng, TINY))
        program = knaster.parse(text)
        traces = [trace for _ in range(30) if (trace := random_trace(rng, program)) is not None]
        stacks = {stack for trace in traces if (stack := stack_of(program, trace)) is not None}
        if stacks:
            chosen = max(sorted(stacks), key=len)
            assert knaster.crash(text, chosen).run is not None, (seed, chosen)
            counts[0] += 1
        own = rng.choice(program.procedures)
        line = rng.choice(own.edges).span.line
        found = knaster.crash(text, f"{own.name}:{line}\n")
        if found.excluded or not found.path:
            assert not any(stack.startswith(f"{own.name}:{line}\n") for stack in stacks), seed
            counts[1] += found.excluded
    return counts


def test_stacks_of_random_runs() -> None:
    assert compare(range(15))[0] > 5


@pytest.mark.slow
def test_many_stacks_of_random_runs() -> None:
    with_run, without = compare(range(15, 600))
    assert with_run > 200 and without > 5
