"""From a run of the sequential program for rounds to the run of the threads that it stands for.

In the sequential run the threads follow each other, each with all of its rounds.  Sorted by round and thread its steps
are those of the threads, up to the one with which a target is reached; a machine takes them again with the inputs that
the sequential run has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import strict_kinds
from knaster.evidence.traces.memory_threads import record_turns
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Assign
from knaster.program.state import NoInput, State
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.machine import Frame
from knaster.semantics.memory.objects import Object
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from knaster.transform.memory_threads.rounds import HIT, ROUND, RoundProgram, copy_of
from knaster.transform.memory_threads.shared_program import is_step
from knaster.transform.memory_threads.thread_copies import copy_name
from knaster.transform.regions.way_back import Guide, Nobody, chosen_by, steps_of


class _Event(NamedTuple):
    """A step of a thread: its round, the thread, what the variables were before it, and its inputs."""

    round: int
    thread: int
    state: State
    inputs: tuple[Any, ...]


def unravel_rounds(rounds: RoundProgram, trace: Trace, target: Target) -> Trace | None:
    """Return the run of the threads that a run of the sequential program stands for; None where it is no run."""
    events, last = _events(rounds, trace)
    if last is None:
        return None
    before = sorted((event for event in events if event[:2] <= last[:2]), key=lambda event: event[:2])
    machine = _GuidedThreads(rounds)
    for event in before:
        if not machine.follow(event):
            return None
    if target.has_place:
        machine.turn(last.thread, 0)
    else:
        machine.follow(last)  # the step that is undefined
        machine.turn(last.thread, 0)
    return record_turns(rounds.shared.original, tuple(machine.read), machine.turns, strict_kinds((target,)))


def _events(rounds: RoundProgram, trace: Trace) -> tuple[list[_Event], _Event | None]:
    """Return the steps of the threads in the order of the sequential run, and where a target is noted."""
    events: list[_Event] = []
    shared = rounds.shared
    thread, noted = 1, None
    roots = {name: number for number, name in enumerate(shared.program.threads, 1)}
    for step, before in steps_of(trace):
        action: Any = step.edge.action
        thread = roots.get(getattr(action, "procedure", ""), thread)
        if noted is None and isinstance(action, Assign) and HIT in action.targets and step.after[HIT] != 0:
            noted = _Event(int(before[ROUND]), thread, _now(rounds, before), ())
        if is_step(step.edge):
            events.append(_Event(int(before[ROUND]), thread, _now(rounds, before), step.inputs or chosen_by(step)))
    return events, noted


def _now(rounds: RoundProgram, state: State) -> State:
    """Return a state with the shared variables as the thread that runs sees them."""
    at = int(state[ROUND])
    if at >= rounds.rounds:
        return dict(state)
    return {**state, **{name: state[copy_of(name, at)] for name in rounds.shared.shared}}


class _GuidedThreads(Guide, ThreadedMachine):
    """Threads of a program with memory that run as a sequential run says; `turns` says who took how many steps."""

    def __init__(self, rounds: RoundProgram) -> None:
        self.slots = rounds.shared.slots
        self.state = {}
        self.choices = []
        self.read = []
        self.turns: list[tuple[int, int]] = []
        super().__init__(Codes(rounds.shared.original), Nobody())

    def turn(self, thread: int, steps: int) -> None:
        """Note that a thread takes steps."""
        if self.turns and self.turns[-1][0] == thread:
            self.turns[-1] = thread, self.turns[-1][1] + steps
        else:
            self.turns.append((thread, steps))

    def follow(self, event: _Event) -> bool:
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
