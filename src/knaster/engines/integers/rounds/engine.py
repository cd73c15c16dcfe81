"""Asks about the sequential program for one number of rounds after the other.

A run that is found becomes one of the threads, which is replayed before it counts.  What is excluded is so within a
bound: with R rounds, runs with R - 1 switches.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from knaster.base.records import dataclass, field
from knaster.checkers.checked import Checked
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.integers.replayed_threads import replayed
from knaster.engines.integers.rounds import UNROLLED, RoundOptions
from knaster.engines.table import ENGINES, make_options
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.proofs.memory.reduced_threads import MOST, ReducedThreads
from knaster.evidence.questions.question import Bound, Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.transform.memory_threads.round_runs import unravel_rounds
from knaster.transform.memory_threads.rounds import RoundProgram, in_rounds
from knaster.transform.memory_threads.shared_program import share
from knaster.transform.regions.refusal import Refused


@dataclass(slots=True)
class _Outcome:
    """What is known so far."""

    traces: dict[Target, Trace] = field(default_factory=dict)
    covered: int = 0  # rounds
    proof: object = None  # of the sequential program for them
    unknown: Undecided | None = None  # why no more rounds were looked at


def rounds(task: Task) -> Findings:
    """Look at runs with a growing number of rounds."""
    started = time.perf_counter()
    options = task.options if isinstance(task.options, RoundOptions) else RoundOptions()
    found = _Outcome()
    last = task.bound.number if task.bound is not None else options.most
    try:
        shared = share(task.program, task.targets)
        for number in range(min(2, last), min(last, MOST - 1) + 1):
            task.budget.tell(f"looking at runs with {number} round{'s' if number > 1 else ''}")
            if not _look(task, in_rounds(shared, number), options, found):
                break
    except Refused as refused:
        found.unknown = Undecided(f"threads are not made one program: {refused}")
    return _findings(task, found, time.perf_counter() - started)


def _look(task: Task, reduced: RoundProgram, options: RoundOptions, found: _Outcome) -> bool:
    """Look at runs of so many rounds; tell whether there is something left to be looked at with more of them."""
    left = [target for target in task.targets if target not in found.traces]
    own = tuple(target for target, original in reduced.targets if original is None or original in left)
    own_options = {"depth": options.depth, "work": options.work} if options.sequential == UNROLLED else {}
    inner = Task(
        reduced.program,
        Reach(own, first=task.first),
        task.budget,
        make_options(options.sequential, own_options),
        ledger=Ledger(),
        refused=task.refused,
    )
    said = ENGINES[options.sequential].find(inner)
    stands_for = dict(reduced.targets)
    for target in own:
        original = stands_for[target]
        if target in said.reached and original is not None and original not in found.traces:
            assert said.traces is not None
            trace = unravel_rounds(reduced, said.traces([target])[target], original)
            if trace is not None and replayed(task.program, trace, original):
                found.traces[original] = trace
    if len(found.traces) == len(task.targets) or (task.first and found.traces):
        return False
    missed = [target for target in said.reached if stands_for[target] not in found.traces]
    if missed or said.unknown is not None:
        known = "a run may come to where the sequential program knows nothing"
        left_open = said.unknown._replace(also_known=()) if said.unknown is not None else None
        found.unknown = left_open if left_open is not None and not missed else Undecided(known)
        return False
    assert said.proof is not None
    proof = said.proof()
    found.covered, found.proof = reduced.rounds, proof.proof if isinstance(proof, Checked) else proof
    return True


def _findings(task: Task, found: _Outcome, seconds: float) -> Findings:
    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: found.traces[target] for target in targets}

    bound: Bound | None = None
    if found.covered:
        bound = Bound("rounds", found.covered) if task.bound is not None else Bound("switches", found.covered - 1)
    left = len(found.traces) < len(task.targets)
    unknown = found.unknown if bound is None or (found.unknown is not None and found.unknown.late) else None
    if left and task.first and found.traces:
        unknown = STOPPED
    elif left and bound is None and unknown is None:
        unknown = Undecided("nothing was looked at")

    def proof() -> ReducedThreads:
        assert bound is not None
        return ReducedThreads(task.program, bound, task.targets, found.proof)

    return Findings(
        frozenset(found.traces),
        unknown if left else None,
        {"rounds_seconds": seconds, "rounds": found.covered},
        traces=traces,
        proof=proof if left and bound is not None and unknown is None else None,
        bound=bound if left else None,
        covered=bound.number if bound is not None and left else None,
        method="rounds",
    )
