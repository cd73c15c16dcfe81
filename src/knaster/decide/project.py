"""`knaster project`: the part of a program that can matter for an error, with a witness and values for each statement.

The projection is computed by saturation (`engines.error_places`).  Witnesses come from elsewhere: a trace of the
program that remembers whether it stood at the statement (`reductions.through`), replayed on the program itself; one
trace is the witness of every statement that it passes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, Limits, OutOfBudget
from knaster.decide.asked import Evidence, Source
from knaster.decide.check import run_engine
from knaster.decide.choose import Method, usable
from knaster.decide.crew import question_about, start_at
from knaster.decide.node_tables import with_enough_nodes
from knaster.engines.boolean import SummariesOptions
from knaster.engines.boolean.pushdown.error_places import ErrorProjection, error_projection
from knaster.engines.boolean.pushdown.rules import SPREAD
from knaster.engines.table import ENGINES
from knaster.evidence.answers.answer import Reachable, Result, Unknown
from knaster.evidence.answers.projection import Node, Projection
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Place, Program
from knaster.transform.through import remember_place
from knaster.views.symbolic.encoding import encode


def project(
    source: str | os.PathLike[str] | Program,
    target: str | Iterable[str | Target] | None = None,
    *,
    file: str | None = None,
    annotate: bool = False,
    entry: str | None = None,
    dialect: str = "default",
    limits: Limits = Limits(),  # noqa: B008  # frozen
    progress: Callable[[str], None] | None = None,
    partial: Callable[[Projection], None] | None = None,
) -> Projection:
    """Return the error projection of a program for a target; raise `OutOfBudget` where time or memory is spent.

    Witnesses come last.  Where only they take too long, the projection is returned with those that were found, and its
    `note` says why there are no others.  `partial` is told of the projection whenever there is more of it.
    """
    budget = Budget.of(limits, progress)
    program = start_at(Source(source, file, dialect).read()[0], entry)
    asked = question_about(program, target)
    usable("pushdown", program, asked)
    assert isinstance(asked, Reach)
    targets = asked.targets

    def attempt(nodes: int) -> tuple[Node, ...]:
        found = error_projection(encode(program, nodes=nodes, spread=SPREAD), targets, budget)
        return tuple(_nodes(program, found, annotate))

    nodes, _ = with_enough_nodes(attempt, budget)
    projection = Projection(program, targets, nodes)
    if not annotate:
        return projection
    witnesses: dict[Place, Trace] = {}
    try:
        for node in nodes:
            if node.place not in witnesses:
                if partial is not None:
                    partial(projection.with_witnesses(witnesses, "not all were found yet"))
                budget.tell(f"witnesses of {sum(each.place in witnesses for each in nodes)} of {len(nodes)} statements")
                trace = _witness(program, targets, node.place, budget)
                witnesses = {place: trace for place in _places_on(program, trace)} | witnesses
    except OutOfBudget as spent:
        return projection.with_witnesses(witnesses, str(spent))
    return projection.with_witnesses(witnesses, "")


def _nodes(program: Program, found: ErrorProjection, annotate: bool) -> Iterator[Node]:
    """Yield the statements of a projection; exits and failures are places but no statements."""
    lines = {(p.name, edge.source): edge.span.line for p in program.procedures for edge in p.edges}
    for place in found.places:
        if place in lines:
            yield Node(place, lines[place], None, found.values(place) if annotate else None)


def _witness(program: Program, targets: tuple[Target, ...], place: Place, budget: Budget) -> Trace:
    """Return a trace from the start through a place of the projection to a target, replayed."""
    budget.check()
    reduction = remember_place(program, place, targets)
    left = Budget(budget.seconds_left, budget.megabytes)
    evidence = Evidence(proofs=False)
    method = Method("summaries", ENGINES["summaries"], SummariesOptions())
    result = run_engine(method, program, Reach(targets), left, evidence, reduction=reduction)
    for _, answer in result.answers:
        if isinstance(answer, Reachable) and answer.trace is not None and place in _places_on(program, answer.trace):
            return answer.trace
    budget.check()
    _blame(result, place)


def _blame(result: Result, place: Place) -> NoReturn:
    """Say why there is no witness for a place of the projection: too little time or memory, or our own fault."""
    reasons = [answer.reason for _, answer in result.answers if isinstance(answer, Unknown)]
    for reason in (*reasons, *result.notes):
        raise OutOfBudget(reason)
    raise InternalError(f"no witness for {place}, which is said to be on an error path")


def _places_on(program: Program, trace: Trace) -> Iterator[Place]:
    """Yield the places that a trace stands at, each at least once."""
    seen: set[int] = set()
    todo: list[Path] = list(trace.paths)
    while todo:
        path = todo.pop()
        if id(path) in seen:
            continue
        seen.add(id(path))
        for step in path.steps:
            yield path.procedure, step.edge.source
            if step.inside is not None:
                todo.append(step.inside)
    yield trace.paths[-1].procedure, trace.location
