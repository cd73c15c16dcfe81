"""Delays and preemptions of Boolean programs: least numbers by all schedules, one by one, without any merging."""

from __future__ import annotations

from collections import deque
from random import Random

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.frontends.languages import load
from knaster.program.model import Place, Program
from knaster.program.threads import why_no_standstill
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from knaster.semantics.threads import Configuration, Threads
from support.generators.threaded_programs import Crowd, threaded_text
from support.oracles.schedule_costs import passed_over

KINDS = ("delays", "preemptions")


def _least(program: Program, kind: str, most: int, limit: int) -> dict[Place, int] | None:
    """Return the least cost to each place: a configuration is expanded again wherever it comes cheaper."""
    threads = Threads(program)
    found: dict[Place, int] = {}
    cheapest: dict[Configuration, int] = {}
    todo: deque[tuple[Configuration, int]] = deque()

    def can_run(here: Configuration) -> list[bool]:
        return [threads.can_step(here._replace(running=thread)) for thread in range(len(here.stacks))]

    for start in threads.starts():
        todo.append((start, passed_over(kind, 0, start.running + 1, can_run(start))))
    while todo:
        here, cost = todo.popleft()
        if cost > most or cheapest.get(here, most + 1) <= cost:
            continue
        cheapest[here] = cost
        if len(cheapest) > limit:
            return None
        if here.place is not None:
            found[here.place] = min(cost, found.get(here.place, cost))
        todo += [(after, cost) for _, after in threads.steps(here)]
        able = can_run(here)
        for after in threads.switches(here):
            todo.append((after, cost + passed_over(kind, here.running + 1, after.running + 1, able)))
    return found


def _compare(numbers: range) -> int:
    compared = 0
    for number in numbers:
        rng = Random(f"costs {number}")
        program = load(threaded_text(rng, Crowd(calls=0.2)))
        kind, most = rng.choice(KINDS), rng.choice((0, 1, 2))
        if why_no_standstill(program) is not None:
            continue
        wanted = _least(program, kind, most, 200)
        if wanted is None:
            continue
        try:
            found = explore_threads(program, kind, most, limit=400)
        except TooManyStates:
            continue
        assert found.least == wanted, number
        compared += 1
    return compared


def test_random_programs() -> None:
    assert _compare(range(60)) > 8


@pytest.mark.slow
def test_more_random_programs() -> None:
    assert _compare(range(100, 1600)) > 500


@pytest.mark.parametrize("kind", KINDS)
def test_the_answers_of_the_engine(kind: str) -> None:
    text = """decl g, h; init (!g & !h);
void main_1() begin g := T; if (h) then ERROR: skip; fi end
void main_2() begin assume(g); h := T; end
"""
    asked = {"engine": "explicit"}
    answers = []
    for most in range(4):
        result = knaster.check(text, **asked, **{kind: most})  # type: ignore[arg-type]
        answer = result.answers[0][1]
        assert isinstance(answer, Reachable | Unreachable)
        if isinstance(answer, Reachable):
            assert answer.checked and answer.least is not None and answer.least <= most
            assert result.verdict is knaster.Verdict.FALSE
        else:
            assert result.verdict is knaster.Verdict.UNKNOWN
            assert answer.bound is not None and (answer.bound.kind, answer.bound.number) == (kind, most)
        answers.append(isinstance(answer, Reachable))
    assert answers == sorted(answers) and answers[-1] and not answers[0]
