"""Shapes written down briefly for tests: lists in the heap, and one activation of `main`."""

from __future__ import annotations

from typing import Any

from knaster.program.memory import Address
from knaster.semantics.memory.shapes.shape import SINGLE, FrameShape, Node, Shape


def cell(next: Any, data: Any = None, link: int = SINGLE, alive: bool = True) -> Node:
    """Return an object with a number at 0 and a pointer at 8, to the start of another node or null (0)."""
    value = next if isinstance(next, Address) else Address(next, 0) if next else 0
    cells = ((0, 4, data), (8, 8, value)) if alive else ()
    return Node(16, "heap", "", False, True, alive, cells, link)


def segment(next: Any, data: Any = None) -> Node:
    """Return a segment of a list."""
    return cell(next, data, 8)


def shape(registers: dict[str, Any], *nodes: Node, **more: Any) -> Shape:
    """Return a shape; pointers of variables are numbers of nodes (from 1), 0 for null, or values as they are."""
    values = [(name, Address(at, 0) if type(at) is int else at) for name, at in sorted(registers.items())]
    return Shape((FrameShape("main", 0, tuple(values), **more),), tuple(enumerate(nodes, 1)))
