"""Runs of programs with references: from the decisions of a run, its trace up to where it reaches a target."""

from __future__ import annotations

from knaster.base.limits import OutOfBudget
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.heap_ends import enters_endless_region, stands_at
from knaster.evidence.traces.heap_recorder import HeapRecorder
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.semantics.heap.decisions import Run, Turn
from knaster.semantics.heap.failure import ASSERTION, Fails
from knaster.semantics.heap.goals import ANY
from knaster.semantics.heap.interpreter import FailedAssume, Machine

LONGEST = 100_000  # steps of a run that is written down


def record_run(program: Program, run: Run, target: Target) -> Trace:
    """Return the trace of a run up to where it reaches a target; whoever replays it sees whether it does."""
    machine = Machine(program)
    configuration = machine.start()
    recorder = HeapRecorder(machine, configuration)
    if stands_at(configuration, target):
        return _stand_still(recorder, target)
    for turn in run:
        if turn.thread:
            recorder.run(turn.thread)
        started = len(configuration.threads) + 1
        if _take_turn(machine, recorder, turn, target) or _lead(machine, recorder, turn, started, target):
            break
    return recorder.trace()


def _lead(machine: Machine, recorder: HeapRecorder, turn: Turn, started: int, target: Target) -> bool:
    """Take the first steps of the threads that a turn has started; tell whether the target is reached."""
    for thread, steps in enumerate(turn.leads, start=started):
        if steps:
            recorder.run(thread)
            if _take_turn(machine, recorder, Turn(thread, steps), target):
                return True
    return False


def _stand_still(recorder: HeapRecorder, target: Target) -> Trace:
    """Return the trace of no steps, in the thread that stands at the target."""
    for thread, frames in enumerate(recorder.configuration.threads, start=1):
        if (frames[-1].procedure, frames[-1].location) == target.place:
            recorder.run(thread)
            break
    return recorder.trace()


def _take_turn(machine: Machine, recorder: HeapRecorder, turn: Turn, target: Target) -> bool:
    """Take the steps of a turn; tell whether the target is reached."""
    configuration, rest = recorder.configuration, list(reversed(turn.alternatives))
    count, ends = 0, False  # the atomic region in which the thread is, if any, ends
    while turn.steps is None or count < turn.steps:
        if turn.steps is None and not rest and not ends:
            if enters_endless_region(machine, configuration, turn.thread, target):
                return False
            ends = True
        if count > LONGEST:
            raise OutOfBudget(f"the run has more than {LONGEST:,} steps")
        try:
            many = len(machine.alternatives(configuration, turn.thread)) > 1
            if many and not rest and turn.steps is None:
                return False
            ends = recorder.step(rest.pop() if many else 0).keeps and ends
        except (Fails, FailedAssume, IndexError):
            return False
        count += 1
        if stands_at(configuration, target):
            return True
        if machine.failure_of(configuration, turn.thread) is not None:
            return target.kind in (ANY, ASSERTION)
        if not configuration.threads[turn.thread - 1]:
            return False
    return False
