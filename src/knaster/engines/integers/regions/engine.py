"""Asks the methods for programs over integers about what a program with memory is reduced to.

A run that they find is taken back by its inputs, and is one of the program with memory; a proof is one of the reduced
program (`evidence.proofs.regions`).  Where the reduced program may come to a place where it knows nothing, runs alone
are told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.records import replace
from knaster.checkers.checked import Checked
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.integers.portfolio import portfolio
from knaster.engines.integers.regions import RegionOptions
from knaster.engines.integers.regions.parts import decide_in_parts, find_groups
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.proofs.memory.regions import RegionProof
from knaster.evidence.questions.question import Target, Termination
from knaster.evidence.traces.trace import Trace
from knaster.transform.regions.reduce import RegionProgram, reduce_regions
from knaster.transform.regions.refusal import Refused
from knaster.transform.regions.way_back import lift_run


def regions(task: Task) -> Findings:
    """Answer by what the program is reduced to."""
    options = task.options
    assert isinstance(options, RegionOptions)
    try:
        reduced = reduce_regions(task.program, task.targets)
    except Refused as refused:
        return Findings(frozenset(), Undecided(f"pointers are not made numbers: {refused}"), {}, method="regions")
    unclear = any(original is None for _, original in reduced.targets)
    if isinstance(task.question, Termination):
        return _decide_ending(task, reduced, unclear)
    question = replace(reduced.question, first=task.first and not unclear)
    inner = Task(reduced.program, question, task.budget, options, ledger=Ledger(), refused=task.refused)
    if parts := find_groups(reduced.program, inner.targets):
        found = decide_in_parts(parts, inner, options.units // 2)
        if found is not None and (not found.doubtful or found.spent.exhausted):
            return take_back(task, reduced, found)
        whole = take_back(task, reduced, portfolio(inner, options.units // 2))
        return whole if found is None or whole.unknown is None else take_back(task, reduced, found)
    return take_back(task, reduced, portfolio(inner, options.units))


def _decide_ending(task: Task, reduced: RegionProgram, unclear: bool) -> Findings:
    """Answer whether every run ends: a proof of the reduced program is one; a run without end is not taken back."""
    if unclear:
        reason = "pointers are not made numbers: a run may come to one of which it is not known where it points"
        return Findings(frozenset(), Undecided(reason), {}, method="regions")
    options = task.options
    assert isinstance(options, RegionOptions)
    inner = Task(reduced.program, task.question, task.budget, options, ledger=Ledger(), refused=task.refused)
    found = portfolio(inner, options.units)
    ends, unknown = None, found.unknown
    if isinstance(found.ends, Terminates) and found.ends.proof is not None:
        ends = Terminates(RegionProof(task.program, (), found.ends.proof))
    elif found.ends is not None:
        unknown = Undecided("the program over integers that it is reduced to has a run that never ends")
    statistics = {**found.statistics, "method": _method(found)}
    return Findings(frozenset(), unknown, statistics, ends=ends, method="regions", spent=found.spent)


def _method(found: Findings) -> str:
    return f"regions, {found.statistics.get('method', '')}".rstrip(", ")


def take_back(task: Task, reduced: RegionProgram, found: Findings) -> Findings:
    """Return what was found about the reduced program as findings about the program with memory."""
    stands_for = dict(reduced.targets)
    reached: dict[Target, Target] = {}
    for target, original in reduced.targets:
        if target in found.reached and original is not None:
            reached.setdefault(original, target)
    unknown = found.unknown
    if unknown is None and any(stands_for[target] is None for target in (*found.reached, *found.doubtful)):
        unknown = Undecided("a run may come to a pointer of which the reduced program does not know where it points")
    if task.first and reached:
        unknown = STOPPED

    doubtful = {original: why for target, why in found.doubtful.items() if (original := stands_for[target]) is not None}

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        assert found.traces is not None
        return {
            target: lift_run(reduced, found.traces([reached[target]])[reached[target]], target) for target in targets
        }

    def proof() -> RegionProof:
        assert found.proof is not None
        inner = found.proof()
        return RegionProof(task.program, task.targets, inner.proof if isinstance(inner, Checked) else inner)

    return Findings(
        frozenset(reached),
        unknown,
        {**found.statistics, "method": _method(found)},
        traces=traces,
        proof=proof if unknown is None and found.proof is not None else None,
        doubtful={target: why for target, why in doubtful.items() if target not in reached},
        method="regions",
        spent=found.spent,
    )
