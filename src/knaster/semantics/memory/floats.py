"""Floating-point numbers: Python's are doubles; a single is one that was rounded.  How they stand in memory.

Which bits a result has that is no number (its sign among them) is left open by C and IEEE 754: it stands in memory as
`NotANumber`, which can be read as a floating-point number and as nothing else.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from knaster.base.errors import Span
from knaster.program.memory import Floating
from knaster.program.types import Int
from knaster.semantics.memory.failure import VALUE, Fault

OPEN_BITS = "the bits of a floating-point result that is no number are used, and C leaves them open"


class NotANumber:
    """The bits of a floating-point number that is none: they are those of copies, and perhaps those of others."""

    __slots__ = ()


def round_to(value: float, type: Floating) -> float:
    """Return the number of a type that is nearest."""
    if type.width == 64 or math.isnan(value) or math.isinf(value):
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def compute(operator: str, one: float, other: float, type: Floating) -> float:
    """Return the result of an operation; nothing of it is undefined."""
    match operator:
        case "+":
            found = one + other
        case "-":
            found = one - other
        case "*":
            found = one * other
        case _:
            found = _divide(one, other)
    return round_to(found, type)


def _divide(one: float, other: float) -> float:
    if other != 0:
        return one / other
    if one == 0 or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, other)


def from_number(value: int, type: Floating) -> float:
    """Return an integer as a floating-point number; large ones are rounded once."""
    found = float(value)
    if type.width == 32 and int(found) != value:
        found = _to_odd(value)
    return round_to(found, type)


def _to_odd(value: int) -> float:
    """Return a double beside an integer that is none; it rounds to the same single: the last bit says what was cut."""
    shift = abs(value).bit_length() - 40
    return math.copysign(float((abs(value) >> shift | 1) << shift), value)


def to_number(value: float, type: Int, span: Span) -> int:
    """Return a floating-point number without its fraction; undefined where it is none of the type."""
    if math.isnan(value) or math.isinf(value) or not type.holds(int(value)):
        raise Fault(VALUE, span, "a floating-point number is made an integer that cannot hold it")
    return int(value)


def to_raw_float(value: float, type: Floating) -> Any:
    """Return how a number stands in memory; what is none has no bits that anybody knows."""
    return NotANumber() if math.isnan(value) else to_bits(value, type)


def quiet_bits(type: Floating) -> int:
    """Return bits that are no number."""
    return 0x7FF8 << 48 if type.width == 64 else 0x7FC0 << 16


def to_bits(value: float, type: Floating) -> int:
    """Return the bits of a number."""
    if math.isnan(value):
        return quiet_bits(type)
    packed = struct.pack("<d" if type.width == 64 else "<f", value)
    return int.from_bytes(packed, "little")


def from_bits(raw: int, type: Floating) -> Any:
    """Return the number that stands in memory."""
    form = "<d" if type.width == 64 else "<f"
    return float(struct.unpack(form, raw.to_bytes(type.width // 8, "little"))[0])


CANDIDATES = (0.0, 1.0, -1.0, 0.5, 2.0, -0.0, 10.0, 1e10, -1e10, 1e-10, math.inf, math.nan)
