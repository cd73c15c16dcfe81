"""The replay of a trace of a program with memory: the machine takes its inputs and compares every state."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import InternalError
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_moves import moves_of_segment
from knaster.evidence.traces.memory_runs import MemoryRun, inputs_of, is_asked, strict_kinds, visible
from knaster.evidence.traces.trace import Step, Trace
from knaster.program.memory import Floating
from knaster.program.model import Program
from knaster.program.types import Bool, Int
from knaster.semantics.heap.failure import Failure
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.machine import Frame


def replay_memory(program: Program, trace: Trace, target: Target) -> Failure | None:
    """Run a trace again; return the undefined step in which it ends, if it ends in one.

    Raises `InternalError` where the trace is no run of the program to the target.
    """
    if program.is_threaded:
        from knaster.checkers.runs.replay_memory_threads import replay_threads

        return replay_threads(program, trace, target)
    if target.condition is not None or len(trace.segments) != 1:
        raise InternalError(f"nobody can tell whether a run of memory reaches '{target.name}'")
    run = MemoryRun(program, inputs_of(trace), strict_kinds((target,)))
    machine = run.machine
    for step, path in moves_of_segment(trace.segments[0]):
        frame = machine.frame
        goes, edge, read = run.step()
        if not goes or not machine.frames:
            raise InternalError(f"the trace goes on where the run ends, in '{path.procedure}'")
        if (edge is None) is not (step is None) or (step is not None and edge != step.edge):
            raise InternalError(f"the trace takes another edge in '{path.procedure}'")
        if step is not None and not are_inputs(read, step.inputs):
            raise InternalError(f"the run reads other inputs at line {step.edge.span.line}")
        if step is not None and machine.frame is frame and step.inside is None:
            _compare(run, frame, step)
    if target.has_place:
        if not run.stands_at(target):
            raise InternalError(f"the trace does not reach '{target.name}'")
        failure = None
    else:
        failure = _failure(run, target)
    check_inputs(run)
    return failure


def are_inputs(read: Sequence[Any], said: Sequence[Any]) -> bool:
    """Tell whether a run reads the inputs that a trace says."""
    return len(read) == len(said) and all(map(_is_same, read, said))


def check_inputs(run: MemoryRun) -> None:
    """Raise `InternalError` where a run has read what is no value of its type."""
    for reading in run.given.read:
        if not _fits(reading.value, reading.type):
            raise InternalError(f"line {reading.span.line} reads what is no value of its type")


def _fits(value: object, type: object) -> bool:
    """Tell whether an input is a value of its type; what a file says may be none."""
    match type:
        case Int():
            return isinstance(value, int) and type.holds(int(value))
        case Bool():
            return isinstance(value, int) and value in (0, 1)
        case Floating(width):
            return isinstance(value, float) and (width != 32 or _rounds_to_itself(value))
    return not isinstance(value, int | float)


def _rounds_to_itself(value: float) -> bool:
    """Tell whether a number is one of 32 bits."""
    if value != value:
        return True
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except OverflowError:
        return False


def _compare(run: MemoryRun, frame: Frame, step: Step) -> None:
    if not are_same(visible(run.machine, frame), step.after):
        raise InternalError(f"the state after line {step.edge.span.line} is another one")


def are_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two states have the same values; a float that is no number is the same as another such one."""
    return one.keys() == other.keys() and all(_is_same(value, other[name]) for name, value in one.items())


def _is_same(one: Any, other: Any) -> bool:
    return bool(one == other or (one != one and other != other))


def _failure(run: MemoryRun, target: Target) -> Failure:
    frame = run.machine.frame
    goes, _, _ = run.step()
    while goes and run.machine.frames:  # the last activations return
        frame = run.machine.frame
        goes, edge, _ = run.step()
        if edge is not None:
            break
    fault = run.fault or leak_of(run.machine)
    if fault is None or not is_asked(target, fault.kind, fault.span):
        raise InternalError(f"the trace does not end in '{target.name}'")
    return Failure(fault.kind, fault.message, fault.span.line, frame.code.procedure.name, 1)
