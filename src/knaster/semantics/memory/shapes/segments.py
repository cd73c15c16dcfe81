"""What a segment of a list stands for: one object, or one object before a segment of the same kind."""

from __future__ import annotations

from knaster.program.memory import Address
from knaster.semantics.memory.shapes.shape import SINGLE, Shape


def unfold(shape: Shape, base: int) -> tuple[Shape, Shape]:
    """Return the two shapes that together are a shape with a segment, whose first object is a node of its own there."""
    nodes = dict(shape.nodes)
    segment = nodes[base]
    alone = segment._replace(link=SINGLE)
    rest = max(nodes) + 1
    cells = [
        (at, size, Address(rest, 0) if at == segment.link else value) for at, size, value in segment.cells
    ]  # others hold for each of its objects
    before = alone._replace(cells=tuple(cells))
    one = {**nodes, base: alone}
    several = {**nodes, base: before, rest: segment}
    return shape._replace(nodes=tuple(sorted(one.items()))), shape._replace(nodes=tuple(sorted(several.items())))
