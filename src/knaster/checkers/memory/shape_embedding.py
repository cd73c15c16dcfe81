"""Whether a shape stands for all states of another one: a map of its objects to nodes, lists to segments.

Every value of the special shape is paired with the one in the same place of the general one, and objects
follow.  An object is the image of one place alone; a segment stands for a chain of objects that lead to each other at
its link, of which nothing else leads to any but the first.  Where a chain may end in two ways, both are tried.
"""

from __future__ import annotations

from typing import Any

from knaster.program.memory import Address
from knaster.program.types import Bool, Int
from knaster.semantics.memory.shapes.shape import FrameShape, Node, Range, Shape

Pair = tuple[str, Any, Any]
VALUE, CHAIN = "value", "chain"


def stands_for(general: Shape, special: Shape, types: dict[str, Any], statics: int) -> bool:
    """Tell whether every state of a shape is one of another; `types` are those of the variables."""
    if len(general.frames) != 1 or len(special.frames) != 1:
        return False
    pairs = _pairs_of_frames(general.top, special.top, types)
    if pairs is None:
        return False
    general_nodes, special_nodes = dict(general.nodes), dict(special.nodes)
    own = [base for base in general_nodes if base <= statics]
    if own != [base for base in special_nodes if base <= statics]:
        return False
    pairs += [(VALUE, Address(base, 0), Address(base, 0)) for base in own]  # taken first: they stand for themselves
    return _Search(general_nodes, special_nodes).is_possible(pairs, {}, {})


def _pairs_of_frames(general: FrameShape, special: FrameShape, types: dict[str, Any]) -> list[Pair] | None:
    """Return the values that must fit each other; None where activations differ."""
    if (general.procedure, general.location) != (special.procedure, special.location):
        return None
    if not set(special.forgotten) <= set(general.forgotten):
        return None
    known, mine = dict(general.registers), dict(special.registers)
    forgotten = set(general.forgotten)
    if not known.keys() <= mine.keys() or known.keys() & forgotten:
        return None
    pairs: list[Pair] = []
    for name, value in mine.items():
        if name in known:
            pairs.append((VALUE, known[name], value))
        elif name not in forgotten and not (_is_number(value) and isinstance(types.get(name), Int | Bool)):
            return None
    if [name for name, _ in general.objects] != [name for name, _ in special.objects]:
        return None
    if len(general.owned) != len(special.owned) or len(general.results) != len(special.results):
        return None
    bases = zip([base for _, base in general.objects], [base for _, base in special.objects], strict=True)
    pairs += [(VALUE, Address(one, 0), Address(other, 0)) for one, other in bases]
    owned = zip(general.owned, special.owned, strict=True)
    pairs += [(VALUE, Address(one, 0), Address(other, 0)) for one, other in owned]
    pairs += [(VALUE, one, other) for one, other in zip(general.results, special.results, strict=True)]
    return pairs


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Range)


class _Search:
    """A search for a map."""

    def __init__(self, general: dict[int, Node], special: dict[int, Node]) -> None:
        self.general, self.special = general, special

    def is_possible(self, todo: list[Pair], image: dict[int, int], origin: dict[int, int]) -> bool:
        """Tell whether pairs fit each other; `image` maps objects to nodes, `origin` nodes to (first) objects."""
        todo = list(todo)
        while todo:
            what, one, other = todo.pop()
            if what == CHAIN:
                return self._chain(one, other, todo, image, origin)
            if not isinstance(one, Address):
                if not _covers(one, other):
                    return False
                continue
            if not isinstance(other, Address) or one.offset != other.offset:
                return False
            if one.base not in self.general:
                if one.base != other.base or other.base in self.special:
                    return False
                continue
            if one.base in origin or other.base in image:
                if origin.get(one.base) != other.base:
                    return False
                continue
            more = self._pair_nodes(one.base, other.base)
            if more is None:
                return False
            image[other.base], origin[one.base] = one.base, other.base
            todo = [*more, *todo]
        return True

    def _pair_nodes(self, one: int, other: int) -> list[Pair] | None:
        """Return what must fit where a node stands for an object, or for a chain that begins with it."""
        general, special = self.general[one], self.special.get(other)
        if special is None or general[:6] != special[:6]:  # all but cells and link
            return None
        if general.is_segment:
            return [(CHAIN, one, other)] if _may_be_listed(general, special) else None
        return None if special.is_segment else _pair_cells(general, special)

    def _chain(self, one: int, other: int, todo: list[Pair], image: dict[int, int], origin: dict[int, int]) -> bool:
        """Tell whether a segment may stand for a chain that has come to an object."""
        general, special = self.general[one], self.special[other]
        cells = _pair_cells(_without_link(general, general.link), _without_link(special, general.link))
        if cells is None or (special.is_segment and special.link != general.link):
            return False
        last, next = _cell_at(general, general.link), _cell_at(special, general.link)
        if last is None or next is None or last[1] != next[1]:
            return False
        if self.is_possible([*todo, *cells, (VALUE, last[2], next[2])], dict(image), dict(origin)):
            return True
        goes_on = isinstance(next[2], Address) and next[2].offset == 0 and next[2].base in self.special
        if not goes_on or next[2].base in image:
            return False
        further = self.special[next[2].base]
        if general[:6] != further[:6] or not _may_be_listed(general, further):
            return False
        inside = {**image, next[2].base: -one}  # nothing else may lead to it
        return self.is_possible([(CHAIN, one, next[2].base), *todo, *cells], inside, dict(origin))


def _may_be_listed(general: Node, special: Node) -> bool:
    return special.alive and special.kind == "heap" and general.link >= 0


def _without_link(node: Node, link: int) -> Node:
    return node._replace(cells=tuple([cell for cell in node.cells if cell[0] != link]))


def _cell_at(node: Node, offset: int) -> tuple[int, int, Any] | None:
    return next((cell for cell in node.cells if cell[0] == offset), None)


def _pair_cells(general: Node, special: Node) -> list[Pair] | None:
    """Return the values of the cells of two nodes that must fit each other; None where cells differ."""
    known = {(at, size): value for at, size, value in general.cells}
    mine = {(at, size): value for at, size, value in special.cells}
    if not mine.keys() <= known.keys():
        return None
    if any(known[cell] is not None for cell in known.keys() - mine.keys()):
        return None
    return [(VALUE, known[cell], value) for cell, value in mine.items()]


def _covers(general: Any, special: Any) -> bool:
    """Tell whether a number, a range, or any number stands for another."""
    if general is None:
        return special is None or _is_number(special)
    if isinstance(general, Range):
        low, high = special if isinstance(special, Range) else (special, special)
        return isinstance(low, int) and isinstance(high, int) and general.low <= low and high <= general.high
    return isinstance(special, int) and special == general and not isinstance(special, Range)
