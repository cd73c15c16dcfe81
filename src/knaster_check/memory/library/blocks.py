"""Functions of string.h on blocks of bytes: memcpy, memmove, memset, memcmp, memchr."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place
from knaster_check.memory.library.texts import byte_at, note_overlap, number_in
from knaster_check.memory.values import NULL, Address, Image
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine

MOST = 1 << 24  # bytes of a block


def _memmove(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    target, source, size = values[0], values[1], _size(values[2])
    found = machine.usable(source, size, place)  # null and what is dead is wrong, were it for no bytes
    machine.usable(target, size, place)
    if size:
        machine.settle(found, source[1], size)
        machine.store(target, ("bytes", size), found.image(source[1], size), place)
    return target


def _memcpy(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    target, source, size = values[0], values[1], _size(values[2])
    machine.usable(source, size, place)
    machine.usable(target, size, place)
    if size:
        note_overlap(machine, target, size, source, size, place)
    return _memmove(machine, frame, values, place)


def _memset(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    target, byte, size = values[0], number_in(values[1]) & 255, _size(values[2])
    machine.usable(target, size, place)
    if size:
        machine.store(target, ("bytes", size), Image(size, dict.fromkeys(range(size), byte)), place)
    return target


def _size(value: Any) -> int:
    size = number_in(value)
    if size > MOST:
        raise Unsupported(f"more than {MOST:,} bytes are moved at once")
    return size


def _memcmp(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    one, other, size = values
    for where in (one, other):  # all bytes must be there, also behind the first that differ
        machine.usable(where, number_in(size), place)
    for count in range(size):
        first, second = byte_at(machine, one, count, place), byte_at(machine, other, count, place)
        if first != second:
            return -1 if first < second else 1  # mutant(<): they differ
    return 0


def _memchr(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    where, byte, size = values
    machine.usable(where, 0, place)
    for count in range(number_in(size)):
        if byte_at(machine, where, count, place) == number_in(byte) & 255:
            return Address(where[0], where[1] + count)
    return NULL


_PLAIN: dict[str, Function] = {"memcpy": _memcpy, "memmove": _memmove, "memset": _memset, "memcmp": _memcmp}
BLOCKS: dict[str, Function] = {
    **_PLAIN,
    **{f"__builtin_{name}": function for name, function in _PLAIN.items()},
    "memchr": _memchr,
}
