"""The machine in any state of a shape: what the shape leaves open is an input, or is not read.

Who looks into a segment is told to take its two cases (`Look`); who reads what nothing is known of has no proof.
"""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType
from typing import Any

from knaster_check.memory.codes import Codes
from knaster_check.memory.faults import Place, Undefined
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.machine import Frame, Machine, Note
from knaster_check.memory.objects import Object, to_bytes
from knaster_check.memory.shapes.shape import ANY, Activation, Node, Range, Shape
from knaster_check.memory.values import Address, size_of
from knaster_check.program import Layout, Type
from knaster_check.refused import Unsupported

_BYTE: Type = ("int", 8, False)


class Look(Exception):
    """A step looks into a segment."""

    def __init__(self, base: int) -> None:
        self.base = base
        super().__init__(base)


class _Objects(dict[int, Object]):
    """Objects by their numbers; nobody looks into a segment."""

    def __init__(self, objects: dict[int, Object]) -> None:
        super().__init__(objects)
        self.segments: dict[int, Node] = {}

    def __missing__(self, base: int) -> Object:
        if base in self.segments:
            raise Look(base)
        raise Unsupported("a pointer leads to an object that no shape has")

    def get(self, base: int, otherwise: Any = None) -> Any:
        """Return an object, or something else where there is none."""
        return self[base] if base in self or base in self.segments else otherwise


class _Variables(dict[str, Any]):
    """Variables by their names; nobody asks for one of which nothing is known."""

    def __init__(self, values: dict[str, Any], forgotten: Collection[str]) -> None:
        super().__init__(values)
        self.forgotten = forgotten

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        if name in self.forgotten:
            raise Unsupported(f"'{name}' is read, and nothing is known of it")
        return False


def changing(layout: Layout) -> frozenset[int]:
    """Return the numbers of the program's own objects that may change, or whose bytes are inputs."""
    own = enumerate(layout.objects, 1)
    return frozenset(base for base, declared in own if declared.writable or declared.unknown)


class OpenMachine(Machine):
    """A machine that is put into states of shapes, again and again."""

    objects: dict[int, Object]

    def __init__(self, codes: Codes, inputs: Inputs, note: Note) -> None:
        self.made = 0  # numbers of objects
        super().__init__(codes, inputs, note)
        self.statics = len(codes.layout.objects)
        self._constants = {base: self.objects[base] for base in self.objects.keys() - changing(codes.layout)}
        for found in self._constants.values():
            found.bytes = MappingProxyType(found.bytes)  # type: ignore[assignment]  # whoever writes it stumbles
        self.objects = _Objects(self.objects)

    def allocate(self, size: int, kind: str, zeroed: bool = False, writable: bool = True) -> Address:
        """Return the address of a new object."""
        self.made += 1
        self.objects[self.made] = Object(size, kind, zeroed, writable)
        return Address(self.made, 0)

    def address_of(self, frame: Frame, name: str) -> Address:
        """Return the address of what a name stands for here."""
        if name not in frame.objects and name not in frame.code.sizes and name not in self.globals:
            raise Unsupported(f"'{name}' is a function that nobody defines")
        return super().address_of(frame, name)

    # From a shape

    def wake(self, shape: Shape, inputs: Inputs) -> None:
        """Stand in any state of a shape."""
        self.inputs, self.answers = inputs, {}
        self.objects = objects = _Objects(self._constants)
        for base, node in shape.nodes.items():
            if node.link is None:
                found = objects[base] = Object(node.size, node.kind, node.unwritten == 0, node.writable)
                found.alive, found.bytes = node.alive, dict(node.bytes)
            else:
                objects.segments[base] = node
        self.made = max((self.statics, *shape.nodes))
        self.frames = [self._frame(frame) for frame in shape.frames]

    def _frame(self, frame: Activation) -> Frame:
        values = {name: self._value(value) for name, value in sorted(frame.values.items())}
        own = Frame(self.codes.code(frame.procedure), _Variables(values, frame.forgotten), frame.targets, frame.after)
        own.location, own.objects, own.owned = frame.location, dict(frame.objects), list(frame.owned)
        own.results = tuple(map(self._value, frame.results))
        return own

    def _value(self, value: Any) -> Any:
        return self.inputs.between(*value) if isinstance(value, Range) else value

    def load(self, where: Any, type: Type, place: Place) -> Any:
        """Return the value of a type that stands at an address; of any number it is chosen now which one it is."""
        size = size_of(type)
        found, offset = self.usable(where, size, place), where[1]
        if type[0] != "bytes" and any(byte is ANY for byte in found.get(offset, size)):
            self._choose_number(found, offset, type, place)
        return super().load(where, type, place)

    def _choose_number(self, found: Object, offset: int, type: Type, place: Place) -> None:
        """Let bytes that may be any be those of some number."""
        if type[0] not in ("int", "bool"):
            raise Unsupported(f"any number is read as one of the type '{type[0]}'", f"line {place[0]}")
        if type[0] == "int" and all(byte is ANY for byte in found.get(offset, size_of(type))):
            self.write(found, offset, type, self.inputs.choose(type))
        for at in range(offset, offset + size_of(type)):
            if found.get(at, 1) == [ANY]:
                byte = self.inputs.choose(_BYTE)
                found.put(at, to_bytes(byte, 1))
                if type[0] == "bool" and self.inputs.compare(">", byte, 1):
                    raise Undefined("boolean", place)

    # To a shape

    def shape(self) -> Shape:
        """Return the state in which it stands as a shape; numbers follow inputs as they do here."""
        if self.answers:
            raise Unsupported("a function of the library remembers what it has said")
        assert isinstance(self.objects, _Objects)
        nodes = dict(self.objects.segments)
        for base, found in self.objects.items():
            if base not in self._constants:
                own = found.unwritten, found.writable, found.alive, dict(found.bytes)
                nodes[base] = Node(found.size, found.kind, *own)
        return Shape(tuple(map(_activation, self.frames)), nodes)


def _activation(frame: Frame) -> Activation:
    if frame.further:
        raise Unsupported("shapes have no arguments without names")
    values = frame.values
    forgotten = frozenset(values.forgotten) - values.keys() if isinstance(values, _Variables) else frozenset()
    own = dict(values), dict(frame.objects), tuple(frame.owned), frame.results, forgotten
    return Activation(frame.code.procedure.name, frame.location, *own, frame.targets, frame.after)
