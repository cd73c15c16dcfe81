"""Whether two places are the same object, as far as the text and the types of a file tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cached_property
from typing import Any

from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Sequence, Structure, find_member
from knaster.frontends.c.names.types import Vector
from knaster.frontends.c.order.accesses import Access, Path
from knaster.frontends.c.order.conversions import Conversions, conversions
from knaster.frontends.c.order.extents import extent, has_union, occurrences, parts_of, scalars
from knaster.frontends.c.tree import nodes

_CHARACTER = ("integer", 8)


class Same(IntEnum):
    """Whether two accesses use the same object."""

    NO = 0
    MAYBE = 1
    YES = 2


class Comparing:
    """How the places of one file are compared."""

    def __init__(self, file: nodes.File) -> None:
        self.file = file

    @cached_property
    def escaping(self) -> set[nodes.Object]:
        """The variables to which pointers may lead: whose address is taken, or that become pointers."""
        return escaping(self.file)

    @cached_property
    def taken(self) -> set[str]:
        """The names of members whose address is taken, or that become pointers."""
        return {name for place in _pointed_to(self.file) if (name := _member(place)) is not None}

    @cached_property
    def conversions(self) -> Conversions:
        """What the file makes of its pointers."""
        return conversions(self.file)

    def at_first(self, one: Access, other: Access) -> Same:
        """Compare two accesses of a first look: what a pointer points to may be anything that pointers lead to."""
        if one.root is not None and other.root is not None:
            return _same_part(one.root.type, one.path, other.path) if one.root is other.root else Same.NO
        return Same.MAYBE if self._is_pointed_to(one, other) else Same.NO

    def exactly(self, one: Access, other: Access, changed: Iterable[Access]) -> Same:
        """Compare two accesses of an exact look at operands that change some places."""
        if one.pointer is not None and other.pointer is not None and one.pointer.key == other.pointer.key:
            reads = (*one.pointer.reads, *other.pointer.reads)
            if not any(self.without_text(read, change) for read in reads for change in changed):
                return _same_element(one, other)
        return self.without_text(one, other)

    def without_text(self, one: Access, other: Access) -> Same:
        """Compare two accesses of an exact look; the same text need not be the same pointer."""
        if one.root is not None and other.root is not None:
            return self.at_first(one, other)
        if not self._is_pointed_to(one, other) or not self._fit(one, other) or self._are_members_apart(one, other):
            return Same.NO
        return Same.MAYBE

    def _is_pointed_to(self, one: Access, other: Access) -> bool:
        """Tell whether what a pointer points to may be the other place, too."""
        named = one if other.root is None else other
        return named.root is None or named.root in self.escaping

    def _fit(self, one: Access, other: Access) -> bool:
        """Tell whether C lets an object be used as what both accesses use it for."""
        first, second = self._kinds(one), self._kinds(other)
        if first is None or second is None or first & second:
            return True
        return self.conversions.to_characters and (_CHARACTER in first or _CHARACTER in second)

    def _kinds(self, access: Access) -> frozenset[Any] | None:
        """Return the kinds of the scalars that an access uses; None where a union makes them any."""
        whole, path = _whole(access)
        return None if whole is not None and has_union(whole, path) else scalars(access.type)

    def _are_members_apart(self, one: Access, other: Access) -> bool:
        """Tell whether two places are members that do not meet, of structs that are the same or meet nowhere."""
        (first, path), (second, other_path) = _struct(one), _struct(other)
        if self.conversions.to_others:
            return False
        if first is None or second is None:
            return self._is_member_alone(one, other) or self._is_member_alone(other, one)
        here, there = extent(first, path), extent(second, other_path)
        if here is None or there is None:
            return False
        if first != second:
            for whole, part, place in ((first, second, here), (second, first, there)):
                if inside := list(occurrences(whole, part)):
                    return not any(found.meets(place) for found in inside)
        return not here.meets(there)

    def _is_member_alone(self, member: Access, other: Access) -> bool:
        """Tell whether a place is in a struct of whose members nobody takes the address, and the other one is not."""
        type, path = _struct(member)
        if type is None or not path or has_union(type, path) or other.root is not None or other.whole is None:
            return False
        if self.conversions.to_characters and _CHARACTER in scalars(other.type):
            return False
        structs = (part for part in parts_of(type) if isinstance(part, Structure))
        return not any(one.name in self.taken for part in structs for one in part.members)


def escaping(file: nodes.File) -> set[nodes.Object]:
    """Return the variables of a file to which pointers may lead."""
    found: set[nodes.Object] = set()
    for place in _pointed_to(file):
        while isinstance(place, nodes.Field | nodes.Subscript | memory.Decay | memory.Volatile):
            place = memory.parts(place)[0]
        if isinstance(place, nodes.Name):
            found.add(place.object)
    return found


def _pointed_to(file: nodes.File) -> Iterator[Any]:
    """Yield the places that become pointers; an array that has an index is no pointer there."""
    indexed: set[Any] = set()
    bodies = [*(function.body for function in file.functions), *file.objects]
    for node in (node for body in bodies for node in memory.walk(body)):
        if isinstance(node, nodes.Subscript):
            indexed.add(node.array)
        elif isinstance(node, memory.AddressOf | memory.Decay) and node not in indexed:
            yield node.operand


def _member(place: Any) -> str | None:
    """Return the name of the member that a place is, or is an element of; None where it is of none."""
    while isinstance(place, nodes.Subscript | memory.Decay | memory.Volatile):
        place = memory.parts(place)[0]
    return place.name if isinstance(place, nodes.Field) else None


def _whole(access: Access) -> tuple[Any, Path]:
    """Return the type of the object that an access is a part of, as far as the text tells, and the path to the part."""
    if access.root is not None:
        return access.root.type, access.path
    return access.whole, access.path[1:]


def _struct(access: Access) -> tuple[Structure | None, Path]:
    """Return the struct that an access is a part of, None where it is of none, and the path inside of it."""
    whole, path = _whole(access)
    while isinstance(whole, Sequence) and path:
        whole, path = whole.element, path[1:]
    return (whole, path) if isinstance(whole, Structure) else (None, path)


def _same_element(one: Access, other: Access) -> Same:
    """Compare parts of what the same pointer points to."""
    if one.whole == other.whole:
        return _same_part(Sequence(one.whole, None), one.path, other.path)
    here, there = extent(one.whole, one.path[1:]), extent(other.whole, other.path[1:])
    if one.path[:1] != (0,) or other.path[:1] != (0,) or here is None or there is None:
        return Same.MAYBE
    if not here.meets(there):
        return Same.NO
    return Same.YES if here.exact and there.exact else Same.MAYBE


def _same_part(type: Any, one: Path, other: Path) -> Same:
    """Compare two parts of an object of a type."""
    answer = Same.YES
    for depth, (left, right) in enumerate(zip(one, other, strict=False)):
        if isinstance(left, str) and left != right:
            return min(answer, _overlaid(type, one[depth:], other[depth:]))
        if left is None or right is None:
            answer = Same.MAYBE
        elif left != right:
            return Same.NO
        type = _inside(type, left)
    return answer


def _overlaid(type: Any, one: Path, other: Path) -> Same:
    """Compare parts of two members of the same struct or union."""
    if not isinstance(type, Structure):
        return Same.NO
    here, there = extent(type, one), extent(type, other)
    if here is None or there is None:
        return Same.MAYBE
    if not here.meets(there):
        return Same.NO
    return Same.YES if here.exact and there.exact else Same.MAYBE


def _inside(type: Any, step: str | int | None) -> Any:
    """Return the type of a part."""
    match type:
        case Sequence(element) | Vector(element):
            return element
        case Structure() if isinstance(step, str):
            member = find_member(type, step)
            return member.type if member is not None else None
    return None
