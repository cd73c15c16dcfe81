"""Makes segments of lists: an object and the next one become one segment where nothing else leads to the next.

What is lost is how long the list is, and numbers in which objects differ.  Variables that nobody reads any more are
forgotten first, and numbers of which many were seen may be any.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from knaster.program.memory import Address
from knaster.program.types import Int
from knaster.semantics.memory.objects import HEAP
from knaster.semantics.memory.shapes.shape import Node, Shape, bases_in, cells_of, roots_of, tidy

TOLD_APART = 6  # values of a variable or a cell

Cells = tuple[tuple[int, int, Any], ...]


def fold(shape: Shape, statics: int) -> Shape:
    """Return a shape whose lists are segments."""
    nodes = dict(shape.nodes)
    while (pair := _next_pair(shape, nodes)) is not None:
        first, second, folded = pair
        nodes[first] = folded
        del nodes[second]
    return tidy(shape._replace(nodes=tuple(nodes.items())), statics)


def _next_pair(shape: Shape, nodes: dict[int, Node]) -> tuple[int, int, Node] | None:
    """Return two nodes that become one, and what they become."""
    led: Counter[int] = Counter()
    for frame in shape.frames:
        led.update(bases_in(roots_of(frame)))
    for node in nodes.values():
        led.update(bases_in(cells_of(node)))
    for base in sorted(nodes):
        node = nodes[base]
        for at, _, value in node.cells:
            if isinstance(value, Address) and value.offset == 0 and value.base != base and led[value.base] == 1:
                folded = _join(node, nodes[value.base], at) if value.base in nodes else None
                if folded is not None:
                    return base, value.base, folded
    return None


def _join(first: Node, second: Node, link: int) -> Node | None:
    """Return the segment of two nodes, the first of which leads to the second at an offset; None where it is none."""
    alike = (first.size, first.zeroed, first.writable) == (second.size, second.zeroed, second.writable)
    if not (alike and first.kind == second.kind == HEAP and first.alive and second.alive):
        return None
    if any(node.is_segment and node.link != link for node in (first, second)):
        return None
    last = [cell for cell in second.cells if cell[0] == link]
    if not last or not isinstance(last[0][2], Address | int) or (link, last[0][1]) not in [c[:2] for c in first.cells]:
        return None
    others = join_cells(_without(first.cells, link), _without(second.cells, link))
    if others is None:
        return None
    return first._replace(cells=tuple(sorted((*others, last[0]), key=_offset)), link=link)


def _without(cells: Cells, link: int) -> Cells:
    return tuple([cell for cell in cells if cell[0] != link])


def _offset(cell: tuple[int, int, Any]) -> int:
    return cell[0]


def join_cells(one: Cells, other: Cells) -> Cells | None:
    """Return cells that stand for both; None where pointers differ, or where cells do not fit each other."""
    if one == other:
        return one
    if [cell[:2] for cell in one] != [cell[:2] for cell in other]:
        return None
    found = []
    for (at, size, first), (_, _, second) in zip(one, other, strict=True):
        if first != second and (isinstance(first, Address) or isinstance(second, Address)):
            return None
        found.append((at, size, first if first == second else None))
    return tuple(found)


class Forgetting:
    """Forgets what nobody reads, and numbers of which many were seen."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Any, ...], set[Any]] = {}

    def apply(self, shape: Shape, live: frozenset[str], names: frozenset[str], types: dict[str, Any]) -> Shape:
        """Return a shape whose last activation knows its `live` variables alone, of the `names` that it has."""
        frame = shape.top
        place = frame.procedure, frame.location
        registers = tuple(
            [
                (name, value)
                for name, value in frame.registers
                if (name in live or name not in names)
                and not (isinstance(types.get(name), Int) and self._is_one_of_many((*place, name), value))
            ]
        )
        known = frame._replace(registers=registers, forgotten=tuple(sorted(names - live)))
        nodes = tuple([(base, self._forget_numbers(node)) for base, node in shape.nodes])
        return Shape((*shape.frames[:-1], known), nodes)

    def _forget_numbers(self, node: Node) -> Node:
        place = node.kind, node.name, node.size
        cells = [
            (at, size, None if self._is_one_of_many((*place, at), value) else value) for at, size, value in node.cells
        ]
        return node._replace(cells=tuple(cells))

    def _is_one_of_many(self, place: tuple[Any, ...], value: Any) -> bool:
        if isinstance(value, Address) or value is None or isinstance(value, bool):
            return False
        seen = self._seen.setdefault(place, set())
        if len(seen) <= TOLD_APART:
            seen.add(value)
        return len(seen) > TOLD_APART and value != 0
