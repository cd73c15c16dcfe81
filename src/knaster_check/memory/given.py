"""Inputs of one run that a file says, in the order in which the run reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster_check.memory.inputs import Inputs
from knaster_check.memory.reals import rounded
from knaster_check.memory.values import NULL, WILD, Address, Image, range_of
from knaster_check.program import Type
from knaster_check.refused import Refused, Unsupported


class GivenInputs(Inputs):
    """Values of a file: each is one of the type that is read, and there are enough of them."""

    def __init__(self, rows: Sequence[object]) -> None:
        super().__init__()
        self.rows, self.count = rows, 0

    def choose(self, type: Type) -> Any:
        """Return the next input, which must be of a type."""
        row = self._next()
        match type, row:
            case ("bool",), bool():
                return row
            case ("address", _), ["pointer", int(offset)] if Address(0, offset) in (NULL, WILD):
                return Address(0, offset)
            case ("bytes", size), ["bytes", int(length)] if size == length:
                return Image(size, {})  # its parts are inputs when they are read
            case ("floating", width), str():
                return _real(row, width)
            case ("int", int(), _), int() if row.__class__ is int:
                bounds = range_of(type)
                assert bounds is not None
                return self._within(row, *bounds)
        raise Refused(f"input {self.count} is no value of the type '{type[0]}'")

    def between(self, low: int, high: int) -> Any:
        """Return the next input as one of an interval: a number outside stands for the lowest; of one, none is read."""
        row = self._next() if low < high else low
        if row.__class__ is not int:
            raise Refused(f"input {self.count} is no number")
        return row if low < row <= high else low  # mutant(<): the lowest, either way

    def _next(self) -> object:
        if self.count >= len(self.rows):
            raise Refused("the run reads more inputs than the file has")
        self.count += 1
        return self.rows[self.count - 1]

    def _within(self, value: Any, low: int, high: int) -> int:
        if not low <= value <= high:
            raise Refused(f"input {self.count} is not between {low} and {high}")
        return int(value)


def _real(text: str, width: int) -> float:
    try:
        value = float.fromhex(text)
    except (ValueError, OverflowError):
        raise Refused("an input is no number") from None
    if value == value and rounded(value, width) != value:
        raise Refused(f"an input is no number of {width} bits")
    if value != value:
        raise Unsupported("an input is not a number, and the file does not say which one")
    return value
