"""Builtins of gcc on the bits of a number, and sums, differences and products that say whether they overflow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place, Undefined
from knaster_check.memory.library.texts import number_in
from knaster_check.memory.numbers import wrap

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine


def _ones(value: int) -> int:
    return bin(value).count("1")


def _lowest(value: int) -> int:
    """Return the number of the lowest bit, from 1 on; 0 where there is none."""
    return next((at + 1 for at in range(value.bit_length()) if value >> at & 1), 0)


_COUNTS: dict[str, Callable[[int, int], int]] = {
    "clz": lambda value, width: width - value.bit_length(),
    "ctz": lambda value, width: _lowest(value) - 1,
    "popcount": lambda value, width: _ones(value),
    "parity": lambda value, width: _ones(value) % 2,
    "ffs": lambda value, width: _lowest(value),
    "bswap": lambda value, width: sum((value >> at & 255) << width - 8 - at for at in range(0, width, 8)),
}


def bits_named(name: str, pointer: int) -> Function | None:
    """Return the builtin of a name, such as `__builtin_clzl`; None where it is none."""
    word = name.removeprefix("__builtin_")
    for start, count in _COUNTS.items():
        suffix = word.removeprefix(start)
        width = {"": 32, "l": 8 * pointer, "ll": 64}.get(suffix) if start != "bswap" else _width_of(suffix)
        if word.startswith(start) and width is not None and (word != name or start == "ffs"):
            return _count(count, width, start in ("clz", "ctz"))
    return None


def _width_of(suffix: str) -> int | None:
    return int(suffix) if suffix in ("16", "32", "64") else None


def _count(count: Callable[[int, int], int], width: int, partial: bool) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        value = number_in(values[0]) & (1 << width) - 1
        if partial and value == 0:
            raise Undefined("value", place)
        return count(value, width)

    return call


def overflow_named(name: str) -> Function | None:
    """Return the builtin of a name, such as "overflow add s32", that writes a result; None where it is none."""
    words = name.split(" ")
    if len(words) != 3 or words[0] != "overflow" or words[1] not in ("add", "sub", "mul"):
        return None
    type = ("int", int(words[2][1:]), words[2][0] == "s")

    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        one, other = number_in(values[0]), number_in(values[1])
        exact = one + other if words[1] == "add" else one - other if words[1] == "sub" else one * other
        machine.store(values[2], type, wrap(exact, type), place)
        return exact != wrap(exact, type)

    return call
