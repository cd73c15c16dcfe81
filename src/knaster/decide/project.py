"""`knaster project`: the part of a program that can matter for an error, with a witness and values for each statement.

Of sequential Boolean programs it is computed by saturation (`error_places`), and witnesses come from elsewhere: a trace
of the program that remembers whether it stood at the statement (`transform.through`), replayed on the program itself;
one trace is the witness of every statement that it passes.  Of C and of threads it is a set of such runs
(`projections`), of models with references what all their states say.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn

from knaster.base.errors import InternalError, UsageError
from knaster.base.limits import Budget, Limits, OutOfBudget
from knaster.base.records import replace
from knaster.decide.asked import Asked, Evidence, Source
from knaster.decide.check import run_engine
from knaster.decide.choose import Method, usable
from knaster.decide.crew import set_up
from knaster.decide.node_tables import with_enough_nodes
from knaster.decide.projections.causes import find_causes
from knaster.decide.projections.heap_states import MOST_STATES, edges_to_targets
from knaster.decide.projections.runs_through import NotDecided, cover, edges_on
from knaster.decide.projections.threads import cover_threads, switch_points
from knaster.engines.boolean import SummariesOptions
from knaster.engines.boolean.pushdown.error_places import ErrorProjection, error_projection
from knaster.engines.boolean.pushdown.rules import SPREAD
from knaster.engines.table import ENGINES
from knaster.evidence.answers.answer import Reachable, Result, Unknown
from knaster.evidence.answers.projection import Node, Projection
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.kind import Kind
from knaster.program.model import Place, Program
from knaster.transform.through import remember_place
from knaster.views.symbolic.encoding import encode


def project(
    source: str | os.PathLike[str] | Program,
    target: str | Iterable[str | Target] | None = None,
    *,
    file: str | None = None,
    annotate: bool = False,
    causes: bool = False,
    slice: bool = False,
    entry: str | None = None,
    switches: int | None = None,
    threads: Sequence[str] | None = None,
    dialect: str = "default",
    limits: Limits = Limits(),  # noqa: B008  # frozen
    progress: Callable[[str], None] | None = None,
    partial: Callable[[Projection], None] | None = None,
    **reading: object,
) -> Projection:
    """Return the error projection of a program for a target; raise `OutOfBudget` where time or memory is spent.

    With `slice` it has the lines that the targets depend on, too.  Of programs with threads it is about runs with at
    most so many `switches`.  With `causes` it also says what only
    failing runs do.  Witnesses come last.  Where only they take too long, the projection is returned with those that
    were found, and its `note` says why there are no others.  `partial` is told of the projection whenever there is more
    of it.  `reading` are options of the language.
    """
    budget = Budget.of(limits, progress)
    asked = Asked.of(target, threads, entry, switches=switches)
    running = set_up(Source(source, file, dialect, reading).read()[0], asked)
    program, question = running.program, running.question
    assert isinstance(question, Reach)
    if causes and (program.is_threaded or program.kind is Kind.REFERENCES):
        raise UsageError(f"{program.file}: causes are looked for in sequential Boolean programs and C")
    if slice and (program.is_threaded or program.kind in (Kind.REFERENCES, Kind.MEMORY)):
        raise UsageError(f"{program.file}: --slice is for sequential programs without pointers")
    if program.kind is Kind.REFERENCES:
        return _project_model(program, question, annotate, budget)
    if program.is_threaded or program.kind is not Kind.BOOLEAN:
        return _with_slice(_project_by_runs(program, question, annotate, causes, budget), slice)
    found = _project_boolean(program, question.targets, annotate, budget, partial)
    if causes:
        budget.tell("looking for causes")
        edges = [edge for own in program.procedures for edge in own.edges]
        failing = [trace for _, trace in cover(program, question.targets, edges, budget)]
        found = replace(found, causes=find_causes(program, question.targets, failing, budget))
    return _with_slice(found, slice)


def _with_slice(found: Projection, asked: bool) -> Projection:
    """Return a projection with the lines that the targets depend on, where somebody asks for them."""
    if not asked:
        return found
    from knaster.decide.projections.slices import slice_lines

    return replace(found, slice=slice_lines(found.program, found.targets, found.lines))


def _project_boolean(
    program: Program,
    targets: tuple[Target, ...],
    annotate: bool,
    budget: Budget,
    partial: Callable[[Projection], None] | None,
) -> Projection:
    """Return the projection of a sequential Boolean program, for all statements at once."""
    usable("pushdown", program, Reach(targets))

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


def _project_by_runs(program: Program, question: Reach, annotate: bool, causes: bool, budget: Budget) -> Projection:
    """Return the projection of C, or of threads within a bound: one run after the other, until there are no more."""
    if program.is_threaded:
        if question.bound is None:
            raise UsageError(f"{program.file}: what matters for threads is told within a bound; give --switches K")
        usable("eager", program, question)
        runs = cover_threads(program, question, budget)
    else:
        runs = cover(program, question.targets, [edge for own in program.procedures for edge in own.edges], budget)
    witnesses: dict[Place, Trace] = {}
    failing: list[Trace] = []
    note = ""
    try:
        for target, trace in runs:
            failing.append(trace)
            witnesses = {place: trace for place in _edge_places(program, trace)} | witnesses
            witnesses.setdefault(target.place, trace)
            budget.tell(f"{len(witnesses)} statements can matter, and others may")
    except (NotDecided, OutOfBudget) as reason:
        note = str(reason)
    lines = {(own.name, edge.source): edge.span.line for own in program.procedures for edge in own.edges}
    met = [place for place in lines if place in witnesses]
    nodes = tuple(Node(place, lines[place], witnesses[place] if annotate else None) for place in met)
    undecided = tuple(place for place in program.statements_outside(witnesses)) if note else ()
    points = switch_points(program, question, budget) if program.is_threaded and failing and not note else ()
    said = find_causes(program, question.targets, failing, budget) if causes and not note else None
    return Projection(program, question.targets, nodes, note, question.bound, undecided, points, said)


def _project_model(program: Program, question: Reach, annotate: bool, budget: Budget) -> Projection:
    """Return the projection of a model with references, whose states are reached one by one."""
    if question.bound is not None or annotate:
        raise UsageError(f"{program.file}: --annotate and --switches are for Boolean programs and C")
    found = edges_to_targets(program, question.targets, budget)
    owner = {id(edge): own.name for own in program.procedures for edge in own.edges}
    lines = {(own.name, edge.source): edge.span.line for own in program.procedures for edge in own.edges}
    met = {(owner[id(edge)], edge.source) for edge in found.edges}
    met |= {target.place for target in question.targets if target.has_place and found.reached}
    nodes = tuple(Node(place, lines[place]) for place in lines if place in met)
    note = "" if found.complete else f"there are more than {MOST_STATES:,} states"
    undecided = () if found.complete else program.statements_outside(met)
    return Projection(program, question.targets, nodes, note, None, undecided)


def _edge_places(program: Program, trace: Trace) -> Iterator[Place]:
    """Yield the places whose statements a run executes."""
    owner = {id(edge): own.name for own in program.procedures for edge in own.edges}
    for edge in edges_on(trace):
        yield owner[id(edge)], edge.source


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
