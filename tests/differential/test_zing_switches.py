"""Zing models within a number of context switches: the least numbers are those that the interpreter finds."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

import knaster
from knaster.errors import KnasterError
from knaster.frontends.zing import parse
from knaster.heap.configuration import Configuration
from knaster.heap.explore import Exploration, _run, explore
from knaster.heap.failure import Failure
from knaster.heap.form import canonical
from knaster.heap.interpreter import Machine
from knaster.program.model import Program
from knaster.results.answer import Reachable, Unreachable, Verdict
from strategies_zing import random_threads

FACTOR = float(os.environ.get("KNASTER_EXAMPLES", "1"))
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "zing"
Kinds = dict[tuple[str, int], int]


def successors(
    machine: Machine, configuration: Configuration, thread: int, choosing: int, met: set[Failure]
) -> list[tuple[Configuration, int, int]]:
    """Return where a thread can go: a configuration, the thread that chooses there, and the thread that ran."""
    found: list[tuple[Configuration, int, int]] = []
    exploration = Exploration()
    for chosen in range(len(machine.alternatives(configuration, thread))) if choosing else (None,):
        reach = lambda to, chooses: found.append((to, chooses, thread))  # noqa: E731
        _run(machine, configuration.copy(), thread, chosen, exploration, reach)
    met |= exploration.failures
    return found


def least_numbers(program: Program, most: int) -> Kinds:
    """Return for each failure (asserts by line, others by kind) the least number of switches, up to a number."""
    machine = Machine(program)
    found: Kinds = {}
    seen = set()
    todo = [(machine.start(), 0, 0)]
    met: set[Failure] = set()
    for number in range(most + 1):
        following = []
        while todo:
            configuration, choosing, last = todo.pop()
            key = canonical(configuration, choosing), last
            if key in seen:
                continue
            seen.add(key)
            if not choosing and (stuck := machine.stuck(configuration)) is not None:
                met.add(stuck)
            threads = range(1, len(configuration.threads) + 1)
            for thread in (choosing,) if choosing else [t for t in threads if machine.runnable(configuration, t)]:
                if last and thread != last:
                    following.append((configuration, thread))
                else:
                    todo += successors(machine, configuration, thread, choosing, met)
        for failure in met:
            found.setdefault((failure.kind, failure.line if failure.kind == "assertion" else 0), number)
        met = set()
        todo = [
            each for configuration, thread in following for each in successors(machine, configuration, thread, 0, met)
        ]
    return found


def least_found(program: Program, most: int, reduction: str) -> Kinds:
    result = knaster.check(program, "failures", engine="explicit", switches=most, reduction=reduction)
    found: Kinds = {}
    for target, answer in result.answers:
        if isinstance(answer, Reachable):
            assert answer.checked and answer.least is not None and answer.trace is not None
            assert answer.trace.switches == answer.least <= most
            found[target.kind or "assertion", 0 if target.kind else target.line] = answer.least
        else:
            assert isinstance(answer, Unreachable) and (answer.bound is None or answer.bound.number == most)
    return found


def handed(end: str, last: str) -> str:
    """Return two threads that hand something to each other, and a third one that interferes."""
    return f"""class Main {{
  static int turn;
  static int seen;
  activate static void one() {{
    turn = 1;
    select {end} {{ wait(turn == 2) -> ; }}
    seen = seen + 1;
    turn = 3;
    select {end} {{ wait(turn == 4) -> ; }}
    assert(seen < 2);
    {last}
  }}
  activate static void two() {{
    bool early;
    early = turn == 0;
    assert(!early);
    select {end} {{ wait(turn == 1) -> ; }}
    turn = 2;
    select {end} {{ wait(turn == 3) -> ; }}
    turn = 4;
  }}
  activate static void three() {{
    bool again;
    again = choose(bool);
    seen = seen + 1;
    assert(turn != 4 || !again);
    atomic {{ turn = turn; select {{ wait(turn < 3) -> ; }} }}
  }}
}};
"""


@pytest.mark.parametrize("end", ["", "end"])
@pytest.mark.parametrize("last", ["", "select { wait(turn == 9) -> ; }"])
@pytest.mark.parametrize("most", [0, 1, 2, 3, 4, 6])
def test_least_numbers_of_threads_that_hand_something_over(end: str, last: str, most: int) -> None:
    program = parse(handed(end, last))
    wanted = least_numbers(program, most)
    for reduction in ("none", "local"):
        assert least_found(program, most, reduction) == wanted
    if most == 6:
        assert len(set(wanted.values())) >= 3


def test_the_least_numbers_of_switches_of_random_programs() -> None:
    for seed in range(int(6 * FACTOR)):
        program = parse(random_threads(Random(f"switches {seed}")))
        if not explore(program, 400).complete:
            continue
        for most in (0, 2):
            wanted = least_numbers(program, most)
            for reduction in ("none", "local"):
                assert least_found(program, most, reduction) == wanted, (most, reduction, program.source)


def test_a_level_without_new_states_is_the_last_one() -> None:
    file = EXAMPLES / "peterson.zing"
    whole = knaster.check(file, engine="explicit", reduction="none")
    result = knaster.check(file, switches=60, reduction="none")
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked
    assert result.bound is not None and result.bound.covered == 60
    few = knaster.check(file, switches=1)
    assert few.verdict is Verdict.UNKNOWN and "unreachable with at most 1 switch; more were not tried" in few.reason
    assert whole.verdict is Verdict.TRUE


def test_philosophers_need_three_switches() -> None:
    file = EXAMPLES / "philosophers-deadlock.zing"
    assert knaster.check(file, switches=2).verdict is Verdict.UNKNOWN
    answer = knaster.check(file, switches=7).answers[0][1]
    assert isinstance(answer, Reachable) and answer.least == 3


def test_recursion_without_end_is_unknown_within_a_bound() -> None:
    endless = """class Main {
  activate static void one() { M(); }
  activate static void two() { M(); }
  static void M() { M(); }
};
"""
    result = knaster.check(endless, switches=2, states=200)
    assert result.verdict is Verdict.UNKNOWN and "the limit of 200 states was reached" in result.reason


def test_rounds_are_not_counted() -> None:
    with pytest.raises(KnasterError, match="this one has a heap"):
        knaster.check(EXAMPLES / "peterson.zing", rounds=2)
