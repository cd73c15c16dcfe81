"""Runs a program with memory on chosen inputs: finds a run into a target; where it has few runs, all of them.

The simplest inputs come first (`semantics.memory.explore`).  A program without inputs has one run; one whose inputs
have few values has few.  If all of them end and reach no target, they are the proof
(`evidence.proofs.memory.memory_runs`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Spent, Task, Undecided
from knaster.engines.integers.search import SearchOptions
from knaster.evidence.answers.answer import Statistics, Terminates
from knaster.evidence.proofs.memory.memory_runs import MemoryRuns
from knaster.evidence.questions.question import Target, Temporal, Termination
from knaster.evidence.traces.memory_runs import is_asked, record_run, site_kinds, strict_kinds
from knaster.evidence.traces.trace import Trace
from knaster.semantics.memory.explore import FAULT, Exploration, Outcome
from knaster.semantics.memory.sites import Sites

STEPS = 30_000_000  # of all runs together
EACH = 300  # steps for each of the option `runs`
LONGEST = 200_000  # of a run that reads inputs
REST = 400_000  # steps, or four times those before, for the other targets once one was reached


def search_memory(task: Task, steps: int = STEPS) -> Findings:
    """Look for a run that reaches a target, or that all runs end and reach none, in so many steps.

    `inputs` in the statistics tells whether a run has read any; a run without goes on for `STEPS` in any case.
    """
    if isinstance(task.question, Temporal):
        return Findings(frozenset(), Undecided("formulas about programs with memory are not decided"), {"inputs": 0})
    started = time.perf_counter()
    if isinstance(task.options, SearchOptions):
        steps = min(steps, EACH * task.options.runs)
    strict = strict_kinds(task.targets)
    sites, asked = Sites(task.program), site_kinds(task.targets)
    exploration = Exploration(task.program, [target.place for target in task.targets if target.has_place], strict)
    placed = tuple(target for target in task.targets if target.has_place)
    others = tuple(target for target in task.targets if not target.has_place)
    found: dict[Target, tuple[Any, ...]] = {}
    unknown: Undecided | None = None
    lapses: dict[tuple[str, int], None] = {}
    unlisted = ""
    try:
        for outcome in exploration.outcomes(steps, LONGEST, task.budget.check):
            _note_lapses(outcome, sites, lapses)
            unlisted = unlisted or sites.why_unlisted(asked, outcome.undefined_steps)
            for target in _candidates(outcome, placed, others):
                if target not in found and _reaches(outcome, target):
                    found[target] = outcome.inputs
                    task.ledger.note({target: None})  # whatever becomes of the others
                    exploration.most = min(exploration.most, exploration.steps + max(REST, 4 * exploration.steps))
            if found and (task.first or len(found) == len(task.targets)):
                unknown = STOPPED
                break
    except (OutOfBudget, RecursionError, MemoryError) as error:
        unknown = (
            Undecided.because(error) if isinstance(error, OutOfBudget) else Undecided("a run needs too much memory")
        )
    if unknown is None and (unlisted or not exploration.complete):
        unknown = Undecided(unlisted or exploration.why)
    statistics: Statistics = {
        "search_seconds": time.perf_counter() - started,
        "runs": exploration.runs,
        "steps": exploration.steps,
        "inputs": int(not exploration.closed),
    }
    spent = Spent(states=exploration.steps, exhausted=exploration.steps >= steps)

    kinds = tuple(sorted(kind for kind in strict if isinstance(kind, str)))

    def proof() -> MemoryRuns:
        return MemoryRuns(task.program, exploration.runs, kinds, tuple(sorted(lapses)))

    if isinstance(task.question, Termination):
        ends = Terminates(proof()) if unknown is None else None
        return Findings(frozenset(), unknown, statistics, ends=ends, spent=spent)

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: record_run(task.program, found[target], target, strict_kinds((target,))) for target in targets}

    return Findings(
        frozenset(found), unknown, statistics, traces=traces, proof=proof if unknown is None else None, spent=spent
    )


def _note_lapses(outcome: Outcome, sites: Sites, lapses: dict[tuple[str, int], None]) -> None:
    """Note the undefined steps that a run came to."""
    for kind, span in outcome.lapses[:100]:
        if sites.is_listed(kind, span):
            lapses[kind, span.line] = None
    if outcome.kind == FAULT:
        lapses[outcome.fault, outcome.span.line] = None


def _candidates(outcome: Outcome, placed: tuple[Target, ...], others: tuple[Target, ...]) -> tuple[Target, ...]:
    """Return the targets that a run can have reached: places where it passed one, undefined steps where it has one."""
    return (placed if outcome.passed else ()) + (others if outcome.kind == FAULT else ())


def _reaches(outcome: Outcome, target: Target) -> bool:
    if target.has_place:
        return target.place in outcome.passed
    return outcome.kind == FAULT and is_asked(target, outcome.fault, outcome.span)
