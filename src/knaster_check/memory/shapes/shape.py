"""What a shape stands for: all states of a program with memory that look like it.

A shape has activations and *nodes*.  A node is one object; or a *segment*: one or more living objects of the heap of
one size, each of which leads to the start of the next one by the pointer at `link`, and the last one to what the node
says there.  What the node says of other bytes holds for each of them.  A pointer to a segment leads to its first
object, and nothing outside of a segment leads to the others.  Different nodes are different objects.

Nodes 1, 2, ... are the program's own objects, the same in all shapes; those that never change have no node.  A variable
has a value, or a number of a `Range`; or it is `forgotten`: it may be anything, and nobody may read it; any other one
has a value that an input of its type may have.  A byte is one as in memory (`objects`), or `ANY`: part of some number,
or not written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from knaster_check.memory.machine import Targets
from knaster_check.memory.objects import to_bytes
from knaster_check.memory.values import Address, Following, Piece
from knaster_check.refused import Unsupported


class Range(NamedTuple):
    """A number between two others."""

    low: int
    high: int


class AnyByte:
    """A byte of a number, whichever; or one that nobody wrote."""


ANY = AnyByte()


class Node(NamedTuple):
    """One object; or a segment, whose objects lead to each other by the pointer at `link`."""

    size: int
    kind: str
    unwritten: int | None
    writable: bool
    alive: bool
    bytes: Mapping[int, Any]
    link: int | None = None

    def byte(self, at: int) -> Any:
        """Return a byte."""
        return self.bytes.get(at, self.unwritten)

    def is_like(self, other: Node) -> bool:
        """Tell whether another node is the same but for its bytes, and for how many objects it may be."""
        return self[:5] == other[:5]


class Activation(NamedTuple):
    """An activation: where it stands, what is known of its variables, its objects and results."""

    procedure: str
    location: int
    values: Mapping[str, Any]
    objects: Mapping[str, int]
    owned: tuple[int, ...]
    results: tuple[Any, ...]
    forgotten: frozenset[str]
    targets: Targets = ()
    after: int = 0

    def bases(self) -> Iterator[int]:
        """Yield the objects to which it leads, in one order."""
        yield from bases_in(value for _, value in sorted(self.values.items()))
        yield from (base for _, base in sorted(self.objects.items()))
        yield from self.owned
        yield from bases_in(self.results)


class Shape(NamedTuple):
    """Activations, the last of which runs, and nodes by their numbers."""

    frames: tuple[Activation, ...]
    nodes: Mapping[int, Node]


def bases_in(values: Iterable[Any]) -> Iterator[int]:
    """Yield the objects to which values or bytes lead."""
    for value in values:
        whole = value.whole if isinstance(value, Piece) else value
        if isinstance(whole, Address):
            if whole.base > 0:
                yield whole.base
        elif whole is not None and not isinstance(whole, int | Following | Range | AnyByte):
            raise Unsupported("shapes have no structs, floating-point numbers or parts of pointers in variables")


def reach(nodes: Mapping[int, Node], first: Iterable[int]) -> list[int]:
    """Return the nodes to which a way leads from some, breadth first."""
    order = [base for base in dict.fromkeys(first) if base in nodes]
    found = set(order)
    for base in order:  # it grows
        bytes = nodes[base].bytes
        for other in bases_in(bytes[at] for at in sorted(bytes)):
            if other in nodes and other not in found:
                found.add(other)
                order.append(other)
    return order


def renamed(value: Any, names: Mapping[int, int]) -> Any:
    """Return a value or a byte in which objects have other numbers."""
    if isinstance(value, Piece):
        return value._replace(whole=renamed(value.whole, names))
    if isinstance(value, Address) and value.base in names:
        return Address(names[value.base], value.offset)
    return value


def rename_node(node: Node, names: Mapping[int, int]) -> Node:
    """Return a node whose bytes lead to objects with other numbers."""
    return node._replace(bytes={at: renamed(byte, names) for at, byte in node.bytes.items()})


def rename_activation(frame: Activation, names: Mapping[int, int]) -> Activation:
    """Return an activation that leads to objects with other numbers."""
    return frame._replace(
        values={name: renamed(value, names) for name, value in frame.values.items()},
        objects={name: names.get(base, base) for name, base in frame.objects.items()},
        owned=tuple([names.get(base, base) for base in frame.owned]),
        results=tuple([renamed(value, names) for value in frame.results]),
    )


def unfold(shape: Shape, base: int, pointer: int) -> tuple[Shape, Shape]:
    """Return the two cases of a segment: it is one object, or its first one is followed by a segment."""
    segment = shape.nodes[base]
    assert segment.link is not None
    one = segment._replace(link=None)
    rest = max(shape.nodes) + 1
    lead = dict(enumerate(to_bytes(Address(rest, 0), pointer), segment.link))
    first = one._replace(bytes={**segment.bytes, **lead})
    return (
        shape._replace(nodes={**shape.nodes, base: one}),
        shape._replace(nodes={**shape.nodes, base: first, rest: segment}),
    )
