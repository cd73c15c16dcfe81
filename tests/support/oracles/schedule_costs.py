"""The least number of delays or preemptions to each failure: by all schedules of the interpreter, one by one."""

from __future__ import annotations

from collections.abc import Hashable

import knaster
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.program.model import Program
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.failure import Failure
from knaster.semantics.heap.interpreter import Machine
from support.oracles.zing_switches import Kinds, successors


def passed_over(kind: str, last: int, thread: int, can_run: list[bool]) -> int:
    """Return what a turn costs, by walking around the table of threads."""
    count = len(can_run)
    if kind == "switches":
        return int(last != 0 and last != thread)
    if kind == "preemptions":
        return int(last != 0 and last != thread and can_run[last - 1])
    at, cost = max(last, 1), 0
    while at != thread:
        cost += can_run[at - 1]
        at = at % count + 1
    return cost


def least_costs(program: Program, kind: str, most: int, limit: int = 4000) -> Kinds | None:
    """Return for each failure the least cost of a schedule that meets it, up to a number; None beyond a limit.

    A schedule is followed again wherever it comes with a smaller cost than before.
    """
    machine = Machine(program)
    found: Kinds = {}
    cheapest: dict[Hashable, int] = {}
    todo = [(machine.start(), 0, 0, 0)]

    def note(failures: set[Failure], cost: int) -> None:
        for failure in failures:
            name = failure.kind, failure.line if failure.kind == "assertion" else 0
            found[name] = min(cost, found.get(name, cost))

    while todo:
        configuration, choosing, last, cost = todo.pop()
        key = canonical(configuration, choosing), last
        if cost > most or cheapest.get(key, most + 1) <= cost:
            continue
        cheapest[key] = cost
        if len(cheapest) > limit:
            return None
        stuck = None if choosing else machine.stuck(configuration)
        note({stuck} if stuck is not None else set(), cost)
        threads = range(1, len(configuration.threads) + 1)
        can_run = [machine.runnable(configuration, thread) for thread in threads]
        for thread in (choosing,) if choosing else [thread for thread in threads if can_run[thread - 1]]:
            price = 0 if choosing else passed_over(kind, last, thread, can_run)
            if cost + price > most:
                continue
            met: set[Failure] = set()
            after = successors(machine, configuration, thread, choosing, met)
            note(met, cost + price)
            todo += [(to, chooses, ran, cost + price) for to, chooses, ran in after]
    return found


def costs_found(program: Program, kind: str, most: int, reduction: str) -> tuple[Kinds, bool]:
    """Return the same by the search, and whether it says that no bound cuts anything off."""
    result = knaster.check(program, "failures", engine="explicit", reduction=reduction, **{kind: most})  # type: ignore[arg-type]
    found: Kinds = {}
    whole = True
    for target, answer in result.answers:
        if isinstance(answer, Reachable):
            assert answer.checked and answer.least is not None and answer.least <= most
            found[target.kind or "assertion", 0 if target.kind else target.line] = answer.least
        else:
            assert isinstance(answer, Unreachable) and answer.checked
            assert answer.bound is None or (answer.bound.kind, answer.bound.number) == (kind, most)
            whole = whole and answer.bound is None
    return found, whole
