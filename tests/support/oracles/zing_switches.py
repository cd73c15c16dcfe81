"""The least number of context switches to each failure of a Zing model: by the interpreter, and by the search."""

from __future__ import annotations

import knaster
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.program.model import Program
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.explore import Exploration, _run
from knaster.semantics.heap.failure import Failure
from knaster.semantics.heap.interpreter import Machine

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
            assert isinstance(answer, Unreachable) and answer.checked
            assert answer.bound is None or answer.bound.number == most
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
