"""Engines that answer for a bound, against the exploration of single configurations, on random programs."""

from __future__ import annotations

import os
from random import Random

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import Schedules, explore_threads
from support.generators.threaded_programs import Crowd, threaded_text

PROGRAMS = 2 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
CROWDS = {
    "plain": Crowd(sections=0.0),
    "sections": Crowd(),
    "locked": Crowd(lock=1.0, sections=0.0),
    "starting": Crowd(threads=(1, 2), starts=0.3, calls=0.2),
    "many": Crowd(threads=(3, 4), statements=(1, 2)),
    "enforced": Crowd(sections=0.05, enforces=0.5),
}
MOST = {"lazy": 4, "calculus": 3, "eager": 3}  # switches
SMALL = 6_000
DEEPEST = 4  # stacks of the exploration; higher ones are cut off, and then it knows less than an engine


def check_against(oracle: Schedules, program: Program, engine: str, kind: str, number: int) -> int:
    """Compare every target; return how many are reachable."""
    switches, rounds = (number, None) if kind == "switches" else (None, number)
    result = knaster.check(program, "all-labels", engine=engine, switches=switches, rounds=rounds)
    reached = 0
    for target, answer in result.answers:
        least = oracle.least.get(target.place)
        if isinstance(answer, Reachable):
            reached += 1
            assert answer.checked and answer.trace is not None
            assert answer.least == (answer.trace.switches if kind == "switches" else answer.trace.rounds)
            assert answer.least == least or (oracle.cut and (least is None or answer.least < least))
        else:
            assert isinstance(answer, Unreachable)
            assert answer.bound is not None
            assert least is None
    return reached


@pytest.mark.parametrize("engine", ["lazy", "eager", "calculus"])
@pytest.mark.parametrize("kind", ["switches", "rounds"])
@pytest.mark.parametrize("crowd", CROWDS)
def test_every_target_of_random_programs(engine: str, kind: str, crowd: str) -> None:
    if kind == "rounds" and (crowd == "starting" or engine == "calculus"):
        return  # refused
    seed, done, reached = 0, 0, 0
    while done < PROGRAMS:
        seed += 1
        program = load(threaded_text(Random(f"{crowd} {kind} {seed}"), CROWDS[crowd]))
        if not program.is_threaded:
            continue
        number = 1 + seed % MOST[engine] if kind == "switches" else 1 + seed % 2
        keep = number if crowd == "starting" else None
        try:
            oracle = explore_threads(program, kind, number, keep=keep, depth=DEEPEST, limit=SMALL)
        except TooManyStates:
            continue
        done += 1
        reached += check_against(oracle, program, engine, kind, number)
    assert reached > PROGRAMS
