"""A machine with threads as a value that can be compared: two machines with one key go on in the same ways.

Objects are named in the order in which globals, threads and contents lead to them; what nothing leads to is left out,
unless it is asked whether something is left.  Variables that are not read any more before they are set are left out.
An input that is not chosen yet is its number in the order of the walk, and what is left of it.
"""

from __future__ import annotations

from typing import Any

from knaster.program.expression import Var, postorder
from knaster.program.memory import Address, Fragment, Library, Snapshot, memory_expressions
from knaster.program.model import Assign, Edge, Location, Procedure, expressions
from knaster.semantics.memory.failure import LEAK, LOST
from knaster.semantics.memory.floats import NotANumber
from knaster.semantics.memory.machine import Frame
from knaster.semantics.memory.objects import ELSEWHERE, HEAP, LITERAL
from knaster.semantics.memory.threads.machine import Thread, ThreadedMachine
from knaster.semantics.memory.unknown import Unknown

Key = tuple[Any, ...]
Names = tuple[str, ...]


class Liveness:
    """Which variables of each procedure are read before they are set, from each location on."""

    def __init__(self) -> None:
        self._live: dict[str, dict[Location, Names]] = {}

    def at(self, procedure: Procedure, location: Location) -> Names:
        """Return the variables that matter at a location, in one order."""
        if procedure.name not in self._live:
            self._live[procedure.name] = live_variables(procedure)
        return self._live[procedure.name].get(location, ())


def live_variables(procedure: Procedure) -> dict[Location, Names]:
    """Return the variables that are read before they are set, for each location; the least solution."""
    live: dict[Location, set[str]] = {}
    moves = [(edge, _uses(edge), _sets(edge)) for edge in procedure.edges]
    entering: dict[Location, list[int]] = {}
    for number, (edge, _, _) in enumerate(moves):
        entering.setdefault(edge.target, []).append(number)
    todo = list(range(len(moves)))
    while todo:
        edge, uses, sets = moves[todo.pop()]
        before = live.setdefault(edge.source, set())
        new = (uses | (live.get(edge.target, set()) - sets)) - before
        if new:
            before |= new
            todo += entering.get(edge.source, ())
    return {location: tuple(sorted(names)) for location, names in live.items()}


def _uses(edge: Edge) -> set[str]:
    read = (*expressions(edge.action), *memory_expressions(edge.action))
    return {node.name for expr in read for node in postorder(expr) if isinstance(node, Var)}


def _sets(edge: Edge) -> set[str]:
    action: Any = edge.action
    if isinstance(action, Assign):
        return {*action.targets, *edge.forgets}
    if isinstance(action, Library):
        return {action.target or "", *edge.forgets}
    return {*(name for name in getattr(action, "targets", ()) if name), *edge.forgets}


def key_of(machine: ThreadedMachine, liveness: Liveness) -> Key:
    """Return what a machine with threads is, as a value."""
    return _Walk(machine, liveness).key()


class _Walk:
    """One walk through a machine."""

    def __init__(self, machine: ThreadedMachine, liveness: Liveness) -> None:
        self.machine = machine
        self.liveness = liveness
        self.bases: dict[int, int] = {}
        self.order: list[int] = []
        self.inputs: dict[int, int] = {}
        self.ranges: list[tuple[int, int]] = []

    def key(self) -> Key:
        """Return the key."""
        machine = self.machine
        for declared in machine.layout.objects:
            if not declared.per_thread:
                self.name(machine.globals[declared.name].base)
        threads = tuple(self.thread(thread) for thread in machine.threads)
        answers = tuple((name, self.value(said)) for name, said in sorted(machine.answers.items()))
        contents: list[Any] = []
        for base in self.order:  # grows while it is walked
            found = machine.objects[base]
            if not found.alive:
                contents.append(found.size)
                continue
            cells = sorted(found.cells.items())
            shown = tuple([(at, size, self.value(raw)) for at, (size, raw) in cells])
            name = found.name if found.kind in (ELSEWHERE, LITERAL) else ""  # who asks for that name gets this object
            contents.append((found.size, found.kind, name, found.zeroed, found.writable, base in machine.shared, shown))
        keys = tuple([code.procedure.name if code is not None else None for code in machine.keys])
        return (
            threads, tuple(contents), machine.section, machine.depth, machine.over, keys,
            answers, tuple(self.ranges), self._left(),
        )  # fmt: skip

    def _left(self) -> Key:
        """Return the objects of the heap that nothing leads to, where that is asked for."""
        machine = self.machine
        if not machine.strict & {LEAK, LOST}:
            return ()
        return tuple(
            sorted(
                found.name
                for base, found in machine.objects.items()
                if found.kind == HEAP and found.alive and base not in self.bases
            )
        )

    def thread(self, thread: Thread) -> Key:
        """Return a thread as a value."""
        if thread.ended:
            result = None if thread.joined or thread.detached else self.value(thread.result)
            return True, thread.joined, thread.detached, result
        own = tuple(self.name(thread.own[name].base) for name in sorted(thread.own))
        values = tuple((key, self.value(thread.values[key])) for key in sorted(thread.values))
        frames = thread.frames
        after = (*(frame.after for frame in frames[1:]), frames[-1].location)
        stack = tuple(self.frame(frame, at) for frame, at in zip(frames, after, strict=True))
        awaits = self.value(thread.awaits)
        flags = thread.detached, thread.newborn, thread.forked, thread.leaves, thread.cancelled, thread.obeys
        left = self.value(thread.result) if thread.leaves else None
        return stack, flags, awaits, own, values, left

    def frame(self, frame: Frame, location: Location) -> Key:
        """Return an activation as a value; it stands at a location, or will after a call has returned."""
        registers, procedure = frame.registers, frame.code.procedure
        live = self.liveness.at(procedure, location)
        shown = tuple([self.value(registers[name]) if name in registers else None for name in live])
        objects = tuple([(name, self.name(frame.objects[name])) for name in sorted(frame.objects)])
        owned = tuple([self.name(base) for base in frame.owned])
        extra = tuple([self.value(value) for value in frame.extra])
        results = tuple([self.value(value) for value in frame.results])
        return procedure.name, location, shown, objects, owned, extra, results, frame.targets

    def name(self, base: int) -> int:
        """Return the number of an object in the order of the walk."""
        found = self.bases.get(base)
        if found is None:
            found = self.bases[base] = len(self.order)
            self.order.append(base)
        return found

    def value(self, value: Any) -> Any:
        """Return a value that can be compared."""
        if value.__class__ is int or value is None or isinstance(value, bool):
            return value
        if isinstance(value, Address):
            return ("@", value.base if value.base <= 0 else self.name(value.base) + 1, value.offset)
        if isinstance(value, Unknown):
            return self._input(value)
        if isinstance(value, Snapshot):
            return (value.size, tuple([(at, size, self.value(raw)) for at, size, raw in value.cells]))
        if isinstance(value, list) or value.__class__ is tuple:
            return tuple([self.value(each) for each in value])
        if isinstance(value, NotANumber):
            return ("nan",)
        if isinstance(value, Fragment):
            return ("%", self.value(value.address), value.position, value.size)
        return repr(value)

    def _input(self, value: Unknown) -> Any:
        number = self.inputs.get(value.index)
        if number is None:
            number = self.inputs[value.index] = len(self.ranges)
            self.ranges.append(self.machine.ranges[value.index])
        return ("?", number, value.sign, value.offset)
