"""The replay of a trace of a program with memory and threads: the machine takes its inputs and compares every state."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay_memory import are_inputs, are_same, check_inputs
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_moves import moves_of_segment
from knaster.evidence.traces.memory_runs import MemoryRun, inputs_of, kinds_of, strict_kinds, visible
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.model import Program
from knaster.semantics.heap.failure import Failure
from knaster.semantics.memory.failure import DEADLOCK, MESSAGES, RACE, Fault, Stopped, Unclear
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from knaster.semantics.memory.threads.races import Race, find_race
from knaster.semantics.memory.threads.visible import Access, Looks


def replay_threads(program: Program, trace: Trace, target: Target) -> Failure | None:
    """Run a trace again; return the failure in which it ends, if it ends in one.

    Raises `InternalError` where the trace is no run of the program to the target.
    """
    if target.condition is not None:
        raise InternalError(f"nobody can tell whether a run of memory reaches '{target.name}'")
    run = MemoryRun(program, inputs_of(trace), strict_kinds((target,)))
    for _ in follow_threads(run, trace):
        pass
    if target.has_place:
        if not run.stands_at(target):
            raise InternalError(f"the trace does not reach '{target.name}'")
        failure = None
    else:
        failure = _failure(run, target, trace.segments[-1].thread)
    check_inputs(run)
    return failure


def _machine(run: MemoryRun) -> ThreadedMachine:
    assert isinstance(run.machine, ThreadedMachine)
    return run.machine


def follow_threads(run: MemoryRun, trace: Trace) -> Iterator[int]:
    """Take the steps of a trace, and yield before each of them which thread takes it."""
    machine = _machine(run)
    for segment in trace.segments:
        if segment.thread not in machine.may_run:
            raise InternalError(f"thread {segment.thread} cannot move")
        machine.switch(segment.thread)
        if machine.frame.code.procedure.name != segment.paths[0].procedure:
            raise InternalError(f"thread {segment.thread} does not stand in '{segment.paths[0].procedure}'")
        for step, path in moves_of_segment(segment):
            yield segment.thread
            _take(run, step, path)


def _take(run: MemoryRun, step: Step | None, path: Path) -> None:
    machine = _machine(run)
    if not machine.frames:
        raise InternalError(f"the trace goes on where a thread has ended, in '{path.procedure}'")
    frame = machine.frame
    goes, edge, read = run.step()
    if not goes:
        raise InternalError(f"the trace goes on where the run ends, in '{path.procedure}'")
    if (edge is None) is not (step is None) or (step is not None and edge != step.edge):
        raise InternalError(f"the trace takes another edge in '{path.procedure}'")
    if step is None:
        return
    if not are_inputs(read, step.inputs):
        raise InternalError(f"the run reads other inputs at line {step.edge.span.line}")
    same = bool(machine.frames) and machine.frame is frame and step.inside is None
    if same and not are_same(visible(machine, frame), step.after):
        raise InternalError(f"the state after line {step.edge.span.line} is another one")


# How it fails


def _failure(run: MemoryRun, target: Target, thread: int) -> Failure:
    machine, kinds = _machine(run), kinds_of(target)
    if kinds == (DEADLOCK,):
        return _deadlock(machine)
    if kinds == (RACE,):
        return _race(machine)
    if not machine.frames:
        fault = leak_of(machine) if not machine.running else None
    else:
        run.step()
        fault = run.fault
    if fault is None or fault.kind not in kinds:
        raise InternalError(f"the trace does not end in '{target.name}'")
    where = machine.frame.code.procedure.name if machine.frames else machine.program.threads[0]
    return Failure(fault.kind, fault.message, fault.span.line, where, thread)


def _deadlock(machine: ThreadedMachine) -> Failure:
    waiting = [thread for thread in machine.running if waits(machine, thread)]
    if not waiting or waiting != machine.running or machine.section:
        raise InternalError("a thread can still move where the trace ends")
    procedure, line = _place(machine, waiting[0])
    return Failure(DEADLOCK, MESSAGES[DEADLOCK], line, procedure, waiting[0])


def waits(machine: ThreadedMachine, thread: int) -> bool:
    """Tell whether a thread cannot take its next step, whatever it chooses; no input is read."""
    twin = machine.copy()
    twin.switch(thread)
    twin.inputs.frozen = True
    try:
        twin.step()
    except Waiting:
        return True
    except (Fault, Stopped, Unclear):
        return False
    finally:
        twin.inputs.frozen = False
    return False


def _place(machine: ThreadedMachine, thread: int) -> tuple[str, int]:
    frame = machine.threads[thread - 1].frames[-1]
    steps = frame.code.steps.get(frame.location, ())
    line = steps[0][0].span.line if steps else frame.code.procedure.span.line
    return frame.code.procedure.name, line


def _race(machine: ThreadedMachine) -> Failure:
    try:
        found = find_race(machine, Looks())
    except Unclear:
        found = None
    if found is None:
        raise InternalError("no two threads use the same memory where the trace ends")
    procedure, _ = _place(machine, found.second)
    return Failure(RACE, _tell_race(found), found.other.span.line, procedure, found.second)


def _tell_race(race: Race) -> str:
    def use(thread: int, access: Access) -> str:
        verb = "writes" if access.writes else "reads"
        return f"thread {thread} {verb} {access.text or 'it'} at line {access.span.line}"

    return f"{use(race.first, race.one)} while {use(race.second, race.other)}"


def reasons_to_wait(program: Program, trace: Trace) -> list[str]:
    """Return for each thread why it cannot move where a trace ends that is a deadlock."""
    run = MemoryRun(program, inputs_of(trace), frozenset())
    for _ in follow_threads(run, trace):
        pass
    machine, found = _machine(run), []
    for thread in machine.threads:
        if thread.ended:
            found.append(f"thread {thread.number} has ended")
        else:
            procedure, line = _place(machine, thread.number)
            found.append(f"thread {thread.number} waits in {procedure} at line {line}")
    return found
