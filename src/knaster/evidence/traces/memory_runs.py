"""Runs of programs with memory: from the inputs of a run, its trace up to where it reaches a target."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knaster.base.errors import Span
from knaster.base.limits import OutOfBudget
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_values import spell
from knaster.evidence.traces.recorder import SegmentRecorder
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Edge, Program
from knaster.program.state import NoInput, State
from knaster.program.temporaries import is_temporary
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import (
    ALIGNMENT,
    LEAK,
    LOCK,
    LOST,
    OVERFLOW,
    OVERLAP,
    POINTER,
    RACE,
    Fault,
    Stopped,
    Unclear,
)
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.machine import Frame, Machine, Strict
from knaster.semantics.memory.sites import Site
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting

OURS = "__knaster_"  # variables of our headers, which nobody wants to see
LONGEST = 50_000  # steps of a run that is written down
LAPSES = (
    OVERFLOW,
    POINTER,
    OVERLAP,
    ALIGNMENT,
    LEAK,
    LOST,
    LOCK,
    RACE,
)  # undefined steps after which runs go on where nobody asks for them


def strict_kinds(targets: Iterable[Target]) -> Strict:
    """Return the undefined steps that end runs only because one of the targets asks for them: kinds, or sites."""
    return frozenset(
        Site(kind, target.line, target.column) if target.line else kind
        for target in targets
        for kind in kinds_of(target)
        if kind in LAPSES
    )


def kinds_in(strict: Strict) -> frozenset[str]:
    """Return the kinds of undefined steps among kinds and sites."""
    return frozenset(each if isinstance(each, str) else each[0] for each in strict)


def site_kinds(targets: Iterable[Target]) -> frozenset[str]:
    """Return the kinds of undefined steps that are asked for place by place."""
    return frozenset(target.kind for target in targets if not target.has_place and target.line)


def is_asked(target: Target, kind: str, span: Span) -> bool:
    """Tell whether a target asks for an undefined step; an object that is lost is one that is left, too."""
    kinds = kinds_of(target)
    if kind not in kinds and not (kind == LOST and LEAK in kinds):
        return False
    return not target.line or (target.line, target.column) == (span.line, span.column)


def kinds_of(target: Target) -> tuple[str, ...]:
    """Return the undefined steps that a target stands for; none where it is a place."""
    return () if target.has_place else tuple(target.kind.split(","))


class MemoryRun:
    """A run on given inputs, told step by step; `turns`: as one of threads, also where there is but one."""

    def __init__(
        self,
        program: Program,
        inputs: tuple[Any, ...],
        strict: Strict,
        codes: Codes | None = None,
        turns: bool = False,
    ) -> None:
        self.given = Given(inputs)
        self.machine = (ThreadedMachine if turns or program.is_threaded else Machine)(
            codes or Codes(program), self.given, strict
        )
        self.fault: Fault | None = None

    def step(self) -> tuple[bool, Edge | None, tuple[Any, ...]]:
        """Take a step; return whether one was taken, its edge if it has one, and the inputs that it read."""
        before = len(self.given.read)
        try:
            edge = self.machine.step()
        except (Stopped, NoInput, Unclear, Waiting):
            return False, None, ()
        except Fault as found:
            self.fault = found
            return False, None, ()
        return True, edge, tuple(reading.value for reading in self.given.read[before:])

    def stands_at(self, target: Target) -> bool:
        """Tell whether control stands at a target."""
        if not self.machine.frames or not target.has_place:
            return False
        frame = self.machine.frame
        return (frame.code.procedure.name, frame.location) == target.place


def record_run(program: Program, inputs: tuple[Any, ...], target: Target, strict: Strict) -> Trace:
    """Return the trace of a run up to where it reaches a target; whoever replays it sees whether it does."""
    run = MemoryRun(program, inputs, strict)
    machine = run.machine
    recorder = SegmentRecorder(machine.frame.code.procedure.name, with_inputs(visible(machine, machine.frame), inputs))
    last, count = machine.frame, 0
    while not run.stands_at(target):
        count += 1
        if count > LONGEST:
            raise OutOfBudget(f"the run has more than {LONGEST:,} steps")
        depth, last = len(machine.frames), machine.frame
        goes, edge, read = run.step()
        if not goes or not machine.frames:
            break
        tell_step(recorder, machine, depth, edge, read)
    frame = machine.frame if machine.frames else last
    return Trace.sequential(recorder.paths(), frame.location)


def tell_step(
    recorder: SegmentRecorder, machine: Machine, depth: int, edge: Edge | None, read: tuple[Any, ...]
) -> None:
    """Record a step that was just taken; `depth` is how many activations there were before it."""
    frame = machine.frame
    state = visible(machine, frame)
    if len(machine.frames) > depth and edge is not None:
        recorder.call(edge, frame.code.procedure.name, state, read)
    elif edge is None:
        recorder.come_back(frame.code.procedure.name, frame.location, state)
    else:
        recorder.top.step(edge, state, read)


def with_inputs(state: State, values: tuple[Any, ...]) -> State:
    """Return the first state of a run, together with the inputs that the run will read."""
    return {**state, **{f"@input{number}": value for number, value in enumerate(values)}}


def visible(machine: Machine, frame: Frame) -> State:
    """Return what an activation sees, as people read it: its variables and objects, and those of the whole program."""
    found: dict[str, Any] = {}
    for declared in machine.layout.objects:
        if not declared.literal:
            base = machine.globals[declared.name].base
            for part in declared.parts:
                found[declared.name + part.suffix] = spell(machine, machine.part(base, part), part.shown)
    own = frame.code.procedure.name
    shown = {key[1]: parts[0].shown for key, parts in machine.layout.locals if key[0] == own and parts}
    for name in frame.code.types:
        if not is_temporary(name) and name in frame.registers and not name.startswith(OURS):
            found[name] = spell(machine, frame.registers[name], shown.get(name, ""))
    for (procedure, name), parts in machine.layout.locals:
        if procedure == frame.code.procedure.name and name in frame.objects:
            for part in parts:
                found[name + part.suffix] = spell(machine, machine.part(frame.objects[name], part), part.shown)
    return {name: value for name, value in found.items() if value is not None}


def inputs_of(trace: Trace) -> tuple[Any, ...]:
    """Return the inputs of a run in the order in which they are read; its first state has them."""
    start = trace.paths[0].start
    return tuple(start[f"@input{number}"] for number in range(len(start)) if f"@input{number}" in start)
