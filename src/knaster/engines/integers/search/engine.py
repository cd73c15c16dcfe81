"""Runs a program on chosen inputs: finds a run into a target, or one that comes back to where it was.

In general a search and no proof: what it does not find may exist.  Inputs are small numbers, the program's constants
and bounds (`semantics.candidate_inputs`); calls are tabulated (`semantics.tabulation`).  Where the program reads no
input, or only inputs of few values, all of its runs are known in the end; they are the proof
(`evidence.proofs.all_runs`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Spent, Task, Undecided
from knaster.engines.integers.search import SearchOptions
from knaster.engines.integers.tabulation_traces import RunFinder
from knaster.evidence.answers.answer import Diverges, Statistics, Terminates
from knaster.evidence.proofs.all_runs import AllRuns
from knaster.evidence.questions.question import Target, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import has_choice
from knaster.program.model import Kind, Program, expressions
from knaster.semantics.python_code import NotCompiled
from knaster.semantics.tabulation import Tabulation

_PROVED = 20_000  # nodes of a proof; more take too long to check
_ONE_RUN = 60_000  # nodes of a proof about a program without inputs, which nobody else proves anything about sooner
_FIRST = 500  # nodes until cycles are looked for the first time; four times more each time


class Kept:
    """What an earlier search found, for whoever asks again with a higher limit."""

    table: Tabulation | None = None


def search(task: Task, kept: Kept | None = None) -> Findings:
    """Look for a run that refutes the property; with what was `kept` of an earlier search, go on where that stopped."""
    if task.program.kind is Kind.MEMORY:
        from knaster.engines.integers.search.memory import search_memory

        return search_memory(task)
    started = time.perf_counter()
    options = task.options
    limit = options.runs if isinstance(options, SearchOptions) else SearchOptions().runs
    try:
        table = _table_of(task, kept or Kept())
    except NotCompiled as error:
        return Findings(frozenset(), Undecided.because(error), {})
    try:
        unknown, lasso = _explore(task, table, limit)
    except OutOfBudget as error:
        unknown, lasso = Undecided.because(error), None
    statistics: Statistics = {"search_seconds": time.perf_counter() - started, "states": len(table.nodes)}
    spent = Spent(states=len(table.nodes), exhausted=len(table.nodes) >= limit)
    if lasso is not None:
        return Findings(frozenset(), None, statistics, ends=Diverges(lasso), spent=spent)

    def proof() -> AllRuns:
        nodes = table.nodes.values()
        states = [(n.call.code.procedure.name, n.call.arguments, n.location, n.values) for n in nodes]
        return AllRuns(task.program, tuple(states))

    if unknown is None and isinstance(task.question, Termination):
        return Findings(frozenset(), None, statistics, ends=Terminates(proof()), spent=spent)
    places = {(node.call.code.procedure.name, node.location): node for node in reversed(table.found)}
    reached = frozenset(target for target in task.targets if target.place in places)

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        retracing = RunFinder(table)
        return {target: retracing.trace(places[target.place]) for target in targets}

    return Findings(reached, unknown, statistics, traces=traces, proof=proof if unknown is None else None, spent=spent)


def _table_of(task: Task, kept: Kept) -> Tabulation:
    """Return the table to fill, the earlier one where there is one: its targets are these and perhaps more."""
    kept.table = kept.table or Tabulation(task.program, (target.place for target in task.targets), task.budget.check)
    return kept.table


def has_one_run(program: Program) -> bool:
    """Tell whether a program reads no input, so that it has one run."""
    if program.procedure(program.threads[0]).parameters:
        return False
    actions = (edge.action for procedure in program.procedures for edge in procedure.edges)
    return not any(has_choice(expr) for action in actions for expr in expressions(action))


def _explore(task: Task, table: Tabulation, limit: int) -> tuple[Undecided | None, Lasso | None]:
    """Explore; return why it stopped, and a run without end where that is asked for and was found."""
    ending, enough = isinstance(task.question, Termination), _FIRST
    most = _ONE_RUN if has_one_run(task.program) else _PROVED
    while True:
        done = table.explore(min(enough, limit))
        if ending and (lasso := RunFinder(table).lasso()) is not None:
            return None, lasso
        wanted = {target.place for target in task.targets}
        found = {(node.call.code.procedure.name, node.location) for node in table.found}
        if not ending and (found >= wanted or (found and task.first)):
            return STOPPED, None
        if done and table.complete and len(table.nodes) <= most:
            return None, None
        if done:
            return Undecided("no run was found on the inputs that were tried"), None
        if len(table.nodes) >= limit:
            return Undecided(f"no run was found within {limit:,} states"), None
        enough *= 4
