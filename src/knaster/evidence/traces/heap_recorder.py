"""Steps of the interpreter as a trace: what every thread does, in segments, with calls that return folded.

A call is folded into one step where its thread was not interrupted before it returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.program.model import Location
from knaster.program.state import State
from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration, Frame, Slots, StateWithHeap
from knaster.semantics.heap.interpreter import Event, Machine


@dataclass(slots=True)
class _Open:
    """A path that is not complete."""

    procedure: str
    start: State
    begin: Location | None
    steps: list[Step] = field(default_factory=list)

    def close(self) -> Path:
        return Path(self.procedure, self.start, tuple(self.steps), self.begin)


class Recording:
    """A run while it goes on."""

    def __init__(self, machine: Machine, configuration: Configuration) -> None:
        self.machine = machine
        self.configuration = configuration
        self.segments: list[Segment] = []
        self.thread = 0
        self.paths: list[_Open | Path] = []
        self.known: set[int] = set()
        self._heap: Mapping[Reference, Slots] = {}

    def turn(self, thread: int) -> None:
        """Say that a thread goes on."""
        if thread == self.thread:
            return
        self._end()
        self.thread = thread
        frame = self.configuration.threads[thread - 1][-1]
        begin = frame.location if thread in self.known else None
        self.known.add(thread)
        self.paths = [_Open(frame.procedure, self._state(frame), begin)]

    def _end(self) -> None:
        if self.thread:
            paths = tuple(path.close() if isinstance(path, _Open) else path for path in self.paths)
            self.segments.append(Segment(self.thread, paths))

    def step(self, alternative: int = 0) -> Event:
        """Let the thread take a step, and record it."""
        frames = self.configuration.threads[self.thread - 1]
        running = self._open()
        frame = frames[-1]
        before = self._state(frame)
        stack = list(frames)
        event = self.machine.step(self.configuration, self.thread, alternative)
        if event.entered:
            running.steps.append(Step(event.edge, before))
            callee = frames[-1]
            self.paths.append(_Open(callee.procedure, self._state(callee), None))
        elif event.returned:
            running.steps.append(Step(event.edge, before))
            for depth in range(event.returned):
                self._leave(stack[: len(stack) - depth], frames)
        else:
            running.steps.append(Step(event.edge, self._state(frame), inputs=event.inputs))
        return event

    def _open(self) -> _Open:
        last = self.paths[-1]
        assert isinstance(last, _Open)
        return last

    def _leave(self, stack: list[Frame], left: list[Frame]) -> None:
        """Fold the callee into the call that began it, or go on with the caller in a path of its own."""
        if len(stack) < 2:
            return  # the thread is finished
        callee, caller = self._open(), stack[-2]
        after = self._state(caller)
        if callee.begin is None and len(self.paths) > 1:
            self.paths.pop()
            below = self._open()
            below.steps[-1] = Step(below.steps[-1].edge, after, callee.close())
            return
        self.paths[-1] = callee.close()
        self.paths.append(_Open(caller.procedure, after, caller.location))

    def _state(self, frame: Frame) -> StateWithHeap:
        """Return what a frame sees; equal heaps are kept once."""
        if self._heap != self.configuration.heap:
            self._heap = dict(self.configuration.heap)
        return StateWithHeap({**self.configuration.statics, **frame.values}, self._heap)

    def trace(self) -> Trace:
        """Return what was recorded."""
        if not self.thread:
            self.turn(1)
        self._end()
        frames = self.configuration.threads[self.thread - 1]
        location = frames[-1].location if frames else self._exit()
        return Trace(tuple(self.segments), location, self.machine.program)

    def _exit(self) -> Location:
        return self.machine.procedures[self.segments[-1].paths[-1].procedure].exit
