"""Shapes as the kernel has them, written down briefly for tests: lists in the heap, and one activation of `main`."""

from __future__ import annotations

from typing import Any

from knaster_check.memory.inputs import Inputs
from knaster_check.memory.objects import HEAP, to_bytes
from knaster_check.memory.shapes.shape import ANY, Activation, Node, Shape
from knaster_check.memory.values import Address, Following

POINTER = 8
LINK = 8  # where lists are linked


def cell(next: Any, data: Any = ANY, link: int | None = None, **more: Any) -> Node:
    """Return an object with a number at 0 and a pointer at 8, to the start of another node or null (0)."""
    value = next if isinstance(next, Address) else Address(next, 0)
    number = [data] * 4 if data is ANY or data is None else to_bytes(data, 4)
    bytes = {**dict(enumerate(number)), **dict(enumerate(to_bytes(value, POINTER), LINK))}
    plain = Node(16, HEAP, None, True, True, {at: byte for at, byte in bytes.items() if byte is not None}, link)
    return plain._replace(**more)


def dead() -> Node:
    """Return an object that has ended."""
    return cell(0, alive=False, bytes={})


def segment(next: Any, data: Any = ANY, **more: Any) -> Node:
    """Return a segment of a list."""
    return cell(next, data, LINK, **more)


def frame(values: dict[str, Any] | None = None, procedure: str = "main", location: int = 0, **more: Any) -> Activation:
    """Return an activation; pointers of variables whose names begin with p to t are numbers of nodes, 0 for null."""
    known = {
        name: Address(at, 0) if name[0] in "pqrst^" and type(at) is int else at for name, at in (values or {}).items()
    }
    return Activation(procedure, location, known, {}, (), (), frozenset())._replace(**more)


def shape(values: dict[str, Any], *nodes: Node, **more: Any) -> Shape:
    """Return a shape of one activation, whose nodes are numbered from 1."""
    return Shape((frame(values, **more),), dict(enumerate(nodes, 1)))


def following(low: int, high: int, inputs: Inputs | None = None, sign: int = 1) -> Following:
    """Return a number that follows an input of some interval; it is the lowest one, with the sign -1 the highest."""
    value = (inputs or Inputs()).between(low, high)
    return value if sign > 0 else Following(high, value.number, -1)
