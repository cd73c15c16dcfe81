"""Sets of configurations against single configurations, on random programs whose threads do not recurse.

Every target gets the same answer and the same least number of switches or rounds; every trace replays with that number
(`conclude` sees to it); what is said to be unreachable for every number is what the oracle never reaches; every
certificate holds.
"""

from __future__ import annotations

import os
from random import Random

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.frontends.languages import load
from knaster.program.threads import most_started, recursive_procedure
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from support.generators.threaded_programs import Crowd, threaded_text

PROGRAMS = 6 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
SMALL = 12_000
CROWDS = {
    "plain": Crowd(sections=0.0),
    "sections": Crowd(),
    "locked": Crowd(lock=1.0, sections=0.0),
    "starting": Crowd(threads=(1, 2), starts=0.3, calls=0.2),
}


@pytest.mark.parametrize("kind", ["switches", "rounds", "any number"])
@pytest.mark.parametrize("crowd", CROWDS)
def test_every_target_of_random_programs(kind: str, crowd: str) -> None:
    seed, done, reached, refuted = 0, 0, 0, 0
    while done < (PROGRAMS if crowd != "starting" or kind != "rounds" else 0):
        seed += 1
        program = load(threaded_text(Random(f"states {crowd} {kind} {seed}"), CROWDS[crowd]))
        if recursive_procedure(program) is not None:
            continue
        most = most_started(program)
        number = None if kind == "any number" else 1 + seed % (3 if kind == "rounds" else 4)
        if number is None and most is None:
            continue
        keep = number if most is None or (number is not None and most > number) else None
        counted = "rounds" if kind == "rounds" else "switches"
        try:
            oracle = explore_threads(program, counted, number, keep=keep, limit=SMALL)
        except TooManyStates:
            continue
        done += 1
        asked = {} if number is None else {counted: number}
        result = knaster.check(program, "all-labels", engine="states", **asked)  # type: ignore[arg-type]
        for target, answer in result.answers:
            least = oracle.least.get(target.place)
            if least is None:
                assert isinstance(answer, Unreachable)
                assert answer.bound is None or not oracle.closed or keep is not None
                if answer.bound is None and not oracle.closed:  # it forgets what no longer matters, and is done earlier
                    assert keep is None
                    whole = explore_threads(program, counted, None, limit=SMALL)
                    assert whole.closed and target.place not in whole.least
                refuted += answer.bound is None
            else:
                assert isinstance(answer, Reachable)
                assert answer.checked and answer.least == least
                reached += 1
    assert done == 0 or reached > 0
    assert refuted > 0 or kind != "any number"
