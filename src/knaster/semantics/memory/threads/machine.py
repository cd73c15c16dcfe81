"""The machine for programs with memory that have threads: one thread runs, the others stand where they stopped.

An object is *shared* where another thread may reach it: globals are, and whatever an address leads to that was stored
in a shared object or handed to another thread.  Once shared, always shared.  Inside a *section* nobody else runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass, field
from knaster.program.memory import NULL, Address, Fragment, Snapshot
from knaster.program.model import Edge
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.machine import Frame, Inputs, Machine, Strict
from knaster.semantics.memory.objects import GLOBAL, LITERAL, Object

if TYPE_CHECKING:
    from knaster.semantics.memory.actions import Code, Codes

MOST_THREADS = 100


class Waiting(Exception):
    """The thread cannot take its next step now."""


@dataclass(slots=True, eq=False)
class Thread:
    """One thread: its activations, and what others may ask about it."""

    number: int  # 1 is that of main
    frames: list[Frame]
    ended: bool = False
    result: Any = None  # what it returned, for whoever joins it
    joined: bool = False
    detached: bool = False
    awaits: Address | None = None  # the condition that it waits for
    newborn: bool = False  # it begins in the middle of a function, and has not taken a step
    forked: bool = False  # the objects of its first activation are those of another thread
    own: dict[str, Address] = field(default_factory=dict)  # its own objects of the whole program
    values: dict[int, Any] = field(default_factory=dict)  # by key
    leaves: bool = False  # it has ended, but for what is called with the values of its keys
    cancelled: bool = False  # somebody wants it to end
    obeys: bool = True  # it can be cancelled

    def copy(self) -> Thread:
        """Return a thread that goes on by itself."""
        return Thread(
            self.number, [_copy_frame(frame) for frame in self.frames], self.ended, self.result, self.joined,
            self.detached, self.awaits, self.newborn, self.forked, self.own, dict(self.values), self.leaves,
            self.cancelled, self.obeys,
        )  # fmt: skip


def _copy_frame(frame: Frame) -> Frame:
    return Frame(
        frame.code, frame.location, dict(frame.registers), frame.targets, frame.after, dict(frame.objects),
        frame.results, frame.extra, list(frame.owned),
    )  # fmt: skip


class ThreadedMachine(Machine):
    """A program with memory and threads while it runs."""

    def __init__(self, codes: Codes, inputs: Inputs, strict: Strict = frozenset()) -> None:
        self.shared: set[int] = set()
        self.section = 0  # the number of the thread that nobody may interrupt
        self.depth = 0  # of sections inside each other
        self.over = False  # main has returned
        self.keys: list[Code | None] = []  # what is called with the values of each key when a thread ends
        self.threads: list[Thread] = []
        self.ranges: list[tuple[int, int]] = []  # of inputs that are not chosen yet, where many machines share them
        super().__init__(codes, inputs, strict)
        self.shared.update(self.objects)
        self.current = Thread(1, self.frames)
        self.threads.append(self.current)
        self._locals = [declared for declared in self.layout.objects if declared.per_thread]
        self.current.own = {declared.name: self.globals[declared.name] for declared in self._locals}

    def copy(self) -> ThreadedMachine:
        """Return a machine that goes on by itself."""
        twin = ThreadedMachine.__new__(ThreadedMachine)
        twin.__dict__.update(self.__dict__)
        declared = len(self.layout.objects)
        twin.objects = {base: _copy_object(found, base <= declared) for base, found in self.objects.items()}
        twin.globals = dict(self.globals)
        twin.lapses = {}
        twin.answers = {name: list(said) for name, said in self.answers.items()}
        twin.ranges = list(self.ranges)
        twin.shared = set(self.shared)
        twin.keys = list(self.keys)
        twin.threads = [thread.copy() for thread in self.threads]
        twin.current = twin.threads[self.current.number - 1]
        twin.frames = twin.current.frames
        return twin

    # Threads

    def switch(self, number: int) -> None:
        """Let a thread run."""
        self.current = self.threads[number - 1]
        self.frames = self.current.frames
        self.globals.update(self.current.own)

    def begin_thread(self, code: Code, arguments: tuple[Any, ...]) -> Thread:
        """Add a thread that calls a procedure."""
        frame = Frame(code, code.procedure.entry, dict(zip(code.procedure.parameters, arguments, strict=False)))
        for argument in arguments:
            self.share(argument)
        return self._add(frame)

    def fork(self, frame: Frame) -> Thread:
        """Add a thread that goes on where this one stands, with the same values."""
        twin = _copy_frame(frame)
        for value in twin.registers.values():
            self.share(value)
        for base in twin.objects.values():
            self.share(Address(base, 0))
        thread = self._add(twin)
        thread.newborn = thread.forked = True
        return thread

    def _add(self, frame: Frame) -> Thread:
        if len(self.threads) >= MOST_THREADS:
            raise Unclear(f"there are more than {MOST_THREADS} threads")
        thread = Thread(len(self.threads) + 1, [frame])
        for declared in self._locals:
            thread.own[declared.name] = place = self.allocate(declared.name, declared.size, GLOBAL, True)
            for offset, type, value in self.codes.initial(declared):
                self.write(Address(place.base, offset), type, value(self, frame))
        self.threads.append(thread)
        return thread

    def end_thread(self, result: Any) -> None:
        """Let the thread that runs end; its objects are dead."""
        for frame in self.frames[1 if self.current.forked else 0 :]:
            for base in (*frame.objects.values(), *frame.owned):
                self.kill(base)
        self.frames.clear()
        self._close(result)

    def _close(self, result: Any) -> None:
        """Let the thread end that has no activation left, after what is called with the values of its keys."""
        if not self.current.leaves:
            self.current.result, self.current.leaves = result, True
            self.share(result)
        if self.section == self.current.number:
            self.section = self.depth = 0
        if not self._call_destructor():
            self.current.ended = True

    def _call_destructor(self) -> bool:
        """Call what is to be called with the value of a key, if there is one."""
        values = self.current.values
        for key in sorted(values):
            value, function = values[key], self.keys[key]
            if value not in (NULL, 0) and function is not None:
                values[key] = NULL
                self.frames.append(Frame(function, function.procedure.entry, {function.procedure.parameters[0]: value}))
                return True
        return False

    def step(self) -> Edge | None:
        """Take the next edge of the thread that runs, and return from its last activation where that is over."""
        edge = super().step()
        frames = self.frames
        if len(frames) == 1 and frames[0].location == frames[0].code.procedure.exit and edge is not None:
            results = frames[0].results
            self.leave()
            if self.current.number == 1 and not self.current.leaves:
                self.over = self.current.ended = True
            else:
                self._close(results[0] if results else None)
        return edge

    @property
    def running(self) -> list[int]:
        """The threads that have not ended."""
        return [] if self.over else [thread.number for thread in self.threads if not thread.ended]

    @property
    def is_alone(self) -> bool:
        """Tell whether all other threads have ended."""
        return all(thread.ended or thread is self.current for thread in self.threads)

    @property
    def may_run(self) -> list[int]:
        """The threads that have not ended and may run, as far as sections say."""
        running = self.running
        return [self.section] if self.section and self.section in running else running

    # What others can reach

    def write(self, place: Any, type: Any, value: Any) -> None:
        """Let a value stand at an address that may be used; what a shared object leads to is shared."""
        super().write(place, type, value)
        if place[0] in self.shared and not isinstance(value, int):
            self.share(value)

    def share(self, value: Any) -> None:
        """Note that other threads may reach what a value leads to."""
        todo = [value]
        while todo:
            found = todo.pop()
            if isinstance(found, Fragment):
                found = found.address
            if isinstance(found, Snapshot):
                todo += [raw for _, _, raw in found.cells if not isinstance(raw, int)]
            elif isinstance(found, Address) and found.base > 0 and found.base not in self.shared:
                self.shared.add(found.base)
                todo += [raw for _, raw in self.objects[found.base].cells.values() if not isinstance(raw, int)]


def _copy_object(found: Object, declared: bool) -> Object:
    if not found.alive or (declared and found.kind == LITERAL):
        return found
    return Object(found.name, found.size, found.kind, found.zeroed, found.writable, True, dict(found.cells))


__all__ = ["NULL", "Thread", "ThreadedMachine", "Waiting"]
