"""Threads of a program with memory that run as a run of a sequential program says, which stands for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import strict_kinds
from knaster.evidence.traces.memory_threads import record_turns
from knaster.evidence.traces.trace import Trace
from knaster.program.state import NoInput, State
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.machine import Frame
from knaster.semantics.memory.objects import Object
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from knaster.transform.memory_threads.shared_program import SharedProgram
from knaster.transform.memory_threads.thread_copies import copy_name
from knaster.transform.regions.way_back import Guide, Nobody


class ThreadStep(NamedTuple):
    """A step of a thread: its round, the thread, what the variables were before it, and its inputs."""

    round: int
    thread: int
    state: State
    inputs: tuple[Any, ...]


def record_steps(shared: SharedProgram, steps: Sequence[ThreadStep], last: ThreadStep, target: Target) -> Trace | None:
    """Return the run in which threads take steps, up to the one with which it ends; None where it is no run."""
    machine = GuidedThreads(shared)
    for step in steps:
        if not machine.follow(step):
            return None
    if not target.has_place:
        machine.follow(last)  # the step that is undefined
    machine.turn(last.thread, 0)
    return record_turns(shared.original, tuple(machine.read), machine.turns, strict_kinds((target,)))


class GuidedThreads(Guide, ThreadedMachine):
    """The machine; `turns` says who took how many steps."""

    def __init__(self, shared: SharedProgram) -> None:
        self.slots = shared.slots
        self.state = {}
        self.choices = []
        self.read = []
        self.turns: list[tuple[int, int]] = []
        super().__init__(Codes(shared.original), Nobody())

    def turn(self, thread: int, steps: int) -> None:
        """Note that a thread takes steps."""
        if self.turns and self.turns[-1][0] == thread:
            self.turns[-1] = thread, self.turns[-1][1] + steps
        else:
            self.turns.append((thread, steps))

    def follow(self, event: ThreadStep) -> bool:
        """Let a thread take its next step; tell whether it could."""
        if event.thread not in self.may_run or not self.threads[event.thread - 1].frames:
            return False
        self.switch(event.thread)
        self.state, self.choices = event.state, list(event.inputs)
        try:
            while self.frames:
                edge = self.step()
                self.turn(event.thread, 1)
                if edge is not None:
                    return True
        except (Fault, Stopped, Unclear, NoInput, Waiting, KeyError):
            return False
        return False

    def owner(self, frame: Frame) -> str:
        """Return the procedure of the thread that runs."""
        return copy_name(frame.code.procedure.name, self.current.number)

    def activations(self) -> Iterator[tuple[str, Frame]]:
        """Yield the activations of all threads, the last one of each first."""
        for thread in self.threads:
            for frame in reversed(thread.frames):
                yield copy_name(frame.code.procedure.name, thread.number), frame

    def object_of(self, base: int) -> Object:
        """Return an object."""
        return self.objects[base]
