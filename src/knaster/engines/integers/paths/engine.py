"""Goes through the paths of a program with memory: a run into a target, or that no path leads to one.

The number of branches of a path grows by doubling.  Where no path has more, all runs are known; which branches are
possible is the proof (`evidence.proofs.memory.memory_paths`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.checkers.runs.replay_memory import replay_memory
from knaster.engines.contract import STOPPED, Findings, Spent, Task, Undecided
from knaster.engines.integers.paths import PathOptions
from knaster.engines.integers.paths.path_inputs import CutOff, PathInputs, PathTree
from knaster.evidence.answers.answer import Statistics, Terminates
from knaster.evidence.proofs.memory.memory_paths import MemoryPaths
from knaster.evidence.questions.question import Target, Termination
from knaster.evidence.traces.memory_runs import is_asked, kinds_in, record_run, site_kinds, strict_kinds
from knaster.evidence.traces.trace import Trace
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.explore import BEGINNING, FAULT, LIMIT, UNCLEAR, Outcome, run_machine, watch
from knaster.semantics.memory.machine import Machine
from knaster.semantics.memory.sites import Sites, site_at
from knaster.semantics.memory.symbolic.symbols import SymbolTable
from knaster.smt.solver import OutOfUnits, Session
from knaster.smt.terms import Unsuitable

FIRST = 32  # branches
STEPS = 4_000_000  # of all runs together
LONGEST = 400_000  # of one run
MILLION = 1_000_000


@dataclass(slots=True)
class _State:
    """What is known so far."""

    found: dict[Target, tuple[Any, ...]] = field(default_factory=dict)
    proof: MemoryPaths | None = None
    reason: str = ""
    late: bool = False
    paths: int = 0
    steps: int = 0
    lapses: dict[tuple[str, int], None] = field(default_factory=dict)
    wraps: dict[int, None] = field(default_factory=dict)


def paths(task: Task) -> Findings:
    """Look for a run that reaches a target, or go through all paths."""
    started = time.perf_counter()
    options = task.options if isinstance(task.options, PathOptions) else PathOptions()
    state = _State()
    try:
        _grow(task, options, state)
    except OutOfBudget as spent:
        undecided = Undecided.because(spent)
        state.reason, state.late = undecided.reason, undecided.late
    except (Unsuitable, OutOfUnits) as why:
        state.reason = str(why)
    except (RecursionError, MemoryError):
        state.reason = "a run needs too much memory"
    return _findings(task, state, time.perf_counter() - started)


def _findings(task: Task, state: _State, seconds: float) -> Findings:
    statistics: Statistics = {"paths_seconds": seconds, "runs": state.paths, "steps": state.steps}
    proof = state.proof
    unknown = None
    if proof is None and len(state.found) < max(1, len(task.targets)):
        unknown = (
            STOPPED if state.found and task.first else Undecided(state.reason or "there are too many paths", state.late)
        )
    spent = Spent(states=state.steps, exhausted=proof is None)
    if isinstance(task.question, Termination):
        ends = Terminates(proof) if proof is not None else None
        return Findings(frozenset(), unknown, statistics, ends=ends, spent=spent)

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {
            target: record_run(task.program, state.found[target], target, strict_kinds((target,))) for target in targets
        }

    found = frozenset(state.found)
    return Findings(found, unknown, statistics, traces, (lambda: proof) if proof is not None else None, spent=spent)


def _grow(task: Task, options: PathOptions, state: _State) -> None:
    looking = _Looking(task, options, state)
    branches = FIRST
    while not looking.go_through(min(branches, options.branches)):
        if branches >= options.branches:
            state.reason = state.reason or f"paths have more than {options.branches:,} branches"
            return
        branches *= 4


class _Looking:
    """What is looked for along paths.

    Where a site is `strict`, a run ends when it first comes to that undefined step; then all paths are gone through
    again without it, so that what is said of other steps does not depend on who asks for this one.
    """

    def __init__(self, task: Task, options: PathOptions, state: _State) -> None:
        self.task = task
        self.state = state
        self.session = Session(task.budget, MILLION * options.solving)
        self.codes = Codes(task.program)
        self.strict = strict_kinds(task.targets)
        self.asked = kinds_in(self.strict)
        self.watched = watch([target.place for target in task.targets if target.has_place])
        self.sites, self.listed = Sites(task.program), site_kinds(task.targets)

    def go_through(self, branches: int) -> bool:
        """Go through all paths with so many branches; tell whether more of them would say no more."""
        self.task.budget.tell(f"looking at paths with up to {branches} branches")
        while (said := self._once(branches)) is None:
            pass
        return said

    def _once(self, branches: int) -> bool | None:
        """Go through them; None where a strict site was reached, which is not strict any more."""
        state, task = self.state, self.task
        table = SymbolTable()
        tree = PathTree(table, self.session, branches)
        cut, runs, state.reason = False, 0, ""
        while True:
            inputs = PathInputs(table, tree, self.asked)
            runs += 1
            state.paths += 1
            try:
                machine = Machine(self.codes, inputs, self.strict)
                outcome = run_machine(machine, self.watched, min(LONGEST, STEPS - state.steps), task.budget.check)
                self._note(tree, inputs, outcome)
            except CutOff:
                cut, outcome = True, None
            if len(state.found) == len(task.targets) > 0 or (state.found and task.first):
                return True
            if outcome is not None and outcome.kind == FAULT:
                site = site_at(outcome.fault, outcome.span)
                if site in self.strict:
                    self.strict -= {site}
                    return None
            if state.steps >= STEPS:
                state.reason = f"the paths have more than {STEPS:,} steps"
                return True
            if not tree.advance():
                break
        state.reason = state.reason or tree.why
        if not cut and not state.reason:
            state.proof = self._proof(runs, tree)
        return not cut or bool(state.reason)

    def _proof(self, runs: int, tree: PathTree) -> MemoryPaths:
        kinds = tuple(sorted(kind for kind in self.strict if isinstance(kind, str)))
        told = tuple(sorted(self.state.lapses)), tuple(sorted(self.state.wraps))
        return MemoryPaths(self.task.program, runs, tuple(tree.record), kinds, tuple(sorted(self.asked)), *told)

    def _note(self, tree: PathTree, inputs: PathInputs, outcome: Outcome) -> None:
        state = self.state
        state.steps += outcome.steps + BEGINNING
        state.wraps |= inputs.wraps
        for kind, span in outcome.undefined_steps:
            if self.sites.is_listed(kind, span) or (kind, span) == (outcome.fault, outcome.span):
                state.lapses[kind, span.line] = None
        if outcome.kind == UNCLEAR:
            tree.give_up(outcome.message)
        if outcome.kind == LIMIT:
            tree.give_up(f"a run has more than {outcome.steps:,} steps")
        if why := self.sites.why_unlisted(self.listed, outcome.undefined_steps):
            tree.give_up(why)
        for target in self.task.targets:
            if target not in state.found and _reaches(outcome, target):
                if inputs.invented:
                    tree.give_up("a function of the library is known only by the ranges of what it returns")
                elif self._is_run(values := inputs.values, inputs.altered, target):
                    state.found[target] = values
                else:
                    tree.give_up("an input would be a NaN that signals")

    def _is_run(self, values: tuple[Any, ...], altered: bool, target: Target) -> bool:
        """Tell whether a run on some inputs reaches a target, where they are not quite those of the path."""
        if not altered:
            return True
        try:
            trace = record_run(self.task.program, values, target, strict_kinds((target,)))
            replay_memory(self.task.program, trace, target)
        except InternalError:
            return False
        return True


def _reaches(outcome: Outcome, target: Target) -> bool:
    if target.has_place:
        return target.place in outcome.passed
    return outcome.kind == FAULT and is_asked(target, outcome.fault, outcome.span)
