"""The heap recorder: the interpreter of programs with references takes a step, and the recorder is told what it did."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.records import replace
from knaster.evidence.traces.recorder import Recorder
from knaster.evidence.traces.trace import Trace
from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration, Frame, Slots, StateWithHeap
from knaster.semantics.heap.interpreter import Event, Machine


class HeapRecorder:
    """A run while it goes on: the configuration in which it is, and the trace of how it came there."""

    def __init__(self, machine: Machine, configuration: Configuration) -> None:
        self.machine = machine
        self.configuration = configuration
        self._recorder = Recorder(machine.program, folds_starts=True)
        self._heap: Mapping[Reference, Slots] = {}

    def run(self, thread: int) -> None:
        """Let a thread go on."""
        if thread != self._recorder.running:
            self._recorder.run(thread, self._state(self.configuration.threads[thread - 1][-1]))

    def step(self, alternative: int = 0) -> Event:
        """Let the thread that runs take a step, and record it."""
        recorder = self._recorder
        frames = self.configuration.threads[recorder.running - 1]
        frame, stack = frames[-1], list(frames)
        before = self._state(frame)
        event = self.machine.step(self.configuration, recorder.running, alternative)
        if event.entered:
            recorder.call(event.edge, frames[-1].procedure, self._state(frames[-1]))
        elif event.returned:
            recorder.step(event.edge, before)
            for caller in stack[-2 : -2 - event.returned : -1]:  # none where the thread is finished
                recorder.come_back(self._state(caller), caller.location)
        else:
            recorder.step(event.edge, self._state(frame), event.inputs, frame.location)
        return event

    def _state(self, frame: Frame) -> StateWithHeap:
        """Return what a frame sees; equal heaps are kept once."""
        if self._heap != self.configuration.heap:
            self._heap = dict(self.configuration.heap)
        return StateWithHeap({**self.configuration.statics, **frame.values}, self._heap)

    def go_on(self) -> HeapRecorder:
        """Return a recorder of what follows."""
        follows = HeapRecorder(self.machine, self.configuration)
        follows._recorder = self._recorder.go_on()
        return follows

    def stand_still(self) -> Trace:
        """Return what follows where nothing does: no step of the thread that ran last."""
        follows, before = self._recorder.go_on(), self.trace()
        follows.run(self._recorder.running, before.segments[-1].paths[-1].end)
        return replace(follows.trace(), program=self.machine.program)

    def trace(self) -> Trace:
        """Return what was recorded."""
        if not self._recorder.running:
            self.run(1)
        return replace(self._recorder.trace(), program=self.machine.program)
