"""A machine that begins in any state of a shape, and what it is where it stops, as a shape again.

It is the machine of all runs; only what a shape leaves open is different.  Who looks into a segment is told to `Unfold`
it first; who reads a variable of which nothing is known has no proof (`Unfit`); a `Range` is an input that is not
chosen yet.
"""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison
from knaster.program.memory import Address, Addresses, Fragment, Snapshot
from knaster.program.types import Bool, Int
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import BOOLEAN, LEAK, LOST, Fault
from knaster.semantics.memory.machine import Frame, Machine, Strict
from knaster.semantics.memory.objects import ELSEWHERE, HEAP, Object
from knaster.semantics.memory.shapes.shape import FrameShape, Node, Range, Shape, Unfit, tidy
from knaster.semantics.memory.unknown import LateInputs, Unknown

MOST_CELLS = 4096  # of an object


class Unfold(Exception):
    """A step looks into a segment."""

    def __init__(self, base: int) -> None:
        self.base = base
        super().__init__(base)


class _Heap(dict[int, Object]):
    """Objects by their numbers; nobody looks into a segment."""

    def __init__(self, objects: dict[int, Object]) -> None:
        super().__init__(objects)
        self.segments: dict[int, Node] = {}

    def __getitem__(self, base: int) -> Object:
        if base in self.segments:
            raise Unfold(base)
        return super().__getitem__(base)

    def get(self, base: int, otherwise: Any = None) -> Any:
        """Return an object, or something else where there is none."""
        if base in self.segments:
            raise Unfold(base)
        return super().get(base, otherwise)


class _OpenObject(Object):
    """An object of which some bytes may be any number; who copies them as they are has no proof."""

    def snapshot(self, offset: int, size: int) -> Snapshot:
        """Return what stands there, as it is now."""
        if not self.zeroed and any(raw is None for _, raw in self.cells.values()):
            raise Unfit("an object is copied that is not known")
        return super().snapshot(offset, size)


class SleepingMachine(Machine):
    """A machine that can be put into any state of a shape, again and again."""

    def __init__(self, codes: Codes, inputs: LateInputs, strict: Strict) -> None:
        if strict & {LEAK, LOST}:
            raise Unfit("what is left in the heap is not seen by shapes")
        super().__init__(codes, inputs, strict)
        self.late = inputs
        self.statics = len(self.layout.objects)
        self.heap = self.objects = _Heap(self.objects)
        self.forgotten: list[frozenset[str]] = [frozenset()]
        self._known = dict(self.globals)
        self._constant = {base: found for base, found in self.objects.items() if not found.writable and found.zeroed}

    def wake(self, shape: Shape) -> None:
        """Stand in any state of a shape."""
        self.heap = _Heap(self._constant)
        self.objects, self.globals = self.heap, dict(self._known)
        self.lapses, self.answers = {}, {}
        self.allocated = self.statics
        for base, node in shape.nodes:
            self.allocated = max(base, self.allocated)
            if node.is_segment:
                self.heap.segments[base] = node
            else:
                self.heap[base] = self._object(node)
        self.frames = [self._frame(frame) for frame in shape.frames]
        self.forgotten = [frozenset(frame.forgotten) for frame in shape.frames]

    def _object(self, node: Node) -> Object:
        name = node.name or "an object of the heap"
        found = _OpenObject(name, node.size, node.kind, node.zeroed, node.writable, node.alive)
        found.cells = {at: (size, self._value(value)) for at, size, value in node.cells}
        return found

    def _frame(self, frame: FrameShape) -> Frame:
        registers = {name: self._value(value) for name, value in frame.registers}
        results = tuple(map(self._value, frame.results))
        made = Frame(self.codes.code(frame.procedure), frame.location, registers, frame.targets, frame.after)
        made.objects, made.results, made.owned = dict(frame.objects), results, list(frame.owned)
        return made

    def _value(self, value: Any) -> Any:
        return self.late.any_value(value.low, value.high) if isinstance(value, Range) else value

    def leave(self) -> None:
        """End an activation."""
        super().leave()
        del self.forgotten[len(self.frames) :]

    def choose_variable(self, frame: Frame, name: str) -> Any:
        """Return the value of a variable that nobody has set, unless it was forgotten."""
        for own, forgotten in zip(self.frames, self.forgotten, strict=False):
            if own is frame and name in forgotten:
                raise Unfit(f"'{name}' is read, and nothing is known of it")
        return super().choose_variable(frame, name)

    def _choose_bytes(self, found: Object, offset: int, type: Any, span: Span) -> Any:
        if isinstance(type, Addresses) and _is_any(found, offset, type.size):
            raise Unfit("a number that is not known is read as a pointer")
        if isinstance(type, Bool) and _is_any(found, offset, 1):
            number = self.late.any_value(0, 255)
            if number.compare(Comparison.GREATER, 1):
                raise Fault(BOOLEAN, span)
            found.write(offset, 1, number.force())
            return found.read(offset, 1)
        return super()._choose_bytes(found, offset, type, span)

    # What it is, as a shape

    def shape(self) -> Shape:
        """Return the shape of the state in which it stands."""
        if self.answers:
            raise Unfit("a function of the library remembers what it said")
        while len(self.forgotten) < len(self.frames):  # mutant(<): one more that is empty changes nothing
            self.forgotten.append(frozenset())
        frames = [self._frame_shape(frame, known) for frame, known in zip(self.frames, self.forgotten, strict=False)]
        nodes = dict(self.heap.segments)
        for base, found in dict.items(self.heap):
            if base not in self._constant:
                nodes[base] = self._node(found)
        return tidy(Shape(tuple(frames), tuple(nodes.items())), self.statics)

    def _node(self, found: Object) -> Node:
        if found.kind == ELSEWHERE or not isinstance(found.size, int):
            raise Unfit("an object has a size that depends on inputs, or is defined elsewhere")
        if found.log is not None or len(found.cells) > MOST_CELLS:
            raise Unfit("an object is too large, or is written where inputs say")
        cells = []
        for at, (size, raw) in sorted(found.cells.items()):
            value = self._abstract(raw)
            cells.append((at, size, None if isinstance(value, Range) else value))
        name = "" if found.kind == HEAP else found.name
        return Node(found.size, found.kind, name, found.zeroed, found.writable, found.alive, tuple(cells))

    def _frame_shape(self, frame: Frame, forgotten: frozenset[str]) -> FrameShape:
        if frame.extra:
            raise Unfit(f"'{frame.code.procedure.name}' takes arguments without names")
        registers = []
        for name, value in sorted(frame.registers.items()):
            seen = self._abstract(value)
            if not self._is_any(seen, frame.code.types.get(name, _BOOL)):
                registers.append((name, seen))
        return FrameShape(
            frame.code.procedure.name,
            frame.location,
            tuple(registers),
            tuple(sorted(frame.objects.items())),
            tuple(frame.owned),
            tuple(map(self._abstract, frame.results)),
            tuple(sorted(forgotten - frame.registers.keys())),
            frame.targets,
            frame.after,
        )

    def _is_any(self, value: Any, type: Any) -> bool:
        return isinstance(value, Range) and isinstance(type, Int) and value == (type.low, type.high)

    def _abstract(self, value: Any) -> Any:
        if value is None or isinstance(value, int):
            return value
        if isinstance(value, Address):
            if value.offset.__class__ is not int:
                raise Unfit("a pointer depends on inputs")
            return value
        if isinstance(value, Unknown) and not value.symbolic:
            low, high = value.bounds
            return low if low == high else Range(low, high)
        kinds = {Snapshot: "a struct", Fragment: "a part of a pointer", float: "a floating-point number"}
        raise Unfit(f"{kinds.get(value.__class__, 'a value')} is kept in a variable")


def _is_any(found: Object, offset: int, size: int) -> bool:
    """Tell whether some of these bytes may be those of any number."""
    cells = [(at, length) for at, (length, raw) in found.cells.items() if raw is None]
    return any(at < offset + size and offset < at + length for at, length in cells)


_BOOL = Bool()
__all__ = ["SleepingMachine", "Unfold"]
