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
    return _Recording(program, inputs, strict).trace(turns)


def record_lasso(
    program: Program, stem: Sequence[TakenTurn], cycle: Sequence[TakenTurn], repetitions: int
) -> tuple[Trace, Trace]:
    """Return the traces of a stem and a cycle, on inputs with which the cycle can be repeated so many times.

    An input that is chosen in one round may be narrowed in a later one, so that all of them are looked at.
    """
    turns = (*stem, *(turn for _ in range(repetitions) for turn in cycle))
    inputs, parts = _inputs(program, turns, frozenset(), False), (_merged(tuple(stem)), _merged(tuple(cycle)))
    recording = _Recording(program, inputs, frozenset())
    for part in parts:
        recording.trace(part)
    return record_two(program, inputs[: len(recording.run.given.read)], *parts)


def record_two(
    program: Program, inputs: tuple[Any, ...], stem: Sequence[tuple[int, int]], cycle: Sequence[tuple[int, int]]
) -> tuple[Trace, Trace]:
    """Return the trace of a run on given inputs up to a point, and from there on."""
    recording = _Recording(program, inputs, frozenset())
    before = recording.trace(stem)
    return before, recording.trace(cycle)


class _Recording:
    """A run on given inputs, whose turns are recorded."""

    def __init__(self, program: Program, inputs: tuple[Any, ...], strict: Strict) -> None:
        self.program, self.inputs = program, inputs
        self.run = MemoryRun(program, inputs, strict, turns=True)
        self.count = 0
        self.began: set[int] = set()

    def trace(self, turns: Sequence[tuple[int, int]]) -> Trace:
        """Let threads take turns, and return what they do."""
        machine = self.run.machine
        assert isinstance(machine, ThreadedMachine)
        segments: list[tuple[int, SegmentRecorder]] = []
        for thread, steps in turns:
            if not 1 <= thread <= len(machine.threads) or not machine.threads[thread - 1].frames:
                break
            segments.append((thread, self._segment(machine, thread)))
            for _ in range(steps):
                self.count += 1
                if self.count > LONGEST:
                    raise OutOfBudget(f"the run has more than {LONGEST:,} steps")
                if not machine.frames:
                    break
                _record_step(self.run, machine, segments[-1][1])
        if not segments:
            raise OutOfBudget("nobody can move where a run is said to go on")
        ended = self.program.procedure(segments[-1][1].top.procedure).exit
        location = machine.frame.location if machine.frames else ended
        return trace_of_turns([(thread, recorder.paths()) for thread, recorder in segments], location)

    def _segment(self, machine: ThreadedMachine, thread: int) -> SegmentRecorder:
        """Return the recorder of what a thread does next; the first of all has the inputs."""
        machine.switch(thread)
        frame = machine.frame
        begins = thread not in self.began and frame.location == frame.code.procedure.entry
        state = visible(machine, frame)
        state = state if self.began else with_inputs(state, self.inputs)
        self.began.add(thread)
        return SegmentRecorder(frame.code.procedure.name, state, None if begins else frame.location)


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
