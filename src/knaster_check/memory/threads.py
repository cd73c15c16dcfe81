"""The machine for programs with memory that have threads: one of them runs, the others stand where they stopped.

Steps are interleaved one by one, sequentially consistent.  A step is *private* where no other thread can notice it nor
change it: its text reads no memory, writes none, chooses nothing and ends no object; it is seen from the text alone.
"""

from __future__ import annotations

from typing import Any

from knaster_check.fitting import formulas
from knaster_check.memory.codes import Codes
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.machine import Frame, Machine, Note
from knaster_check.memory.objects import Object
from knaster_check.memory.values import Address, Following, Image, Piece
from knaster_check.program import Assign, Assume, Begin, Call, Edge, Return, Type
from knaster_check.refused import Unsupported

MOST = 300  # values of one input


class Waits(Exception):
    """The thread that runs cannot take its next step now."""


class PlainInputs(Inputs):
    """Inputs of one turn: each is chosen at once, for states are compared."""

    def choose(self, type: Type) -> Any:
        """Return an input."""
        found = super().choose(type)
        if found.__class__ is not Following:
            return found
        if self.room(found) >= MOST:
            raise Unsupported("an input of threads has too many values")
        return self.pinned(found)


class Thread:
    """One thread: its activations, what it returned, and whether it was waited for."""

    def __init__(self, frames: list[Frame]) -> None:
        self.frames = frames
        self.ended = self.joined = self.detached = False
        self.result: Any = None
        self.awaits: Address | None = None  # the condition that it waits for

    def copy(self) -> Thread:
        """Return a thread that goes on by itself."""
        twin = Thread([_copy_frame(frame) for frame in self.frames])
        twin.ended, twin.joined, twin.detached, twin.result = self.ended, self.joined, self.detached, self.result
        twin.awaits = self.awaits
        return twin


def _copy_frame(frame: Frame) -> Frame:
    twin = Frame(frame.code, dict(frame.values), frame.targets, frame.after)
    twin.location, twin.objects, twin.owned = frame.location, dict(frame.objects), list(frame.owned)
    twin.results, twin.further = frame.results, frame.further
    return twin


class ThreadedMachine(Machine):
    """A program with memory and threads while it runs; thread 1 is main."""

    def __init__(self, codes: Codes, inputs: Inputs, note: Note) -> None:
        own = [declared.name for declared in codes.layout.objects if declared.per_thread]
        if own:
            raise Unsupported(f"each thread has an object '{own[0]}' of its own")
        super().__init__(codes, inputs, note)
        self.threads = [Thread(self.frames)]
        self.current = 1
        self.depth = 0  # of sections that nobody interrupts, all of the thread that runs
        self.over = False  # main has returned

    def copy(self) -> ThreadedMachine:
        """Return a machine that goes on by itself."""
        twin = ThreadedMachine.__new__(ThreadedMachine)
        twin.__dict__.update(self.__dict__)
        twin.objects = {base: _copy_object(found) for base, found in self.objects.items()}
        twin.globals, twin.answers = dict(self.globals), dict(self.answers)
        twin.threads = [thread.copy() for thread in self.threads]
        twin.frames = twin.threads[self.current - 1].frames
        return twin

    def switch(self, number: int) -> None:
        """Let a thread run."""
        self.current, self.frames = number, self.threads[number - 1].frames

    @property
    def may_run(self) -> list[int]:
        """The threads that have not ended and that no section keeps from running."""
        if self.over:
            return []
        if self.depth:
            return [self.current]
        return [number for number, thread in enumerate(self.threads, 1) if not thread.ended]

    @property
    def is_alone(self) -> bool:
        """Tell whether all other threads have ended, or were not begun."""
        return sum(not thread.ended for thread in self.threads) == 1

    def begin_thread(self, name: str, argument: Any) -> int:
        """Add a thread that calls a procedure; return its number."""
        if len(self.threads) >= 50:
            raise Unsupported("there are too many threads")
        code = self.codes.code(name)
        self.threads.append(Thread([Frame(code, dict(zip(code.procedure.parameters, (argument,), strict=False)))]))
        return len(self.threads)

    def end_thread(self, result: Any) -> None:
        """Let the thread that runs end; its objects are dead."""
        for frame in self.frames:
            for base in (*frame.objects.values(), *frame.owned):
                self.objects[base].die()
        self.frames.clear()
        self._close(result)

    def _close(self, result: Any) -> None:
        thread = self.threads[self.current - 1]
        thread.ended, thread.result, self.depth = True, result, 0

    def step(self) -> None:
        """Take one step of the thread that runs; its first activation ends with its last edge: nobody runs between."""
        frame, alone = self.frames[-1], len(self.frames) == 1
        super().step()
        if alone and self.frames == [frame] and self.is_at_end:
            super().step()
        if not self.frames and alone and not self.threads[self.current - 1].ended:
            self._close(frame.results[0] if frame.results else None)
            self.over = self.over or self.current == 1

    def is_private(self) -> bool:
        """Tell whether nobody else can notice the next step of the thread that runs."""
        frame = self.frames[-1]
        ways = frame.code.ways.get(frame.location)
        if ways is None:
            return self.is_at_end and not (frame.objects or frame.owned) and len(self.frames) > 1
        return all(is_private(way.edge, frame) for way in ways)


def is_private(edge: Edge, frame: Frame) -> bool:
    """Tell from the text of an edge whether nobody else can notice it."""
    if not isinstance(edge.action, Assign | Assume | Return | Call | Begin) or set(edge.forgets) & set(frame.objects):
        return False
    if isinstance(edge.action, Begin) and edge.action.name in frame.objects:
        return False  # the one before ends
    return not any(node[0] in ("load", "choice") for formula in formulas(edge.action) for node in formula)


def _copy_object(found: Object) -> Object:
    twin = Object(found.size, found.kind, found.unwritten == 0, found.writable)
    twin.alive, twin.bytes = found.alive, dict(found.bytes)
    return twin


def key_of(machine: ThreadedMachine) -> Any:
    """Return a machine as a value that is compared: objects have the numbers in which they are met."""
    return _Key(machine).all()


class _Key:
    """A machine while it is made a value."""

    def __init__(self, machine: ThreadedMachine) -> None:
        self.machine = machine
        self.names: dict[int, int] = {}
        self.order: list[int] = []

    def all(self) -> Any:
        """Return the value."""
        machine = self.machine
        known = [(name, self.value(address)) for name, address in sorted(machine.globals.items())]
        threads = [(*self.standing(thread), *map(self.frame, thread.frames)) for thread in machine.threads]
        said = [(name, self.value(value)) for name, value in sorted(machine.answers.items())]
        objects = []
        for base in self.order:  # it grows
            found = machine.objects[base]
            bytes = tuple((at, self.value(byte)) for at, byte in sorted(found.bytes.items()))
            objects.append((found.size, found.kind, found.alive, found.writable, found.unwritten, bytes))
        lost = any(o.kind == "heap" and o.alive and base not in self.names for base, o in machine.objects.items())
        running = (machine.current if machine.depth else 0, machine.depth, machine.over, lost)
        return running, tuple(known), tuple(threads), tuple(said), tuple(objects)

    def standing(self, thread: Thread) -> Any:
        """Return what others may ask about a thread."""
        return thread.ended, thread.joined, thread.detached, self.value(thread.result), self.value(thread.awaits)

    def frame(self, frame: Frame) -> Any:
        """Return an activation."""
        values = tuple((name, self.value(value)) for name, value in sorted(frame.values.items()))
        own = tuple((name, self.base(base)) for name, base in sorted(frame.objects.items()))
        rest = tuple(self.base(base) for base in frame.owned), tuple(map(self.value, frame.results + frame.further))
        return frame.code.procedure.name, frame.location, frame.after, frame.targets, values, own, rest

    def base(self, base: int) -> int:
        """Return the number of an object."""
        if base > 0 and base not in self.names:
            self.names[base] = len(self.names) + 1
            self.order.append(base)
        return self.names.get(base, base)

    def value(self, value: Any) -> Any:
        """Return a value; truth values, numbers and floats are told apart."""
        if isinstance(value, Address):
            return "address", self.base(value.base), value.offset
        if isinstance(value, Piece):
            return "piece", self.value(value.whole), value.at, value.size
        if isinstance(value, Image):
            return "image", value.size, tuple((at, self.value(byte)) for at, byte in sorted(value.bytes.items()))
        return value.__class__.__name__, repr(value) if isinstance(value, float) else value
