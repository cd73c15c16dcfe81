"""Where a part of an object stands, in bits, and which scalars and structs an object consists of."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.c.memory.types import Pointer, Sequence, Structure, find_member, size_of
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.frontends.c.order.accesses import Path
from knaster.program.memory import Floating


class Bits(NamedTuple):
    """Bits from `first` up to `last`, which is none of them; where it is not `exact`, some of these."""

    first: float
    last: float
    exact: bool = True

    def meets(self, other: Bits) -> bool:
        """Tell whether some bit may be one of both."""
        return self.first < other.last and other.first < self.last


def extent(type: Any, path: Path) -> Bits | None:
    """Return where a part of an object of a type stands; None where that is not known."""
    start = 0
    for step in path:
        if isinstance(type, Sequence) and not isinstance(step, str):
            if step is None:
                return Bits(start, start + _reach(type), False)
            start, type = start + 8 * step * size_of(type.element), type.element
        elif isinstance(type, Structure) and isinstance(step, str):
            member = find_member(type, step)
            if member is None:
                return None
            start, type = start + member.offset, member.type
            if member.width is not None:
                return Bits(start, start + member.width)
        else:
            return None
    return Bits(start, start + _reach(type))


def _reach(type: Any) -> float:
    """Return how many bits an object may have: an array of at most one element may go on behind its struct."""
    if isinstance(type, Sequence) and (type.length or 0) <= 1:
        return inf
    if isinstance(type, Structure) and type.members and not type.union:
        last = max(type.members, key=lambda member: member.offset)
        if isinstance(last.type, Structure | Sequence) and _reach(last.type) == inf:
            return inf
    return 8 * size_of(type)


def parts_of(type: Any) -> Iterator[Any]:
    """Yield a type and the types of the parts of its objects."""
    todo = [type]
    while todo:
        found = todo.pop()
        yield found
        if isinstance(found, Structure):
            todo += [member.type for member in found.members]
        elif isinstance(found, Sequence):
            todo.append(found.element)


def occurrences(whole: Any, part: Any) -> Iterator[Bits]:
    """Yield where objects of a type stand in one of another type; those in an array as the whole array."""
    todo = [(whole, 0)]
    while todo:
        type, start = todo.pop()
        if type == part or (isinstance(type, Sequence) and part in parts_of(type.element)):
            yield Bits(start, start + _reach(type))
        elif isinstance(type, Structure):
            todo += [(member.type, start + member.offset) for member in type.members]


def scalars(type: Any) -> frozenset[Any]:
    """Return the kinds of the scalars of an object: C lets no pointer to another one lead to them, but to characters.

    An integer and an unsigned one of the same size are of one kind (C17 6.5, paragraph 7).
    """
    found: set[Any] = set()
    for part in parts_of(type):
        match part:
            case Integer(width):
                found.add(("integer", width))
            case Boolean():
                found.add("boolean")
            case Floating(width):
                found.add(("floating", width))
            case Pointer():
                found.add(("pointer", part.step, part.void))
            case Structure() | Sequence():
                pass
            case _:
                found.add(part)
    return frozenset(found)


def has_union(type: Any, path: Path) -> bool:
    """Tell whether a part of an object is one of a union, or has one."""
    for step in path:
        if isinstance(type, Sequence) and not isinstance(step, str):
            type = type.element
        elif isinstance(type, Structure) and isinstance(step, str):
            member = find_member(type, step)
            named = any(one.name == step for one in type.members)
            if type.union or member is None or not named:
                return True
            type = member.type
    return any(isinstance(part, Structure) and part.union for part in parts_of(type))
