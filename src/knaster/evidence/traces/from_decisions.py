"""From decisions to a trace: the interpreter runs them, and stops where the target is reached."""

from __future__ import annotations

from knaster.base.limits import OutOfBudget
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.heap_recorder import HeapRecorder
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.decisions import Run, Turn
from knaster.semantics.heap.failure import ASSERTION, ENDLESS, LONGEST_REGION, Fails, Failure
from knaster.semantics.heap.goals import ANY
from knaster.semantics.heap.interpreter import Dropped, Machine
from knaster.semantics.heap.recurring import Recurring

LONGEST = 100_000  # steps of a run that is written down


def rerun(program: Program, run: Run, target: Target) -> Trace:
    """Return the trace of a run up to where it reaches a target; whoever replays it sees whether it does."""
    machine = Machine(program)
    configuration = machine.start()
    recorder = HeapRecorder(machine, configuration)
    if stands_at(configuration, target):
        return _started(recorder, target)
    for turn in run:
        if turn.thread:
            recorder.run(turn.thread)
        if _taken(machine, recorder, turn, target):
            break
    return recorder.trace()


def _started(recorder: HeapRecorder, target: Target) -> Trace:
    """Return the trace of no steps, in the thread that stands at the target."""
    for thread, frames in enumerate(recorder.configuration.threads, start=1):
        if (frames[-1].procedure, frames[-1].location) == target.place:
            recorder.run(thread)
            break
    return recorder.trace()


def _taken(machine: Machine, recorder: HeapRecorder, turn: Turn, target: Target) -> bool:
    """Take the steps of a turn; tell whether the target is reached."""
    configuration, rest = recorder.configuration, list(reversed(turn.alternatives))
    count, ends = 0, False  # the atomic region in which the thread is, if any, ends
    while turn.steps is None or count < turn.steps:
        if turn.steps is None and not rest and not ends:
            if _hangs(machine, configuration, turn.thread, target):
                return False
            ends = True
        if count > LONGEST:
            raise OutOfBudget(f"the run has more than {LONGEST:,} steps")
        try:
            many = len(machine.alternatives(configuration, turn.thread)) > 1
            if many and not rest and turn.steps is None:
                return False
            ends = recorder.step(rest.pop() if many else 0).keeps and ends
        except (Fails, Dropped, IndexError):
            return False
        count += 1
        if stands_at(configuration, target):
            return True
        if machine.failed(configuration, turn.thread) is not None:
            return target.kind in (ANY, ASSERTION)
        if not configuration.threads[turn.thread - 1]:
            return False
    return False


def _hangs(machine: Machine, configuration: Configuration, thread: int, target: Target) -> bool:
    """Tell whether a thread is about to enter an atomic region that never ends, where that is looked for."""
    frame = configuration.threads[thread - 1][-1]
    edges = machine.leaving(frame)
    if target.kind not in (ANY, ENDLESS) or not edges or not (edges[0].keeps or frame.base):
        return False
    found = _next(machine, configuration.copy(), thread, configuration)
    return found is not None and found.kind == ENDLESS


def stands_at(configuration: Configuration, target: Target) -> bool:
    """Tell whether some thread stands at the place of a target."""
    return target.has_place and any(
        frames and (frames[-1].procedure, frames[-1].location) == target.place for frames in configuration.threads
    )


def ends_in(
    machine: Machine, configuration: Configuration, thread: int, target: Target, inside: bool
) -> Failure | None:
    """Return the failure of this kind that the next step meets; None where it meets none.

    `inside` an atomic region there is no deadlock: only its thread can go on, and fails where it cannot.
    """
    if thread and (failed := machine.failed(configuration, thread)):
        return failed if target.kind in (ANY, ASSERTION) else None
    found = None if inside else machine.stuck(configuration)
    if found is None and thread and configuration.threads[thread - 1]:
        found = _next(machine, configuration.copy(), thread, configuration)
    return found if found is not None and target.kind in (ANY, found.kind) else None


def _next(machine: Machine, copy: Configuration, thread: int, configuration: Configuration) -> Failure | None:
    """Return how the next step of a thread fails, or the atomic region that it begins and never ends."""
    recurring = Recurring(thread)
    for count in range(LONGEST_REGION):
        if recurring.again(count, copy):
            break
        try:
            if count and len(machine.alternatives(copy, thread)) > 1:
                return None
            keeps = machine.step(copy, thread).keeps
        except Fails as fails:
            return machine.failure(copy, thread, fails)
        except Dropped:
            return None
        if not keeps or machine.failed(copy, thread):
            return None
    return machine.failure(configuration, thread, Fails(ENDLESS))
