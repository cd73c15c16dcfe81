"""Initial values as a list of places inside an object and the nodes of what stands there.

`tree/placing` has C's rules for lists; here are the layouts, and texts that fill arrays of characters.
"""

from __future__ import annotations

from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Member, Sequence, Structure, size_of
from knaster.frontends.c.names.types import Integer
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.placing import Path, Problem, count_elements, place_values, text_in

_ENDLESS = 1 << 40  # the length of an array that its initial value is to tell


class Piece(NamedTuple):
    """What stands somewhere in an object: its place in bits, a width where it is a bit-field, its type, its node."""

    offset: int
    width: int | None
    type: Any
    node: Any


def pieces(type: Any, node: Any, problem: Problem) -> list[Piece]:
    """Return the initial values of the parts of an object."""
    if isinstance(type, Sequence) and (text := _LAYOUTS.text(type, node)) is not None:
        return [Piece(0, None, type, text)]
    if isinstance(type, Sequence) and isinstance(node, memory.Literal):
        return pieces(type, node.initial, problem)
    if isinstance(type, Sequence | Structure) and isinstance(node, nodes.Braces):
        return [_piece(type, *placed) for placed in place_values(_LAYOUTS, type, node, problem)]
    while isinstance(node, nodes.Braces) and node.items:
        node = node.items[0].value
    return [] if isinstance(node, nodes.Braces) else [Piece(0, None, type, node)]


def initial_length(type: Sequence, node: Any, problem: Problem) -> int:
    """Return how many elements an array has whose length only its initial value tells."""
    if isinstance(node, memory.Literal):
        return initial_length(type, node.initial, problem)
    if (text := _LAYOUTS.text(type, node)) is not None:
        return len(text.codes) + 1
    return count_elements(_LAYOUTS, Sequence(type.element, _ENDLESS), node, problem)


class _Layouts:
    """Types with their layout, as the rules of lists see them."""

    def count(self, type: Any) -> int | None:
        """Return how many parts an object has; None where it is a scalar."""
        if isinstance(type, Sequence):
            return type.length or 0
        return len(type.members) if isinstance(type, Structure) else None

    def part(self, type: Any, number: int) -> tuple[str | int, Any]:
        """Return the name of a member or the index of an element, and its type."""
        if isinstance(type, Sequence):
            return number, type.element
        member = type.members[number]
        if isinstance(member.type, Sequence) and member.type.length == 0:  # as long as its initial value is (GNU)
            return member.name, Sequence(member.type.element, _ENDLESS)
        return member.name, member.type

    def is_union(self, type: Any) -> bool:
        """Tell whether only one of the parts has a value."""
        return isinstance(type, Structure) and type.union

    def takes(self, type: Any, value: Any) -> bool:
        """Tell whether a value is one of the whole object: a text, or a struct of this type."""
        if isinstance(type, Sequence):
            return self.text(type, value) is not None
        return bool(getattr(value, "type", None) == type)

    def text(self, type: Any, value: Any) -> nodes.Text | None:
        """Return the text that fills an array of characters; None where there is none."""
        element, found = type.element if isinstance(type, Sequence) else None, text_in(value)
        fits = found is not None and isinstance(element, Integer) and element.width == 8 * found.width
        return found if fits else None


_LAYOUTS = _Layouts()


def _piece(type: Any, path: Path, inner: Any, node: Any) -> Piece:
    at = Member("", type, 0)
    for number in path:
        at = _part(at, number)
    if isinstance(inner, Sequence) and (text := _LAYOUTS.text(inner, node)) is not None:
        node = text
        inner = Sequence(inner.element, len(text.codes) + 1) if inner.length == _ENDLESS else inner
    return Piece(at.offset, at.width, inner, node)


def _part(at: Member, number: int) -> Member:
    if isinstance(at.type, Sequence):
        return Member("", at.type.element, at.offset + 8 * size_of(at.type.element) * number)
    member = at.type.members[number]
    return Member(member.name, member.type, at.offset + member.offset, member.width)
