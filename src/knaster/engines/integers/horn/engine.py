"""Decides targets by Horn clauses and Spacer: a run into a target, or invariants and guarantees that exclude it.

A. Komuravelli, A. Gurfinkel and S. Chaki, SMT-based Model Checking for Recursive Programs (CAV 2014).  The clauses are
asked twice.  First without wrapping, as if no operator overflowed: that is easy to reason about and only a guess, so a
run must replay and a proof must pass the checker, which knows how machine integers wrap.  Where it does not, or where
Spacer gives up, the clauses are asked with wrapping.  Before all that the proof that says nothing is tried, which needs
no z3: z3 is loaded when it is asked.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.checkers.checked import Checked, check_excludes
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.integers.horn import HornOptions
from knaster.engines.integers.inference.from_calls import invariants_from_calls, recursive_procedures
from knaster.evidence.answers.answer import Statistics
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import FALSE, TRUE
from knaster.program.model import Program
from knaster.program.types import Int
from knaster.semantics.python_code import loop_heads
from knaster.smt.terms import Unsuitable

if TYPE_CHECKING:
    from knaster.engines.integers.horn.attempt import Stage

SLICE = 200_000  # resource units of the first questions, a fraction of a second
TRIVIAL = 400  # edges of a program of which the proof that says nothing is tried
FACTS = 2_000_000  # resource units for what facts exclude
LATER = 4  # how many times longer the next ones may take


@dataclass(slots=True)
class _Outcome:
    """What is known so far."""

    traces: dict[Target, Trace]
    proof: Checked | None = None
    unknown: Undecided | None = None
    units: int = 0


@dataclass(slots=True)
class Progress:
    """How far the questions about some targets have come, for whoever asks again with more units."""

    targets: tuple[Target, ...] = ()
    stages: list[Stage] = field(default_factory=list)  # that have not said all that they can say
    size: int = SLICE
    unknown: Undecided | None = None  # why the last question was not decided


def horn(task: Task, progress: Progress | None = None) -> Findings:
    """Decide every target by Horn clauses; with `progress` of an earlier call, go on where that stopped."""
    started = time.perf_counter()
    options = task.options if isinstance(task.options, HornOptions) else HornOptions()
    found = _Outcome({})
    try:
        _decide(task, options, found, progress or Progress())
    except OutOfBudget as spent:
        found.unknown = Undecided.because(spent)
    except Unsuitable as why:
        found.unknown = Undecided.because(why)
    statistics: Statistics = {"horn_seconds": time.perf_counter() - started, "units": found.units}
    reached = frozenset(found.traces)

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: found.traces[target] for target in targets}

    proof = found.proof
    return Findings(reached, found.unknown, statistics, traces, None if proof is None else lambda: proof)


def _decide(task: Task, options: HornOptions, found: _Outcome, progress: Progress) -> None:
    """Ask about all targets together; again without one that was reached, where all are asked for."""
    left = list(task.targets)
    while left:
        target = _ask(task, left, options, found, progress)
        if target is None:
            return
        left.remove(target)
        found.unknown = STOPPED if left and task.first else None
        if task.first:
            return


def _ask(
    task: Task, targets: Sequence[Target], options: HornOptions, found: _Outcome, progress: Progress
) -> Target | None:
    """Ask in slices; return the target that was reached, None with a proof or a reason."""
    if progress.targets != tuple(targets):
        if (proof := _check(task, targets, _trivial_proof(task.program, targets))) is not None:
            found.proof, found.unknown = proof, None
            return None
        progress.targets, progress.stages, progress.size = tuple(targets), _choose_stages(task.program), SLICE
    from knaster.engines.integers.horn.attempt import Attempt

    while progress.stages:
        size = progress.size
        for stage in list(progress.stages):
            left = options.units - found.units
            if left <= 0:
                found.unknown = found.unknown or Undecided(f"Spacer gave no answer within {options.units:,} units")
                return None
            task.budget.tell(f"looking for invariants ({stage.value})")
            attempt = Attempt(task, targets, stage)
            said = attempt.run(min(size * stage.weight, left))
            found.units += attempt.clauses.spent
            if isinstance(said, Checked):
                found.proof, found.unknown = said, None
                return None
            if not isinstance(said, str):
                found.traces[said[0]] = said[1]
                return said[0]
            found.unknown = progress.unknown = Undecided(said)
            if attempt.answered:  # it would say the same again
                progress.stages.remove(stage)
        if size == SLICE and (proof := _proof_from_runs(task, targets, options.units)) is not None:
            found.proof, found.unknown = proof, None
            return None
        progress.size = size * LATER
    found.unknown = progress.unknown
    return None


def _trivial_proof(program: Program, targets: Sequence[Target]) -> Invariants | None:
    """Return the proof that says nothing, but that procedures which begin at a target are never called.

    It is one where targets are excluded by the steps that lead to them.
    """
    if program.size > TRIVIAL:
        return None
    places = {target.place for target in targets}
    claims = {one.name: FALSE if (one.name, one.entry) in places else TRUE for one in program.procedures}
    at = {
        (one.name, location): claims[one.name]
        for one in program.procedures
        for location in {one.entry, one.exit, *loop_heads(one)}
    }
    return Invariants(program, claims, at)


def _proof_from_facts(task: Task, targets: Sequence[Target]) -> Checked | None:
    """Return what `facts` knows, where the checker says that it is a proof."""
    from knaster.engines.integers.inference.from_facts import invariants_from_facts

    places = [target.place for target in targets]
    return _check(task, targets, invariants_from_facts(task.cut(), places, task.budget, FACTS))


def _choose_stages(program: Program) -> list[Stage]:
    """Return the ways to ask about a program, in their order."""
    from knaster.engines.integers.horn.attempt import Stage

    stages = list(Stage) if _can_wrap(program) else [Stage.EXACT, Stage.EXACT_SUMMARY]
    if recursive_procedures(program):
        stages.sort(key=lambda stage: stage is not Stage.SUMMARY)
    return stages


def _proof_from_runs(task: Task, targets: Sequence[Target], units: int) -> Checked | None:
    """Return what runs tell of calls and loops, where the checker says that it is a proof."""
    from knaster.engines.integers.inference.from_laws import invariants_from_laws
    from knaster.engines.integers.inference.from_states import invariants_from_states

    task.budget.tell("looking at what runs tell")
    places, cut = [target.place for target in targets], task.cut()
    return (
        _proof_from_facts(task, targets)
        or _check(task, targets, invariants_from_calls(cut, task.budget))
        or _check(task, targets, invariants_from_states(cut, places, task.budget, units))
        or _check(task, targets, invariants_from_laws(cut, task.budget))
    )


def _check(task: Task, targets: Sequence[Target], proof: Invariants | None) -> Checked | None:
    """Return a proof as checked where it is one."""
    if proof is None:
        return None
    try:
        return check_excludes(proof, task.program, targets, task.budget)
    except InternalError:
        return None
    except OutOfBudget:
        task.budget.check()
        return None


def _can_wrap(program: Program) -> bool:
    """Tell whether the program has integers that wrap."""
    types = [type for _, type in program.types]
    types += [type for procedure in program.procedures for _, type in procedure.types]
    return any(not isinstance(type, Int) or type.width is not None for type in types)
