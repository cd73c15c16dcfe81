"""Asks the methods for programs over integers about the program of all interleavings.

A run that they find becomes one of the threads, which is replayed before it counts; a proof is one of the sequential
program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.records import replace
from knaster.checkers.checked import Checked
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.integers.interleaved import InterleavedOptions
from knaster.engines.integers.portfolio import portfolio
from knaster.engines.integers.replayed_threads import replayed
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.proofs.memory.reduced_threads import ReducedThreads
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.transform.memory_threads.interleavings import InterleavedProgram, reduce_interleavings
from knaster.transform.memory_threads.round_runs import unravel_interleaving
from knaster.transform.regions.refusal import Refused


def interleaved(task: Task) -> Findings:
    """Answer by the program of all interleavings."""
    options = task.options if isinstance(task.options, InterleavedOptions) else InterleavedOptions()
    try:
        reduced = reduce_interleavings(task.program, task.targets)
    except Refused as refused:
        reason = f"threads are not made one program: {refused}"
        return Findings(frozenset(), Undecided(reason), {}, method="interleaved")
    unclear = any(original is None for _, original in reduced.targets)
    question = replace(reduced.question, first=task.first and not unclear)
    inner = Task(reduced.program, question, task.budget, options, ledger=Ledger(), refused=task.refused)
    return _take_back(task, reduced, portfolio(inner, options.units))


def _take_back(task: Task, reduced: InterleavedProgram, found: Findings) -> Findings:
    """Return what was found about the sequential program as findings about the threads."""
    runs: dict[Target, Trace] = {}
    lost = False
    for target, original in reduced.targets:
        if target in found.reached and original is not None and original not in runs:
            assert found.traces is not None
            back = unravel_interleaving(reduced, found.traces([target])[target], original)
            if back is not None and replayed(task.program, back, original):
                runs[original] = back
    for target, original in reduced.targets:
        lost = lost or (target in found.reached and original not in runs)
    unknown = found.unknown
    if unknown is None and lost:
        unknown = Undecided("a run may come to where the sequential program knows nothing")
    if task.first and runs:
        unknown = STOPPED
    if len(runs) == len(task.targets):
        unknown = None

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: runs[target] for target in targets}

    def proof() -> ReducedThreads:
        assert found.proof is not None
        inner = found.proof()
        return ReducedThreads(task.program, None, task.targets, inner.proof if isinstance(inner, Checked) else inner)

    return Findings(
        frozenset(runs),
        unknown,
        {**found.statistics, "method": f"interleaved, {found.statistics.get('method', '')}".rstrip(", ")},
        traces=traces,
        proof=proof if unknown is None and found.proof is not None else None,
        method="interleaved",
        spent=found.spent,
    )
