"""The machine for programs with memory: objects, activations and inputs; one step at a time.

A run ends where its first function returns, by `Over`, or by `Undefined`; an undefined step after which runs go on is
handed to `note`.  Where one location has several ways out, the first whose condition holds is taken; two that hold are
more than this machine understands.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from knaster_check.memory.codes import Code, Codes
from knaster_check.memory.faults import Over, Place, Undefined
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.numbers import cast, is_within, to_address, wrap
from knaster_check.memory.objects import FUNCTION, GLOBAL, LOCAL, Object, from_bytes, to_bytes
from knaster_check.memory.reals import to_bits
from knaster_check.memory.values import NULL_PAGE, Address, Image, NotANumber, Open, OpenReal, size_of
from knaster_check.program import Edge, Type
from knaster_check.refused import Unsupported

DEEPEST = 100_000  # activations
COPIED = 1024  # bytes of a copy whose unwritten ones are inputs first; a larger one leaves them unwritten in both
Targets = tuple[str | None, ...]  # mutant: a name of a type
Note = Callable[[str, Place, bool], None]


class Frame:
    """One activation: where it stands, its variables, its objects by name."""

    __slots__ = ("after", "code", "further", "location", "objects", "owned", "results", "targets", "values")

    def __init__(
        self, code: Code, values: dict[str, Any], targets: tuple[str | None, ...] = (), after: int = 0
    ) -> None:
        self.code, self.values, self.targets, self.after = code, values, targets, after
        self.location = code.procedure.entry
        self.objects: dict[str, int] = {}
        self.owned: list[int] = []  # objects without a name that end with it
        self.results: tuple[Any, ...] = ()
        self.further: tuple[Any, ...] = ()  # arguments without names


class Machine:
    """A program with memory while it runs."""

    def __init__(self, codes: Codes, inputs: Inputs, note: Note) -> None:
        self.codes, self.inputs, self._note = codes, inputs, note
        self.pointer = codes.layout.pointer
        self.place: Place = (0, 0)  # of the edge that is being taken
        self.objects: dict[int, Object] = {}
        self.globals: dict[str, Address] = dict(codes.functions)
        self.frames: list[Frame] = []
        self.answers: dict[str, Any] = {}  # what functions of the library have said, where they say it again
        for declared in codes.layout.objects:
            self.globals[declared.name] = self.allocate(declared.size, GLOBAL, not declared.unknown, declared.writable)
        for declared in codes.layout.objects:
            self.initialise(declared.name, self.globals[declared.name].base)
        entry = codes.code(codes.program.threads[0])
        types = entry.procedure.types
        self.enter(entry, tuple(self.inputs.choose(types[name]) for name in entry.procedure.parameters), (), 0)

    def initialise(self, name: str, base: int) -> None:
        """Write the initial values of an object."""
        nowhere = Frame(self.codes.nothing, {})
        for offset, type, value in self.codes.initial(name):
            self.write(self.objects[base], offset, type, value(self, nowhere))

    def note(self, kind: str, place: Place, at_once: bool = False) -> None:
        """Say that the run comes to an undefined step after which it goes on."""
        self._note(kind, place, at_once)

    # Activations

    def enter(self, code: Code, arguments: tuple[Any, ...], targets: Targets, after: int) -> None:
        """Begin an activation."""
        if len(self.frames) >= DEEPEST:
            raise Unsupported(f"calls are nested more than {DEEPEST:,} deep")
        names = code.procedure.parameters
        frame = Frame(code, dict(zip(names, arguments, strict=False)), targets, after)
        frame.further = arguments[len(names) :]
        self.frames.append(frame)

    def leave(self) -> None:
        """End an activation: its objects are dead, its results go to the caller."""
        frame = self.frames.pop()
        for base in (*frame.objects.values(), *frame.owned):
            self.objects[base].die()
        if self.frames:
            caller = self.frames[-1]
            caller.location = frame.after
            for number, target in enumerate(frame.targets):
                if target is not None and number < len(frame.results):
                    caller.values[target] = frame.results[number]
                elif target is not None:
                    caller.values.pop(target, None)  # nothing is returned: an input where it is read

    @property
    def is_at_end(self) -> bool:
        """Tell whether the next step is the end of an activation."""
        frame = self.frames[-1]
        return frame.location == frame.code.procedure.exit and frame.location not in frame.code.ways

    def step(self) -> None:
        """Take one step: an edge, or the end of an activation."""
        frame = self.frames[-1]
        ways = frame.code.ways.get(frame.location)
        if ways is None:
            if frame.location != frame.code.procedure.exit:
                raise Over
            self.leave()
            return
        edge, act = self._way(frame, ways)
        self.place = edge.line, edge.column
        if act is not None:
            act(self, frame)
        frame.location = edge.target
        if edge.forgets:
            self.forget(frame, edge.forgets)

    def _way(self, frame: Frame, ways: Any) -> tuple[Edge, Any]:
        """Return the way out of a location that can be taken."""
        chosen = None
        for edge, condition, act, otherwise in ways:
            if otherwise and chosen is None:
                return edge, act
            if otherwise:
                break
            self.place = edge.line, edge.column
            if condition is None or condition(self, frame):
                if chosen is not None:
                    raise Unsupported("a run can go on in two ways", f"line {edge.line}")
                chosen = edge, act
        if chosen is None:
            raise Over
        return chosen

    def forget(self, frame: Frame, names: tuple[str, ...]) -> None:
        """Let variables and objects of a block end."""
        for name in names:
            frame.values.pop(name, None)
            if name in frame.objects:
                self.objects[frame.objects.pop(name)].die()

    # Objects

    def allocate(self, size: int, kind: str, zeroed: bool = False, writable: bool = True) -> Address:
        """Return the address of a new object."""
        base = len(self.objects) + 1
        self.objects[base] = Object(size, kind, zeroed, writable)
        return Address(base, 0)

    def begin(self, frame: Frame, name: str, size: int, zeroed: bool, writable: bool) -> None:
        """Let a local object live from here on; one that lives already is the same one, with nothing written."""
        base = frame.objects.get(name)
        if base is None:
            frame.objects[name] = self.allocate(size, LOCAL, zeroed, writable).base
        else:
            self.objects[base] = Object(size, LOCAL, zeroed, writable)

    def address_of(self, frame: Frame, name: str) -> Address:
        """Return the address of what a name stands for here."""
        base = frame.objects.get(name)
        if base is not None:
            return Address(base, 0)
        size = frame.code.sizes.get(name)
        if size is not None:  # a jump has passed over its beginning
            self.begin(frame, name, size, False, True)
            return Address(frame.objects[name], 0)
        if name not in self.globals:  # a function that nobody defines
            self.globals[name] = self.allocate(1, FUNCTION, writable=False)
        return self.globals[name]

    def usable(self, where: Any, size: int, place: Place) -> Object:
        """Return the object that an address points into; undefined where these bytes must not be used."""
        base, offset = where
        if base <= 0:
            null = base == 0 and -NULL_PAGE < offset < NULL_PAGE
            raise Undefined("null" if null else "invalid-pointer", place)
        found = self.objects[base]
        if not found.alive:
            raise Undefined("dead", place)
        if offset < 0 or offset + size > found.size:
            raise Undefined("bounds", place)
        return found

    def settled(self, where: Any, size: int) -> Address:
        """Return an address whose place depends on inputs as it is in this run; all out of bounds are alike."""
        base, offset = where
        if base > 0 and not self.inputs.heeds_alignment and not is_within(self, offset, self.objects[base].size - size):
            return Address(base, offset.value)
        return Address(base, self.inputs.pinned(offset))

    def check_alignment(self, where: Any, type: Type, place: Place) -> None:
        """Note a value that stands where it does not fit: objects begin at multiples of 16."""
        if where[0] > 0 and where[1] % min(size_of(type), self.pointer):
            self.note("alignment", place)

    # Values

    def load(self, where: Any, type: Type, place: Place) -> Any:
        """Return the value of a type that stands at an address."""
        size = size_of(type)
        found = self.usable(where, size, place)
        offset = where[1]
        if type[0] == "bytes":
            self.settle(found, offset, size)
            return found.image(offset, size)
        bytes = found.get(offset, size)
        if None in bytes:
            bytes = self._choose_bytes(found, offset, type, bytes)
        try:
            raw = int.from_bytes(bytes, "little")
        except TypeError:
            raw = from_bytes(bytes, self.inputs)
        return self._interpret(raw, type, place)

    def _interpret(self, raw: Any, type: Type, place: Place) -> Any:
        """Return what stands in memory as a value of a type."""
        if isinstance(raw, OpenReal | NotANumber):
            if type != ("floating", raw.width):
                raise Unsupported("the bits of a floating-point number are read that are not known")
            return math.nan if isinstance(raw, NotANumber) else raw
        if type[0] == "floating" and isinstance(raw, int | Open):
            return self.inputs.real_from_bits(raw, type[1])
        match type[0]:
            case "int":
                return wrap(raw, type) if raw.__class__ is int else cast(self, raw, type, place)
            case "address":
                return to_address(self, raw)
        raw = self.inputs.pinned(raw)
        if not isinstance(raw, int) or type[0] == "floating":
            raise Unsupported("a part of a pointer is read as a truth value or a floating-point number")
        if raw > 1:
            raise Undefined("boolean", place)
        return bool(raw)

    def _choose_bytes(self, found: Object, offset: int, type: Type, bytes: list[Any]) -> list[Any]:
        """Let bytes that nobody wrote be inputs, the same from now on: a whole value where none of it was written."""
        if all(byte is None for byte in bytes):
            self.write(found, offset, type, self.inputs.choose(type))
        else:
            for at, byte in enumerate(bytes, offset):
                if byte is None:
                    found.put(at, to_bytes(self.inputs.choose(("int", 8, False)), 1))
        return found.get(offset, len(bytes))

    def settle(self, found: Object, offset: int, size: int) -> None:
        """Let bytes that nobody wrote be inputs, because they are copied; whole words of four where they stand."""
        at, end = offset, offset + size
        while at < end and size <= COPIED:
            word = 4 if at % 4 == 0 and at + 4 <= end and found.get(at, 4) == [None] * 4 else 1
            if found.get(at, 1) == [None]:
                found.put(at, to_bytes(self.inputs.choose(("int", 8 * word, False)), word))
            at += word

    def store(self, where: Any, type: Type, value: Any, place: Place, initial: bool = False) -> None:
        """Write a value of a type at an address."""
        found = self.usable(where, size_of(type), place)
        if not found.writable and not initial:
            raise Undefined("read-only", place)
        self.write(found, where[1], type, value)

    def write(self, found: Object, offset: int, type: Type, value: Any) -> None:
        """Let a value of a type stand at a place that may be used."""
        if isinstance(value, Image):
            found.put_image(offset, value)
        elif isinstance(value, float) and value == value:
            found.put(offset, to_bits(value, size_of(type)))
        elif isinstance(value, float):
            found.put(offset, to_bytes(NotANumber(type[1]), size_of(type)))
        else:
            found.put(offset, to_bytes(value, size_of(type)))
