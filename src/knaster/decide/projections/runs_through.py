"""Runs to a target through edges, one at a time: found and replayed, or excluded by a proof.

The question is about a program that remembers its edges (`transform.through_edges`), and any engine answers it; so it
is right for Boolean programs and C, and a projection needs one question for each run that takes an edge that no other
has taken, and one more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.decide.asked import Evidence, How
from knaster.decide.check import run_engine
from knaster.decide.choose import choose
from knaster.evidence.answers.answer import Reachable, Unknown, Unreachable
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Edge, Program
from knaster.transform.through_edges import remember_edges

Lift = Callable[[Target, Trace], tuple[Target, Trace]]


class NotDecided(Exception):
    """No engine tells whether there is such a run."""


def run_through(
    program: Program, targets: Sequence[Target], sets: Sequence[Collection[Edge]], budget: Budget
) -> tuple[Target, Trace] | None:
    """Return a run to one of the targets that takes an edge of each set, replayed; None where there is none.

    Raises `NotDecided` where that is not known.
    """
    budget.check()
    reduction = remember_edges(program, sets, targets)
    method = choose(reduction.program, reduction.question, How())
    left = Budget(budget.seconds_left, budget.megabytes)
    asked = Reach(tuple(targets), first=True)
    result = run_engine(method, program, asked, left, Evidence(), reduction=reduction)
    for target, answer in result.answers:
        if isinstance(answer, Reachable) and answer.trace is not None:
            return target, answer.trace
    budget.check()
    reasons = [answer.reason for _, answer in result.answers if isinstance(answer, Unknown)]
    if reasons:
        raise NotDecided(reasons[0])
    if all(isinstance(answer, Unreachable) and answer.bound is None for _, answer in result.answers):
        return None
    raise OutOfBudget("; ".join(result.notes) or "there is no trace")


def cover(
    program: Program, targets: Sequence[Target], edges: Sequence[Edge], budget: Budget, lift: Lift | None = None
) -> Iterator[tuple[Target, Trace]]:
    """Yield runs to the targets that together take every edge that some such run takes; raise as `run_through`.

    `lift` makes of a run one of the program that this one was made of; then edges count by their origins.
    """
    taken: set[int] = set()
    while left := [edge for edge in edges if id(edge if lift is None else edge.origin) not in taken]:
        run = run_through(program, targets, [left], budget)
        if run is None:
            return
        run = run if lift is None else lift(*run)
        new = {id(edge) for edge in edges_on(run[1])} - taken
        if not any(id(edge if lift is None else edge.origin) in new for edge in left):
            raise InternalError("a run that is said to take an edge does not")
        taken |= new
        yield run


def edges_on(trace: Trace) -> Iterator[Edge]:
    """Yield the edges that a run takes, each at least once."""
    seen: set[int] = set()
    todo: list[Path] = list(trace.paths)
    while todo:
        path = todo.pop()
        if id(path) in seen:
            continue
        seen.add(id(path))
        for step in path.steps:
            yield step.edge
            if step.inside is not None:
                todo.append(step.inside)
