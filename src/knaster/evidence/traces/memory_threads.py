"""Runs of programs with memory and threads: from the turns of a run and its choices, its trace up to a target."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from knaster.base.limits import OutOfBudget
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import LONGEST, MemoryRun, tell_step, visible, with_inputs
from knaster.evidence.traces.recorder import SegmentRecorder, trace_of_turns
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.machine import Strict
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from knaster.semantics.memory.threads.turns import Branching, Digits

TakenTurn = tuple[int, int, Digits]  # thread, steps, numbers of choices


def record_threads(program: Program, turns: tuple[TakenTurn, ...], target: Target, strict: Strict) -> Trace:
    """Return the trace of a run that takes these turns; whoever replays it sees whether it reaches the target."""
    inputs = _inputs(program, turns, strict, not target.has_place)
    return record_turns(program, inputs, _merged(turns), strict)


def record_turns(program: Program, inputs: tuple[Any, ...], turns: Sequence[tuple[int, int]], strict: Strict) -> Trace:
    """Return the trace of a run on given inputs in which threads take so many steps in one go.

    It ends early where a thread cannot move: whoever replays it sees that.
    """
    run = MemoryRun(program, inputs, strict)
    machine = run.machine
    assert isinstance(machine, ThreadedMachine)
    segments: list[tuple[int, SegmentRecorder]] = []
    count = 0
    began: set[int] = set()
    for thread, steps in turns:
        if not 1 <= thread <= len(machine.threads) or not machine.threads[thread - 1].frames:
            break
        machine.switch(thread)
        frame = machine.frame
        begins = thread not in began and frame.location == frame.code.procedure.entry
        state = visible(machine, frame)
        state = state if segments else with_inputs(state, inputs)
        recorder = SegmentRecorder(frame.code.procedure.name, state, None if begins else frame.location)
        segments.append((thread, recorder))
        began.add(thread)
        for _ in range(steps):
            count += 1
            if count > LONGEST:
                raise OutOfBudget(f"the run has more than {LONGEST:,} steps")
            if not machine.frames:
                break
            _record_step(run, machine, recorder)
    ended = program.procedure(segments[-1][1].top.procedure).exit
    location = machine.frame.location if machine.frames else ended
    return trace_of_turns([(thread, recorder.paths()) for thread, recorder in segments], location)


def _record_step(run: MemoryRun, machine: ThreadedMachine, recorder: SegmentRecorder) -> None:
    depth, frame = len(machine.frames), machine.frame
    goes, edge, read = run.step()
    if not goes:
        return
    if edge is not None and depth == 1 and machine.frames and machine.frames[0] is not frame:
        callee = machine.frame.code.procedure.name  # what is called when a thread ends
        recorder.call(edge, callee, visible(machine, machine.frame), read)
    elif machine.frames:
        tell_step(recorder, machine, depth, edge, read)
    elif edge is not None:
        recorder.top.step(edge, recorder.top.state, read)


def _merged(turns: tuple[TakenTurn, ...]) -> list[tuple[int, int]]:
    """Return what threads do in one go: turns of one thread after each other are one."""
    found: list[tuple[int, int]] = []
    for number, (thread, steps, _) in enumerate(turns):
        if found and found[-1][0] == thread:
            found[-1] = thread, found[-1][1] + steps
        elif steps or number == len(turns) - 1:
            found.append((thread, steps))
    return found


def _inputs(program: Program, turns: tuple[TakenTurn, ...], strict: Strict, fails: bool) -> tuple[Any, ...]:
    """Return the inputs of a run, from the numbers of its choices; where it fails, those of its last step too."""
    choices = Branching(Numbers(program))
    choices.begin(tuple(digit for _, _, digits in turns for digit in digits), [])
    machine = ThreadedMachine(Codes(program), choices, strict)
    for thread, steps, _ in turns:
        machine.switch(thread)
        for _ in range(steps):
            machine.step()
    if fails and machine.frames:
        with suppress(Fault, Stopped, Unclear, Waiting):
            machine.step()
    return choices.values
