"""What a shape is: a graph of objects that stands for all states of a program with memory that look like it.

After J. Berdine, C. Calcagno, B. Cook, D. Distefano, P. O'Hearn, T. Wies, H. Yang, Shape Analysis for Composite Data
Structures (CAV 2007), and K. Dudka, P. Peringer, T. Vojnar, Byte-Precise Verification of Low-Level List Manipulation
(SAS 2013): a node is one object, or a *segment*, one or more objects of the heap of one size, each of which
leads to the start of the next one by the pointer at the offset `link`; that of the last one is what the node says.
Pointers to a segment lead into its first object.  Different nodes are different objects, and what no node stands for is
garbage, to which nothing leads.

A value is a number, a `Range` of numbers, an `Address` whose base is a node (0 and below as ever), or in a cell
None: any number, or bytes that nobody wrote.  A cell that is not mentioned was not written; a variable that is not
mentioned may have any value that an input of its type may have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.program.memory import Address
from knaster.program.model import Location

SINGLE = -1  # the link of what is no segment
Named = tuple[tuple[str, Any], ...]  # by name, sorted


class Unfit(Exception):
    """A state has something that shapes have not."""


class Range(NamedTuple):
    """A number between two others."""

    low: int
    high: int


class Node(NamedTuple):
    """One object, or a segment of a list; `cells` are offset, size and value, sorted."""

    size: int
    kind: str
    name: str
    zeroed: bool
    writable: bool
    alive: bool
    cells: tuple[tuple[int, int, Any], ...]
    link: int = SINGLE

    @property
    def is_segment(self) -> bool:
        """Whether it may be several objects."""
        return self.link != SINGLE


class FrameShape(NamedTuple):
    """An activation: `forgotten` are variables of which nothing is known, and which nobody may read."""

    procedure: str
    location: Location
    registers: Named
    objects: Named = ()
    owned: tuple[int, ...] = ()
    results: tuple[Any, ...] = ()
    forgotten: tuple[str, ...] = ()
    targets: tuple[str | None, ...] = ()
    after: Location = 0


class Shape(NamedTuple):
    """Activations, and nodes by their numbers; those of the program's own objects are the same in all shapes."""

    frames: tuple[FrameShape, ...]
    nodes: tuple[tuple[int, Node], ...]

    @property
    def top(self) -> FrameShape:
        """The activation that runs."""
        return self.frames[-1]


def roots_of(frame: FrameShape) -> Iterator[Any]:
    """Yield the values of an activation, in one order; its objects as addresses."""
    for _, value in frame.registers:
        yield value
    for _, base in frame.objects:
        yield Address(base, 0)
    for base in frame.owned:
        yield Address(base, 0)
    yield from frame.results


def bases_in(values: Iterator[Any]) -> Iterator[int]:
    """Yield the nodes that values lead to."""
    for value in values:
        if isinstance(value, Address) and value.base > 0:
            yield value.base


def cells_of(node: Node) -> Iterator[Any]:
    """Yield the values of the cells of a node."""
    for _, _, value in node.cells:
        yield value


def reach(nodes: dict[int, Node], first: Iterator[int]) -> list[int]:
    """Return the nodes that some lead to, in the order of the walk, breadth first."""
    found = dict.fromkeys(base for base in first if base in nodes)
    order = list(found)
    for base in order:  # grows while it is walked
        for other in bases_in(cells_of(nodes[base])):
            if other in nodes and other not in found:
                found[other] = None
                order.append(other)
    return order


def renamed(value: Any, names: dict[int, int]) -> Any:
    """Return a value in which nodes have other numbers."""
    if isinstance(value, Address) and value.base in names:
        return Address(names[value.base], value.offset)
    return value


def rename_node(node: Node, names: dict[int, int]) -> Node:
    """Return a node whose cells lead to nodes with other numbers."""
    return node._replace(cells=tuple([(at, size, renamed(value, names)) for at, size, value in node.cells]))


def rename_frame(frame: FrameShape, names: dict[int, int]) -> FrameShape:
    """Return an activation whose values lead to nodes with other numbers."""
    return frame._replace(
        registers=tuple([(name, renamed(value, names)) for name, value in frame.registers]),
        objects=tuple([(name, names.get(base, base)) for name, base in frame.objects]),
        owned=tuple([names.get(base, base) for base in frame.owned]),
        results=tuple([renamed(value, names) for value in frame.results]),
    )


def tidy(shape: Shape, statics: int) -> Shape:
    """Return a shape without garbage, whose nodes have the numbers of the walk from its activations."""
    nodes = dict(shape.nodes)
    first = [base for frame in shape.frames for base in bases_in(roots_of(frame))]
    first += [base for base, _ in shape.nodes if base <= statics]
    order = reach(nodes, iter(first))
    own = [base for base in order if base > statics]
    names = {base: number for number, base in enumerate(own, statics + 1)}
    kept = [(names.get(base, base), rename_node(nodes[base], names)) for base in order]
    return Shape(tuple([rename_frame(frame, names) for frame in shape.frames]), tuple(sorted(kept)))
