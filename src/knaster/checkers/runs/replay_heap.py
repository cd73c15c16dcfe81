"""The replay of a trace of a program with references: the interpreter takes its decisions and compares every state."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.errors import InternalError
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.heap_ends import find_failure, stands_at
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.model import Program
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.failure import Fails, Failure
from knaster.semantics.heap.interpreter import FailedAssume, Machine


def replay_heap(program: Program, trace: Trace, target: Target) -> Failure | None:
    """Run a trace again; return the failure in which it ends, if any.

    Raises `InternalError` where the trace is no run of the program to the target.
    """
    if target.condition is not None:
        raise InternalError(f"nobody can tell where the condition of '{target.name}' holds in a heap")
    machine = Machine(program)
    configuration = machine.start()
    keeps, last = False, 0
    for thread, step in steps_of(trace):
        if keeps and thread != last:
            raise InternalError(f"thread {thread} runs inside an atomic region of thread {last}")
        if not 1 <= thread <= len(configuration.threads) or not machine.runnable(configuration, thread):
            raise InternalError(f"thread {thread} cannot move")
        frame = configuration.threads[thread - 1][-1]
        try:
            values = list(machine.alternatives(configuration, thread))
            event = machine.step(configuration, thread, values.index(step.inputs[0]) if step.inputs else 0)
        except (Fails, FailedAssume, ValueError) as error:
            raise InternalError(f"line {step.edge.span.line} cannot be passed: {error}") from None
        if event.edge != step.edge:
            raise InternalError(f"the trace takes another edge at line {step.edge.span.line}")
        if not event.entered and not event.returned and configuration.state(frame) != step.after:
            raise InternalError(f"the state after line {step.edge.span.line} is another one")
        keeps, last = event.keeps, thread
    thread = trace.segments[-1].thread
    frames = configuration.threads[thread - 1]
    if frames and frames[-1].location != trace.location:
        raise InternalError(f"the trace ends at location {frames[-1].location} and says {trace.location}")
    if stands_at(configuration, target):
        return machine.failure_of(configuration, thread)
    found = find_failure(machine, configuration, thread, target, keeps) if not target.has_place else None
    if found is None:
        raise InternalError(f"the trace does not reach '{target.name}'")
    return found


def steps_of(trace: Trace) -> Iterator[tuple[int, Step]]:
    """Yield the steps in the order of execution, calls that return expanded."""
    for segment in trace.segments:
        for path in segment.paths:
            stack: list[tuple[Path, int]] = [(path, 0)]
            while stack:
                running, index = stack.pop()
                if index == len(running.steps):
                    continue
                step = running.steps[index]
                yield segment.thread, step
                stack.append((running, index + 1))
                if step.inside is not None:
                    stack.append((step.inside, 0))


def last_configuration(machine: Machine, trace: Trace) -> Configuration:
    """Return what there is where a trace ends."""
    configuration = machine.start()
    for thread, step in steps_of(trace):
        values = list(machine.alternatives(configuration, thread))
        machine.step(configuration, thread, values.index(step.inputs[0]) if step.inputs else 0)
    return configuration
