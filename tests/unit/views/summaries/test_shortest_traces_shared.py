"""Runs to several targets have their beginnings in common, and are the runs that each target would have alone."""

from __future__ import annotations

from random import Random

import pytest

from knaster.base.limits import Budget, Limits
from knaster.checkers.runs.replay import replay
from knaster.checkers.runs.replay_steps import SharedSteps
from knaster.evidence.questions.question import Target
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.views.summaries.path_edges import Summaries
from knaster.views.summaries.shortest_traces import find_traces
from knaster.views.symbolic.encoding import encode
from support.generators.boolean_programs import LARGE, SMALL, random_program


def reached(program: Program) -> tuple[Summaries, list[Target]]:
    summaries = Summaries(encode(program), Budget.of(Limits(), None))
    summaries.demand(summaries.symbolic.entry, summaries.symbolic.initial())
    summaries.run()
    return summaries, [Target(f"{p}-{q}", p, q, q) for p, q in sorted(summaries.visited_places())]


@pytest.mark.parametrize("programs", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_a_run_is_the_same_alone_and_among_others(programs: int) -> None:
    shared_steps = 0
    for seed in range(programs):
        program = random_program(Random(seed), LARGE if seed % 3 == 0 else SMALL)
        summaries, targets = reached(program)
        symbolic, budget = summaries.symbolic, summaries.budget
        together = find_traces(symbolic, summaries, targets, budget)
        shared = SharedSteps(program)
        seen: set[int] = set()
        for target in targets:
            alone = find_traces(symbolic, summaries, [target], budget)[target]
            assert list(alone) == list(together[target]), (seed, target)
            replay(program, together[target], target, shared)
            steps = {id(step) for path in together[target].paths for step in path.steps}
            shared_steps += len(steps & seen)
            seen |= steps
    assert shared_steps > 20


def test_a_straight_line_is_made_once() -> None:
    body = " ".join(f"L{number}: g := !g;" for number in range(50))
    program = parse(f"decl g; void main() begin {body} end")
    summaries, targets = reached(program)
    found = find_traces(summaries.symbolic, summaries, targets, summaries.budget)
    steps = {id(step) for trace in found.values() for path in trace.paths for step in path.steps}
    assert len(steps) < 3 * len(targets)
