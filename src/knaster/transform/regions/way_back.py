"""From a run of the reduced program to the inputs of the run that it stands for: both go step by step.

The program with memory is run again.  What its expressions choose, the steps of the reduced run have as inputs; what
nobody has set or written is read where the reduced program keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.base.errors import InternalError, Span
from knaster.base.limits import OutOfBudget
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import record_run, strict_kinds
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.expression import Choice
from knaster.program.floating_point import from_bits
from knaster.program.memory import NULL, WILD, Addresses, Floating, bytes_of
from knaster.program.model import Assign
from knaster.program.state import NoInput, State
from knaster.program.types import Bool
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.machine import Frame, Machine, to_raw
from knaster.semantics.memory.objects import Object
from knaster.transform.regions.pointer_sets import NULL as NULL_BASE
from knaster.transform.regions.pointer_sets import OBJECT, Base
from knaster.transform.regions.reduce import RegionProgram
from knaster.transform.regions.slots import PartOfObject, Slot, Slots

LONGEST = 50_000  # steps of a run


def lift_run(reduced: RegionProgram, trace: Trace, target: Target) -> Trace:
    """Return the run of the program with memory that a run of the reduced program stands for, up to a target."""
    machine = GuidedMachine(reduced)
    state: State = {}
    for step, before in steps_of(trace):
        state = before
        if step.edge.origin is not None:
            machine.follow(before, step.inputs or chosen_by(step))
    if not target.has_place:
        machine.follow(last_state(trace, state), ())  # the step that is undefined
    return record_run(reduced.original, tuple(machine.read), target, strict_kinds((target,)))


def chosen_by(step: Step) -> tuple[Any, ...]:
    """Return the truth value that a step has chosen, where its inputs leave it out."""
    action = step.edge.action
    if isinstance(action, Assign) and len(action.targets) == 1 and isinstance(action.values[0], Choice):
        return (step.after[action.targets[0]],)
    return ()


def steps_of(trace: Trace) -> Iterator[tuple[Step, State]]:
    """Yield the steps of a sequential run in order, each with the state before it."""
    for _, step, before in placed_steps(trace):
        yield step, before


def placed_steps(trace: Trace) -> Iterator[tuple[str, Step, State]]:
    """Yield the steps of a sequential run in order, each with its procedure and the state before it."""
    count = 0
    stack: list[tuple[Path, int]] = [(path, 0) for path in reversed(trace.paths)]
    while stack:
        path, at = stack.pop()
        if at >= len(path.steps):
            continue
        step = path.steps[at]
        before = path.start if at == 0 else path.steps[at - 1].after
        count += 1
        if count > LONGEST:
            raise OutOfBudget(f"the run has more than {LONGEST:,} steps")
        yield path.procedure, step, before
        stack.append((path, at + 1))
        if step.inside is not None:
            stack.append((step.inside, 0))


def last_state(trace: Trace, before: State) -> State:
    """Return the state in which a run ends."""
    path = trace.paths[-1]
    return path.steps[-1].after if path.steps else path.start or before


class Guide:
    """What a machine reads that runs as a run of the reduced program says; `read` are the inputs that it has read."""

    slots: Slots
    state: State
    choices: list[Any]
    read: list[Any]

    def owner(self, frame: Frame) -> str:
        """Return the procedure of the reduced program that an activation stands for."""
        return frame.code.procedure.name

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input that the reduced step has."""
        if not self.choices:
            raise NoInput("the reduced run has no more inputs")
        chosen = self.choices.pop(0)
        self.read.append(from_bits(chosen, type) if isinstance(type, Floating) else chosen)
        return self.read[-1]

    def choose_variable(self, frame: Frame, name: str) -> Any:
        """Return what the reduced program keeps in a variable that nobody has set."""
        slot = self.slots.registers[self.owner(frame), name]
        value = frame.registers[name] = self._kept(slot, None)
        self.read.append(value)
        return value

    def _choose_bytes(self, found: Object, offset: int, type: Any, span: Span) -> Any:
        """Return what the reduced program keeps for bytes that nobody has written."""
        part, inside = self._part(found, offset)
        index = (inside - part.residue) // part.stride if part.stride else None
        value = self._kept(part.slot, index)
        if isinstance(type, Bool) is not isinstance(value, bool) or (hasattr(type, "wrap") and part.slot.type != type):
            value = type.wrap(int(value))
        self.read.append(value)
        found.write(offset, bytes_of(type), to_raw(value, type))
        return found.read(offset, bytes_of(type))

    def activations(self) -> Iterator[tuple[str, Frame]]:
        """Yield the activations that there are, each with the procedure of the reduced program, the last one first."""
        raise NotImplementedError

    def object_of(self, base: int) -> Object:
        """Return an object of the machine."""
        raise NotImplementedError

    def _part(self, found: Object, offset: int) -> tuple[PartOfObject, int]:
        for owner, frame in self.activations():
            for name, base in frame.objects.items():
                if self.object_of(base) is found:
                    window, inside = self.slots.points.windows.at(Base(OBJECT, owner, name), offset)
                    part = self.slots.part(window, inside)
                    if part is not None:
                        return part, inside
        raise InternalError(f"nothing stands for byte {offset} of '{found.name}'")

    def _kept(self, slot: Slot, index: int | None) -> Any:
        if isinstance(slot.type, Addresses):
            kept: Any = self.state[slot.base]
            return NULL if kept == self.slots.number(NULL_BASE) else WILD
        kept = self.state[slot.value]
        kept = kept if index is None else kept[index]
        return from_bits(kept, slot.type) if isinstance(slot.type, Floating) else kept


class GuidedMachine(Guide, Machine):
    """A program with memory that runs as a run of the reduced program says."""

    def __init__(self, reduced: RegionProgram) -> None:
        self.slots = reduced.slots
        self.state = {}
        self.choices = []
        self.read = []
        super().__init__(Codes(reduced.original), Nobody())

    def follow(self, state: State, inputs: tuple[Any, ...]) -> None:
        """Take the next edge, with what the reduced program had before it."""
        self.state, self.choices = state, list(inputs)
        try:
            while self.frames and self.step() is None:
                pass
        except (Fault, Stopped, Unclear, NoInput):
            return

    def activations(self) -> Iterator[tuple[str, Frame]]:
        """Yield the activations, the last one first."""
        for frame in reversed(self.frames):
            yield self.owner(frame), frame

    def object_of(self, base: int) -> Object:
        """Return an object."""
        return self.objects[base]


class Nobody:
    """Inputs of a machine that chooses elsewhere."""

    vague = False
    frozen = False

    def any_value(self, low: int, high: int) -> Any:
        """Return no value."""
        raise NoInput

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return no value."""
        raise NoInput
