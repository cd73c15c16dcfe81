"""The check of an infinite run of C with memory: replayed step by step, the cycle leads back to where it began.

"Where it began" is the same state up to the names of objects, without variables that nobody reads any more
(`semantics.memory.threads.states`); inputs of the cycle are chosen again each time.  Where only fair runs count, each
thread that takes no step of the cycle cannot move somewhere on it (weakly), or nowhere on it can (strongly); inside a
section nobody is asked.
"""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay_memory import check_inputs
from knaster.checkers.runs.replay_memory_threads import follow_threads, waits
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.memory_runs import MemoryRun, inputs_of
from knaster.program.model import Program
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.states import Liveness, key_of


def check_memory_lasso(lasso: Lasso, program: Program, question: Termination | Temporal) -> None:
    """Raise `InternalError` unless a lasso is a fair run of threads with memory that never ends."""
    if isinstance(question, Temporal):
        raise InternalError("nobody can tell whether a formula holds of threads with memory")
    if lasso.recurs is not None or lasso.deeper or lasso.stays or lasso.waits or lasso.formula:
        raise InternalError("a run of threads with memory comes back to the same state")
    run, liveness = MemoryRun(program, inputs_of(lasso.stem), frozenset(), turns=True), Liveness()
    machine = run.machine
    assert isinstance(machine, ThreadedMachine)
    for _ in follow_threads(run, lasso.stem):
        pass
    before = key_of(machine, liveness)
    moved = {segment.thread for segment in lasso.cycle.segments if any(path.steps for path in segment.paths)}
    fairness = _Fairness(question.fair, moved)
    for _ in follow_threads(run, lasso.cycle):
        fairness.look(machine)
    if not moved:
        raise InternalError("the cycle of a run has no step")
    if not machine.running or key_of(machine, liveness) != before:
        raise InternalError("the cycle ends in another state than that in which it began")
    check_inputs(run)
    fairness.ensure()


class _Fairness:
    """Who takes no step of a cycle, and could."""

    def __init__(self, fair: str, moved: set[int]) -> None:
        self.fair = fair
        self.moved = moved
        self.able: set[int] = set()  # threads that can move somewhere on the cycle
        self.unable: set[int] = set()  # threads that cannot move somewhere on it, or are not there

    def look(self, machine: ThreadedMachine) -> None:
        """Look at a state of the cycle, before a thread takes its step."""
        if self.fair == "none" or machine.section:
            return
        running = set(machine.running)
        for each in machine.threads:
            if each.number in self.moved:
                continue
            able = each.number in running and not waits(machine, each.number)
            (self.able if able else self.unable).add(each.number)

    def ensure(self) -> None:
        """Raise where a thread that never moves should have."""
        wronged = self.able - self.unable if self.fair == "weak" else self.able
        if self.fair != "none" and wronged:
            raise InternalError("the run is not fair")
