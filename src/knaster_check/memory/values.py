"""Values of programs with memory: numbers, truth values, floats of Python, and what C has besides.

A number that depends on inputs is `Open`, one that follows an input a `Following`; all that is done with them goes
through `inputs`.  An integer that was
made from a pointer is still an `Address`; one byte of it is a `Piece`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from knaster_check.program import Type


class Address(NamedTuple):
    """An object and a byte in it; base 0 is no object (null, and numbers as pointers), negative ones are functions."""

    base: int
    offset: int


class Image(NamedTuple):
    """Bytes of a struct or an array, as they were at one moment; None is a byte that nobody wrote."""

    size: int
    bytes: dict[int, Any]


class Open:
    """A number that depends on inputs; `value` is what it is in this run."""

    __slots__ = ("value",)
    value: int


class Following(Open):
    """A number that grows (`sign` 1) or falls (-1) with an input as that grows."""

    __slots__ = ("number", "sign")

    def __init__(self, value: int, number: int, sign: int) -> None:
        self.value, self.number, self.sign = value, number, sign


class OpenReal:
    """A floating-point number that depends on inputs; `value` is what it is in this run."""

    __slots__ = ("node", "value", "width")

    def __init__(self, value: float, width: int, node: Any) -> None:
        self.value, self.width, self.node = value, width, node


class NotANumber(NamedTuple):
    """What stands in memory where a floating-point number is none: which bits it has is left open by C."""

    width: int


class Piece(NamedTuple):
    """One byte of a value that is no plain number: the byte at this place among `size`."""

    whole: Any
    at: int
    size: int


NULL = Address(0, 0)
NULL_PAGE = (
    4096  # bytes; what is nearer to null is a part or an element of nothing, and no number that was made a pointer
)
WILD = Address(0, 0xDEAD0001)  # a pointer that cannot be used


@cache
def size_of(type: Type) -> int:
    """Return how many bytes a value of a type takes in memory."""
    match type:
        case ("int", int(width), _) | ("floating", int(width)):
            return -(-width // 8)
        case ("address" | "bytes", int(size)):
            return size
    return 1


@cache
def range_of(type: Type) -> tuple[int, int] | None:
    """Return the smallest and the largest number of an integer type; None where all numbers are its."""
    _, width, signed = type
    if width is None:
        return None
    return (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
