"""Constant bytes that are stored into an object, such as a text: what the parts of the object become."""

from __future__ import annotations

from typing import Any

from knaster.program.expression import Const, Expr, Updated, Var
from knaster.program.memory import Addresses, Floating, Snapshot, bytes_of
from knaster.program.types import Bool
from knaster.transform.regions.pointer_sets import NULL, Base
from knaster.transform.regions.refusal import Refused
from knaster.transform.regions.slots import PartOfObject, Slots


def known_bytes(snapshot: Snapshot) -> list[int]:
    """Return the bytes of a constant; refuse one that has pointers, or bytes that nobody knows."""
    found: list[int | None] = [None] * snapshot.size
    for offset, size, raw in snapshot.cells:
        if type(raw) is not int:
            raise Refused("a constant has pointers in it")
        for index in range(size):
            found[offset + index] = raw >> 8 * index & 255
    if any(byte is None for byte in found):
        raise Refused("a constant has bytes that nobody knows")
    return [byte for byte in found if byte is not None]


def store_bytes(slots: Slots, base: Base, start: int, content: list[int]) -> list[tuple[str, Expr]]:
    """Return what the variables of an object become where bytes are stored at an offset."""
    found: dict[str, Expr] = {}
    for part, first in slots.parts_of(base):
        size = bytes_of(part.slot.type)
        for number in range(part.length):
            at = first + number * part.stride
            if at + size <= start or start + len(content) <= at:
                continue
            if at < start or start + len(content) < at + size:
                raise Refused(f"bytes of '{base.name}' are used in several ways")
            raw = int.from_bytes(bytes(content[at - start : at - start + size]), "little")
            for name, value in _values(slots, part, raw):
                _put(found, name, value, part, number)
    return list(found.items())


def _put(found: dict[str, Expr], name: str, value: Any, part: PartOfObject, number: int) -> None:
    if part.length == 1:
        found[name] = Const(value)
        return
    before = found.get(name, Var(name))
    found[name] = Updated(before, Const(number), Const(value))


def _values(slots: Slots, part: PartOfObject, raw: int) -> list[tuple[str, Any]]:
    slot = part.slot
    if isinstance(slot.type, Addresses):
        if raw:
            raise Refused("a number is made a pointer")
        pairs = [(slot.base, slots.number(NULL)), (slot.index, 0)]
        return [(name, value) for name, value in pairs if name]
    if isinstance(slot.type, Bool):
        if raw > 1:
            raise Refused("a truth value is neither 0 nor 1")
        return [(slot.value, bool(raw))]
    return [(slot.value, raw if isinstance(slot.type, Floating) else slot.type.wrap(raw))]
