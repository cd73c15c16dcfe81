"""Places that expressions of C read and write, as far as their text tells: a variable with a path, or a pointer's."""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Pointer
from knaster.frontends.c.tree import nodes


class Access(NamedTuple):
    """A place: `root` is a variable, or None for what a pointer points to; fields and indices lead to its part."""

    root: nodes.Object | None
    path: tuple[str | int | None, ...]  # None is an index that is no constant
    type: Any
    text: str  # for people


class Same(IntEnum):
    """Whether two accesses use the same object."""

    NO = 0
    MAYBE = 1
    YES = 2


def access_to(node: Any) -> Access | None:
    """Return the place that an expression names; None where it names none."""
    path: list[str | int | None] = []
    place = node
    while True:
        match place:
            case nodes.Field():
                path.append(place.name)
                place = place.record
            case nodes.Subscript():
                array = place.array.operand if isinstance(place.array, memory.Decay) else place.array
                if not _is_array(place.array, array):
                    return Access(None, (), node.type, text_of(node))
                path.append(_constant(place.index))
                place = array
            case memory.Volatile():
                place = place.operand
            case nodes.Name():
                return Access(place.object, tuple(reversed(path)), node.type, text_of(node))
            case memory.Dereference():
                return Access(None, (), node.type, text_of(node))
            case _:
                return None


def compare(one: Access, other: Access, escaping: Collection[nodes.Object]) -> Same:
    """Tell whether two accesses use the same object; pointers lead only to variables whose address is taken."""
    if one.root is None or other.root is None:
        named = one if other.root is None else other
        if named.root is not None and named.root not in escaping:
            return Same.NO
        return Same.MAYBE if one.type == other.type else Same.NO
    if one.root is not other.root:
        return Same.NO
    answer = Same.YES
    for left, right in zip(one.path, other.path, strict=False):
        if left is None or right is None:
            answer = Same.MAYBE
        elif left != right:
            return Same.NO
    return answer


def text_of(node: Any) -> str:
    """Return a place as people write it, in short."""
    match node:
        case nodes.Name():
            return str(node.object.name)
        case nodes.Field():
            if isinstance(node.record, memory.Dereference):
                return f"{text_of(node.record.operand)}->{node.name}"
            return f"{text_of(node.record)}.{node.name}"
        case nodes.Subscript():
            index = _constant(node.index)
            return f"{text_of(node.array)}[{'...' if index is None else index}]"
        case memory.Dereference():
            return f"*{text_of(node.operand)}"
        case memory.Decay() | memory.Volatile() | nodes.Convert() | memory.AddressOf():
            return text_of(node.operand)
    return "..."


def _is_array(written: Any, array: Any) -> bool:
    """Tell whether an element is one of an array that has a place of its own, and not of what a pointer points to."""
    if isinstance(written, memory.Decay):
        return True
    return isinstance(array, nodes.Name | nodes.Field | nodes.Subscript) and not isinstance(array.type, Pointer)


def _constant(node: Any) -> int | None:
    while isinstance(node, nodes.Convert):
        node = node.operand
    return node.value if isinstance(node, nodes.Number) else None
