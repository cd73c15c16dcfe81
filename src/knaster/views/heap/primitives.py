"""Primitives: the functions that compiled steps call for checked numbers and for cells of a memory made of lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.semantics.heap.failure import BLOCKED, DIVISION, INDEX, NULL, OVERFLOW, Fails, ensure_length

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1


def ck(value: int) -> int:
    """Return a number that fits into 32 bits."""
    if LOWEST <= value <= HIGHEST:
        return value
    raise Fails(OVERFLOW)


def within(value: int, low: int, high: int) -> int:
    """Return a number that lies between two others."""
    if low <= value <= high:
        return value
    raise Fails(OVERFLOW)


def quotient(left: int, right: int) -> int:
    """Divide, towards zero."""
    if right == 0:
        raise Fails(DIVISION)
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def dv(left: int, right: int) -> int:
    """Divide, towards zero, in 32 bits."""
    return ck(quotient(left, right))


def rm(left: int, right: int) -> int:
    """Return the remainder, with the sign of the dividend."""
    if right == 0:
        raise Fails(DIVISION)
    return left - right * (abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1))


def sl(left: int, right: int) -> int:
    """Shift left; bits that are shifted out are lost."""
    value = left << (right & 31) & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def shifted(left: int, right: int, width: int) -> int:
    """Shift left in so many bits; those that are shifted out are lost."""
    value = left << (right & width - 1) & (1 << width) - 1
    return value - (1 << width) if value >> width - 1 else value


def sr(left: int, right: int) -> int:
    """Shift right."""
    return left >> (right & 31)


def rep(whole: Any, path: Sequence[int], value: Any) -> Any:
    """Return a struct with the part at the end of a path replaced."""
    levels = []
    for index in path:
        levels.append((whole, index))
        whole = whole[index]
    for outer, index in reversed(levels):
        value = (*outer[:index], value, *outer[index + 1 :])
    return value


def put(heap: list[Any], address: int, slot: int, value: Any) -> None:
    """Change a slot of a cell."""
    cell = heap[address]
    heap[address] = (*cell[:slot], value, *cell[slot + 1 :])


def at(cell: Any, index: int, queues: frozenset[int]) -> Any:
    """Return an element of an array or a set."""
    elements = cell[1] if cell[0] in queues else cell[1:]
    if 0 <= index < len(elements):
        return elements[index]
    raise Fails(INDEX)


def put_at(heap: list[Any], address: int, index: int, value: Any) -> None:
    """Change an element of an array."""
    cell = heap[address]
    if not 0 <= index < len(cell) - 1:
        raise Fails(INDEX)
    heap[address] = (*cell[: index + 1], value, *cell[index + 2 :])


def size(cell: Any, queues: frozenset[int]) -> int:
    """Return the number of elements of a collection."""
    return len(cell[1]) if cell[0] in queues else len(cell) - 1


def elements(cell: Any, queues: frozenset[int]) -> Any:
    """Return the elements of a collection."""
    return cell[1] if cell[0] in queues else cell[1:]


def pop(heap: list[Any], address: int) -> Any:
    """Take the first message of a channel."""
    cell = heap[address]
    if not cell[1]:
        raise Fails(BLOCKED)
    heap[address] = (cell[0], cell[1][1:])
    return cell[1][0]


def join_elements(old: tuple[Any, ...], more: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the union of two sets."""
    return (*old, *(each for each in more if each not in old))


def remove_elements(old: tuple[Any, ...], less: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the difference of two sets."""
    return tuple(each for each in old if each not in less)


def null() -> Any:
    """Fail: null has nothing."""
    raise Fails(NULL)


def length(value: int) -> int:
    """Return a length that an array can have."""
    return ensure_length(value)
