"""Places that expressions of C read and write, as far as their text tells: a variable with a path, or a pointer's.

A first look at an expression knows nothing of what pointers point to.  An exact one keeps the path from where a pointer
points, and the text of the pointer: the same text is the same pointer where nothing that it reads is written.
"""

from __future__ import annotations

from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Pointer
from knaster.frontends.c.tree import nodes

Path = tuple[str | int | None, ...]  # fields and indices; None is an index that is no constant
_MOST_POINTERS = 8  # that are followed to tell one pointer from another


class Known(NamedTuple):
    """The value of a pointer as its text tells: what is written, and the places that are read for it."""

    key: tuple[Any, ...]
    reads: tuple[Access, ...] = ()


class Access(NamedTuple):
    """A place: `root` is a variable, or None for what a pointer points to; fields and indices lead to its part."""

    root: nodes.Object | None
    path: Path  # of what a pointer points to: first its element, as an index (in an exact look; else nothing)
    type: Any
    text: str  # for people
    pointer: Known | None = None  # where it is known
    whole: Any = None  # the type of what a pointer points to
    number: int = 0  # which use it is, in an exact look
    sure: bool = True  # whether whoever evaluates the operand uses it

    def unnumbered(self) -> Access:
        """Return the place alone, whoever uses it."""
        return self._replace(number=0, sure=True)


def access_to(node: Any, exact: bool = False, most: int = _MOST_POINTERS) -> Access | None:
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
                path.append(_constant(place.index))
                if not _is_array(place.array, array):
                    return _pointed_to(node, place.array, place.type, path, exact, most)
                place = array
            case memory.Volatile():
                place = place.operand
            case memory.Dereference(operand=memory.AddressOf(operand=named)):
                place = named
            case memory.Dereference(operand=memory.Decay(operand=array)):
                path.append(0)
                place = array
            case nodes.Name():
                return Access(place.object, tuple(reversed(path)), node.type, text_of(node))
            case memory.Dereference():
                path.append(0)
                return _pointed_to(node, place.operand, place.type, path, exact, most)
            case _:
                return None


def _pointed_to(
    node: Any, pointer: Any, whole: Any, path: list[str | int | None], exact: bool, most: int
) -> Access | None:
    """Return what a pointer points to, or a part of it."""
    if not exact:
        return Access(None, (), node.type, text_of(node))
    return Access(None, tuple(reversed(path)), node.type, text_of(node), _value_of(pointer, most - 1), whole)


def _value_of(pointer: Any, most: int) -> Known | None:
    """Return the value of a pointer as its text tells; None where the text does not tell it."""
    if most < 0:
        return None
    match pointer:
        case nodes.Convert(operand=inner) if isinstance(inner.type, Pointer):
            return _value_of(inner, most)
        case memory.AddressOf() | memory.Decay():
            place = access_to(pointer.operand, True, most)
            return None if place is None or None in place.path else _known("&", place)
        case nodes.Binary(op="+" | "-", left=left, right=right) if isinstance(left.type, Pointer):
            base, number = _value_of(left, most), _constant(right)
            if base is None or number is None:
                return None
            return Known((pointer.op, left.type.step, base.key, number), base.reads)
        case memory.Volatile():
            return None
    place = access_to(pointer, True, most)
    return None if place is None or None in place.path else _known("*", place, (place,))


def _known(kind: str, place: Access, reads: tuple[Access, ...] = ()) -> Known | None:
    """Return the address of a place, or the value that stands there; None where it is behind a pointer unknown."""
    if place.root is not None:
        return Known((kind, place.root, place.path), reads)
    if place.pointer is None:
        return None
    return Known((kind, place.pointer.key, place.path), (*place.pointer.reads, *reads))


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
