"""Initial values as a list of places inside an object and the nodes of what stands there.

Braces may be left out, designators name parts (C17 6.7.9); a text fills an array of characters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Member, Sequence, Structure, size_of
from knaster.frontends.c.names.types import Integer
from knaster.frontends.c.tree import nodes


class Piece(NamedTuple):
    """What stands somewhere in an object: its place in bits, a width where it is a bit-field, its type, its node."""

    offset: int
    width: int | None
    type: Any
    node: Any


Problem = Callable[[str, Any], Any]


def pieces(type: Any, node: Any, problem: Problem) -> list[Piece]:
    """Return the initial values of an object, in the order of the text; a later one wins."""
    reader = _Reader(problem)
    reader.read(Member("", type, 0), node)
    return reader.found


def initial_length(type: Sequence, node: Any, problem: Problem) -> int:
    """Return how many elements an array has whose length only its initial value tells."""
    if isinstance(node, nodes.Text):
        return len(node.codes) + 1
    reader = _Reader(problem)
    reader.read(Member("", Sequence(type.element, 1 << 40), 0), node)
    step = 8 * max(1, size_of(type.element))
    return max((piece.offset // step + 1 for piece in reader.found), default=0)


class _Reader:
    """Collects the pieces that an initialiser names."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.found: list[Piece] = []

    def read(self, at: Member, node: Any) -> None:
        """Read the initialiser of one object."""
        type = at.type
        if isinstance(type, Sequence) and _is_text(type, node):
            self.found.append(Piece(at.offset, None, type, _text(node)))
        elif isinstance(type, Sequence | Structure) and isinstance(node, nodes.Braces):
            rest = list(reversed(node.items))
            self.members(at, rest, braces=True)
            if rest:
                self.problem("there are more initial values than parts", rest[-1])
        elif isinstance(type, Sequence) and isinstance(node, memory.Literal):
            self.read(at, node.initial)
        else:
            while isinstance(node, nodes.Braces) and node.items:
                node = node.items[0].value
            if not isinstance(node, nodes.Braces):
                self.found.append(Piece(at.offset, at.width, type, node))

    def members(self, at: Member, rest: list[Any], braces: bool) -> None:
        """Take the initial values of the parts of an object from a list, the next one last."""
        position, count = 0, _count(at.type)
        while rest and (position < count or (braces and rest[-1].path)):
            item = rest[-1]
            if item.path:
                if not braces:
                    return
                place = self.designated(at, item)
                if place is None:
                    rest.pop()
                    continue
                position, inner = place
                if len(item.path) > 1:
                    rest[-1] = nodes.Item(item.path[1:], item.value, item.at)
                    self.designate(inner, rest)
                    position += 1
                    continue
                item = rest[-1] = nodes.Item((), item.value, item.at)
            else:
                inner = _part(at, position)
            position += 1
            aggregate = isinstance(inner.type, Sequence | Structure)
            value = item.value
            whole = isinstance(value, nodes.Braces | nodes.Text) or getattr(value, "type", None) == inner.type
            if aggregate and not whole:
                self.members(inner, rest, braces=False)  # braces may be left out
            else:
                rest.pop()
                self.read(inner, value)
            if isinstance(at.type, Structure) and at.type.union:
                position = count

    def designate(self, at: Member, rest: list[Any]) -> None:
        """Take one initial value of a part of a part."""
        place = self.designated(at, rest[-1])
        item = rest.pop()
        if place is None:
            return
        if len(item.path) > 1:
            rest.append(nodes.Item(item.path[1:], item.value, item.at))
            self.designate(place[1], rest)
        else:
            self.read(place[1], item.value)

    def designated(self, at: Member, item: Any) -> tuple[int, Member] | None:
        """Return the part that a designator names, and its number."""
        name = item.path[0]
        if isinstance(at.type, Sequence) and isinstance(name, int) and 0 <= name < _count(at.type):
            return name, _part(at, name)
        if isinstance(at.type, Structure) and isinstance(name, str):
            for number, member in enumerate(at.type.members):
                if member.name == name:
                    return number, _part(at, number)
                inner = None if member.name else self.designated(_part(at, number), item)
                if inner is not None and not member.name and isinstance(member.type, Structure):
                    return number, inner[1]
            return None
        self.problem("this initial value names no part", item)
        return None


def _is_text(type: Sequence, node: Any) -> bool:
    return isinstance(type.element, Integer) and type.element.width == 8 and _text(node) is not None


def _text(node: Any) -> Any:
    if isinstance(node, nodes.Braces) and len(node.items) == 1 and not node.items[0].path:
        node = node.items[0].value
    return node if isinstance(node, nodes.Text) else None


def _count(type: Any) -> int:
    if isinstance(type, Sequence):
        return type.length or 0
    return len(type.members) if isinstance(type, Structure) else 0


def _part(at: Member, number: int) -> Member:
    if isinstance(at.type, Sequence):
        return Member("", at.type.element, at.offset + 8 * size_of(at.type.element) * number)
    member = at.type.members[number]
    return Member(member.name, member.type, at.offset + member.offset, member.width)
