"""The machine for programs with memory: activations, objects and inputs; one step at a time.

A run ends where main returns (`END`), where an assertion fails (`FAILURE`), where nothing can go on (`STOPPED`: `exit`,
`abort`, an assumption), or by `Fault` and `Unclear`.  Whoever runs a machine gives the inputs; signed overflow wraps
and pointers may leave their objects unless `strict` names that kind, or that kind at a line and a column.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

from knaster.base.errors import Span
from knaster.base.records import dataclass, field
from knaster.program.expression import NOWHERE
from knaster.program.floating_point import from_bits
from knaster.program.memory import (
    NULL_PAGE,
    Address,
    Addresses,
    Chunk,
    Floating,
    Fragment,
    MemoryLayout,
    Part,
    Snapshot,
    bytes_of,
)
from knaster.program.model import Edge, Location, Place, Program
from knaster.program.types import BOOL, Bool, Int, Type
from knaster.semantics.memory.arguments import ARGUMENTS, TEXT, argument_at, refuse_end
from knaster.semantics.memory.failure import (
    ALIGNMENT,
    BOOLEAN,
    BOUNDS,
    DEAD,
    NULL,
    POINTER,
    READ_ONLY,
    WILD,
    Fault,
    Stopped,
    Unclear,
)
from knaster.semantics.memory.floats import OPEN_BITS, NotANumber, to_raw_float
from knaster.semantics.memory.objects import ELSEWHERE, GLOBAL, LITERAL, LOCAL, Object
from knaster.semantics.memory.symbolic.float_symbols import FloatSymbol
from knaster.semantics.memory.symbolic.symbolic_cells import load_entry
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolicInputs, raw_of
from knaster.semantics.memory.unknown import Unknown, force, to_type

if TYPE_CHECKING:
    from knaster.semantics.memory.actions import Code, Codes

MOST_OBJECTS = 2_000_000
COPIED = 1024  # bytes of a copy whose unwritten ones are inputs before it; those of a larger one are unwritten in both
DEEPEST = 400_000  # activations
END, FAILURE, STOPPED = "end", "failure", "stopped"
_BYTE = Int(8, False)
Strict = frozenset[Any]  # kinds of undefined steps, and kinds with line and column


class Inputs(Protocol):
    """Where a run gets its inputs from; where they are `vague`, what is computed from them is any value."""

    vague: bool
    frozen: bool

    def any_value(self, low: int, high: int) -> Any:
        """Return any number of an interval."""

    def choose(self, type: Type, origin: str, span: Span) -> Any:
        """Return a value of a type."""


@dataclass(slots=True, eq=False)
class Frame:
    """One activation: where it stands, its variables, and its objects by name."""

    code: Code
    location: Location
    registers: dict[str, Any]
    targets: tuple[str | None, ...] = ()  # of the caller, for the results
    after: Location = 0  # where the caller goes on
    objects: dict[str, int] = field(default_factory=dict)
    results: tuple[Any, ...] = ()
    extra: tuple[Any, ...] = ()  # arguments after the named ones
    owned: list[int] = field(default_factory=list)  # what `alloca` made


class Machine:
    """A program with memory while it runs."""

    def __init__(
        self, codes: Codes, inputs: Inputs, strict: frozenset[str | tuple[str, int, int]] = frozenset()
    ) -> None:
        self.codes = codes
        self.program: Program = codes.program
        assert codes.program.memory is not None
        self.layout: MemoryLayout = codes.program.memory
        self.inputs = inputs
        self.strict = strict
        self.span = NOWHERE  # of the edge that is being taken
        self.objects: dict[int, Object] = {}
        self.globals: dict[str, Address] = dict(codes.functions)
        self.frames: list[Frame] = []
        self.lapses: dict[tuple[str, Span], None] = {}  # undefined steps after which the run went on
        self.allocated = 0
        self.cut_short = 0  # steps of the last `run` that did not come to its end
        self.result: Any = None  # what main returned
        self.answers: dict[str, list[Any]] = {}  # what functions of the library have said before, by name
        self._start()

    def _start(self) -> None:
        frame = Frame(self.codes.nothing, 0, {})
        for declared in self.layout.objects:
            kind = LITERAL if declared.literal else GLOBAL
            found = self.allocate(declared.name, declared.size, kind, not declared.unknown, declared.writable)
            self.globals[declared.name] = found
        for declared in self.layout.objects:
            base = self.globals[declared.name][0]
            image = self.codes.image(declared)
            if image is not None:
                self.objects[base].cells = dict(image)
                continue  # mutant: only speed, the same is written
            for offset, type, value in self.codes.initial(declared):
                self.write(Address(base, offset), type, value(self, frame))
        entry = self.codes.code(self.program.threads[0])
        self.enter(entry, self._arguments(entry), (), 0, ())

    def _arguments(self, code: Code) -> tuple[Any, ...]:
        """Return what the first function is given: `argc` and `argv` are inputs of main."""
        types = code.types
        found = []
        for name in code.procedure.parameters:
            found.append(self.inputs.choose(types.get(name, BOOL), name, code.procedure.span))
        return tuple(found)

    # Activations

    @property
    def frame(self) -> Frame:
        """The activation that runs."""
        return self.frames[-1]

    def enter(
        self, code: Code, arguments: tuple[Any, ...], targets: tuple[str | None, ...], after: Location, extra: Any
    ) -> None:
        """Begin an activation."""
        if len(self.frames) >= DEEPEST:
            raise Unclear(f"calls are nested more than {DEEPEST:,} deep")
        registers = dict(zip(code.procedure.parameters, arguments, strict=False))
        self.frames.append(Frame(code, code.procedure.entry, registers, targets, after, extra=extra))

    def leave(self) -> None:
        """End an activation: its objects are dead, its results go to the caller."""
        frame = self.frames.pop()
        for base in (*frame.objects.values(), *frame.owned):
            self.kill(base)
        if not self.frames:
            self.result = frame.results[0] if frame.results else None
        else:
            caller = self.frames[-1]
            caller.location = frame.after
            for number, target in enumerate(frame.targets):
                if target is None:
                    continue
                if number < len(frame.results):
                    caller.registers[target] = frame.results[number]
                else:
                    caller.registers.pop(target, None)  # nothing was returned: an input where it is read

    def step(self) -> Edge | None:
        """Take the next edge and return it; None where an activation ends instead.

        Raises `Stopped` where no edge can be taken, `Fault` and `Unclear` as an edge says.
        """
        frame = self.frames[-1]
        steps = frame.code.steps.get(frame.location)
        if steps is None:
            if frame.location == frame.code.procedure.exit:
                self.leave()
                return None
            raise Stopped
        for edge, condition, act, forgets in steps:
            self.span = edge.span
            if condition is not None:
                if not condition(self, frame):
                    continue
            else:
                act(self, frame)
            frame.location = edge.target
            for name in forgets:
                frame.registers.pop(name, None)
                if name in frame.objects:
                    self.kill(frame.objects.pop(name))
            return edge
        raise Stopped

    def run(self, limit: int, watched: frozenset[int], name: str, passed: list[Place]) -> int:
        """Take steps of the activation that runs, until it calls or ends, at most so many; return how many.

        The same as `step` again and again, and faster.  Places that are `watched` are added to `passed`.
        """
        frame = self.frames[-1]
        steps_of, registers, objects, depth = frame.code.steps, frame.registers, frame.objects, len(self.frames)
        count = 0
        try:
            for count in range(1, limit + 1):
                location = frame.location
                if location in watched:
                    passed.append((name, location))
                steps = steps_of.get(location)
                if steps is None:
                    self.step()
                    return count
                for edge, condition, act, forgets in steps:
                    self.span = edge.span
                    if condition is None:
                        act(self, frame)
                    elif not condition(self, frame):
                        continue
                    frame.location = edge.target
                    for gone in forgets:
                        registers.pop(gone, None)
                        if gone in objects:
                            self.kill(objects.pop(gone))
                    break
                else:
                    raise Stopped
                if len(self.frames) != depth:
                    return count
        except BaseException:
            self.cut_short = count
            raise
        return limit

    # Objects

    def allocate(self, name: str, size: Any, kind: str, zeroed: bool = False, writable: bool = True) -> Address:
        """Return the address of a new object."""
        self.allocated += 1
        if self.allocated > MOST_OBJECTS:
            raise Unclear(f"a run makes more than {MOST_OBJECTS:,} objects")
        self.objects[self.allocated] = Object(name, size, kind, zeroed, writable)
        return Address(self.allocated, 0)

    def kill(self, base: int) -> None:
        """Let an object die; its bytes are gone."""
        found = self.objects[base]
        found.alive = False
        found.cells.clear()
        found.log = None

    def begin(self, frame: Frame, name: str, size: Any, zeroed: bool, writable: bool) -> None:
        """Let a local object live from here on; one that lives already is the same one, with nothing written."""
        base = frame.objects.get(name)
        if base is None:
            frame.objects[name] = self.allocate(name, size, LOCAL, zeroed, writable)[0]
        else:
            self.objects[base] = Object(name, size, LOCAL, zeroed, writable)

    def address_of(self, frame: Frame, name: str) -> Address:
        """Return the address of what a name stands for here."""
        base = frame.objects.get(name)
        if base is not None:
            return Address(base, 0)
        found = self.globals.get(name)
        if found is None and not self.codes.is_local(frame.code.procedure.name, name):
            found = self.globals[name] = self.allocate(
                name, 1, ELSEWHERE, writable=False
            )  # a function that nobody defines
        if found is None:  # a jump has passed over its declaration
            size = self.codes.local_size(frame.code.procedure.name, name)
            self.begin(frame, name, size, False, True)
            return Address(frame.objects[name], 0)
        return found

    def is_function_elsewhere(self, base: int) -> bool:
        """Tell whether an address is that of a function that nobody defines."""
        return base in self.objects and self.objects[base].kind == ELSEWHERE

    def usable(self, place: Any, size: int, span: Span) -> Object:
        """Return the object that an address points into; raise `Fault` where these bytes must not be used."""
        base, offset = place
        found = self.objects.get(base)
        if found is None or not found.alive or offset < 0 or offset + size > found.size:
            raise self.why_unusable(place, size, span)
        return found

    def why_unusable(self, place: Any, size: int, span: Span) -> Fault:
        """Return why bytes must not be used."""
        base, offset = place
        if base == 0:
            return Fault(NULL, span) if -NULL_PAGE < offset < NULL_PAGE else Fault(WILD, span)
        if base < 0:  # mutant(<): what is 0 has returned
            return Fault(WILD, span, "a function is used as if it were memory")
        found = self.objects[base]
        if not found.alive:
            return Fault(DEAD, span, f"{describe(found)} is used after its end")
        last = offset + max(1, size) - 1
        return Fault(BOUNDS, span, f"byte {offset if offset < 0 else last} of {describe(found)} is used")

    def move(self, base: int, offset: Any, distance: Any, scale: int, span: Span, part: bool) -> Address:
        """Return an address moved by a number that depends on inputs, or one whose offset does."""
        moved = Address(base, offset + distance * scale)
        if base > 0 and isinstance(self.inputs, SymbolicInputs) and POINTER in self.inputs.asked:
            inside = 0 <= moved.offset <= self.objects[base].size
            if not inside:
                self.check_moved(moved, span, part)
        return moved

    def check_place(self, place: Any, size: int, mask: int, span: Span) -> None:
        """Raise `Fault` unless bytes may be used at an address whose offset depends on inputs; note a misfit."""
        self.usable(place, size, span)
        if mask and place[1] & mask:
            self.check_alignment(place, size, span)

    def check_moved(self, moved: Address, span: Span, part: bool) -> None:
        """Note that a pointer leaves its object; a part of what is null is used soon, or never."""
        if moved.base > 0 and not part:
            self.lapse(POINTER, span, f"a pointer leaves {describe(self.objects[moved.base])}")

    def check_alignment(self, place: Any, size: int, span: Span) -> None:
        """Note that a value stands where it does not fit; objects begin at multiples of 16."""
        if place[0] > 0 and force(place[1]) % min(size, self.layout.pointer):
            self.lapse(ALIGNMENT, span)

    def lapse(self, kind: str, span: Span, message: str = "") -> None:
        """Go on after an undefined step that does not end runs, unless it is asked for."""
        if self.strict and (kind in self.strict or (kind, span.line, span.column) in self.strict):
            raise Fault(kind, span, message)
        self.lapses[kind, span] = None

    # Values

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input."""
        return self.inputs.choose(type, origin, span)

    def choose_variable(self, frame: Frame, name: str) -> Any:
        """Return the value of a variable that nobody has set: an input, the same from now on."""
        value = self.choose(frame.code.types.get(name, BOOL), name, self.span)
        frame.registers[name] = value
        return value

    def load(self, place: Any, type: Any, span: Span) -> Any:
        """Return the value of a type that stands at an address."""
        size = bytes_of(type)
        found = self.usable(place, size, span)
        offset = place[1]
        if found.log is not None or offset.__class__ is not int:
            raw = (argument_at if found.kind == ARGUMENTS else load_entry)(self, found, offset, type, span)
            if raw is not None:
                return from_raw(raw, type, span)
            offset = force(offset)
        if isinstance(type, Chunk):
            self.settle(found, offset, size, span)
            return found.snapshot(offset, size)
        raw = found.read(offset, size)
        if raw is None:
            raw = self._choose_bytes(found, offset, type, span)
        return from_raw(raw, type, span)

    def settle(self, found: Object, offset: int, size: int, span: Span) -> None:
        """Let bytes that nobody wrote be inputs from now on, because they are copied; whole words where they stand."""
        if found.kind == ARGUMENTS:
            raise Unclear("the array of arguments of main is copied")
        if found.kind == TEXT:
            self._choose_bytes(found, offset, Chunk(size), span)
        if found.zeroed or size > COPIED:
            return
        at = offset
        while at < offset + size:
            word = 4 if at % 4 == 0 and at + 4 <= offset + size and found.is_unwritten(at, 4) else 1
            if word == 4 or found.byte_is_unwritten(at):
                type = Int(8 * word, False)
                found.write(at, word, self.choose(type, _unwritten(found, at), span))
            at += word

    def _choose_bytes(self, found: Object, offset: int, type: Any, span: Span) -> Any:
        size = bytes_of(type)
        if found.kind == ARGUMENTS:
            return argument_at(self, found, offset, type, span)
        if found.is_unwritten(offset, size) and found.kind != TEXT:
            value = self.choose(type, _unwritten(found, offset), span)
            found.write(offset, size, to_raw(value, type))
        else:
            for at in range(offset, offset + size):
                if found.byte(at) is None:
                    byte = self.choose(_BYTE, _unwritten(found, at), span)
                    refuse_end(found, byte)
                    found.write(at, 1, byte)
        return None if isinstance(type, Chunk) else found.read(offset, size)

    def store(self, place: Any, type: Any, value: Any, span: Span, initial: bool = False) -> None:
        """Write a value of a type at an address."""
        found = self.usable(place, bytes_of(type), span)
        if not found.writable and not initial:
            self.refuse_write(found, span)
        self.write(place, type, value)

    def refuse_write(self, found: Object, span: Span) -> None:
        """Say that an object is written that must not change."""
        if found.kind == ARGUMENTS:
            raise Unclear("the array of arguments of main is changed")
        if found.kind == TEXT:
            found.writable = True
            return
        raise Fault(READ_ONLY, span, f"{describe(found)} is written, and it must not change")

    def write(self, place: Any, type: Any, value: Any) -> None:
        """Let a value of a type stand at an address that may be used."""
        found = self.objects[place[0]]
        if isinstance(type, Chunk):
            assert isinstance(value, Snapshot)
            found.restore(force(place[1]), value)
        else:
            found.write(place[1], bytes_of(type), to_raw(value, type))

    def part(self, base: int, part: Part) -> Any:
        """Return a part of an object for those who look at it; None where it is not written."""
        try:
            raw = self.objects[base].read(part.offset, bytes_of(part.type))
            return None if raw is None else from_raw(raw, part.type, NOWHERE)
        except (Unclear, Fault):
            return None


def to_raw(value: Any, type: Any) -> Any:
    """Return a value as it stands in memory."""
    if isinstance(value, int):
        return int(value) & (1 << 8 * bytes_of(type)) - 1
    if isinstance(value, float):
        return to_raw_float(value, type)
    if isinstance(value, Symbol):
        return raw_of(value, 8 * bytes_of(type))
    if isinstance(value, FloatSymbol):
        return value.raw
    if isinstance(value, Address) and value.base == 0:
        return value.offset & (1 << 8 * bytes_of(type)) - 1
    return value


def from_raw(raw: Any, type: Any, span: Span) -> Any:
    """Return what stands in memory as a value of a type."""
    if isinstance(raw, NotANumber):
        if not isinstance(type, Floating):
            raise Unclear(OPEN_BITS)
        return math.nan
    if isinstance(type, Addresses):
        if isinstance(raw, Fragment):
            raise Unclear("a part of a pointer is read as a pointer")
        raw = force(raw)
        return Address(0, raw) if isinstance(raw, int) else raw
    if isinstance(type, Floating):
        if isinstance(raw, Symbol):
            return FloatSymbol(raw.converted(Int(type.width, False)), type)
        raw = force(raw)
        if not isinstance(raw, int):
            raise Unclear("a pointer is read as a floating-point number")
        return from_bits(raw & (1 << type.width) - 1, type)
    if isinstance(raw, Symbol) and isinstance(type, Bool):
        if raw > 1:
            raise Fault(BOOLEAN, span)
        return raw.is_true()
    if isinstance(raw, Unknown):
        raw = raw.force() if isinstance(type, Bool) else to_type(raw, type)
    if not isinstance(raw, int):
        return raw
    if isinstance(type, Bool):
        if raw > 1:
            raise Fault(BOOLEAN, span)
        return bool(raw)
    return type.wrap(raw)


def describe(found: Object) -> str:
    """Return what an object is called."""
    return (
        f"'{found.name}' ({found.size} bytes)"
        if found.kind in (GLOBAL, LOCAL)
        else f"{found.name} ({found.size} bytes)"
    )


def _unwritten(found: Object, offset: Any) -> str:
    """Return where an input comes from that nobody wrote: the object, and after commas the byte and why."""
    return f"{found.name}, {offset if isinstance(offset, int) else 'some byte'}, not written before"
