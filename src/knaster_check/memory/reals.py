"""Floating-point numbers of IEEE 754: Python's are doubles, and a single is a double that was rounded to one."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import Any

from knaster_check.memory.faults import Place, Undefined
from knaster_check.program import Type
from knaster_check.refused import Unsupported


def rounded(value: float, width: int) -> float:
    """Return the number of so many bits that is nearest to a double."""
    if width == 64 or not math.isfinite(value):
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def operate(sign: str, one: float, other: float, width: int) -> float:
    """Return a sum, a difference, a product or a quotient, rounded to so many bits."""
    if sign == "/":
        return rounded(_divide(one, other), width)
    return rounded(one + other if sign == "+" else one - other if sign == "-" else one * other, width)


def _divide(one: float, other: float) -> float:
    if other != 0:
        return one / other
    if one == 0 or math.isnan(one):
        return math.nan
    return math.inf if math.copysign(1.0, one) == math.copysign(1.0, other) else -math.inf


def nearest_real(exact: Fraction, width: int) -> float:
    """Return the number of so many bits that is nearest to a fraction, the even one of two neighbours."""
    digits, least = (53, -1074) if width == 64 else (24, -149)
    size = abs(exact)
    unit = max(least, size.numerator.bit_length() - size.denominator.bit_length() - digits - 1)
    while size >= Fraction(2) ** (unit + digits):  # mutant(>=): what is as large is halved below
        unit += 1
    whole = round(size / Fraction(2) ** unit)
    if whole >= 1 << digits:
        unit, whole = unit + 1, whole // 2  # a power of 2
    found = math.inf if unit + digits > (1024 if width == 64 else 128) else math.ldexp(float(whole), unit)
    return found if exact >= 0 else -found


def to_real(value: Any, width: int) -> float:
    """Return a number as one of so many bits, rounded once, to the even one of two neighbours."""
    if isinstance(value, float):
        return rounded(value, width)
    if not isinstance(value, int):
        raise Unsupported("a number that was made from a pointer is made a floating-point number")
    if width == 64 or abs(value) < 1 << 53:  # mutant(<): this one is a double, too
        return rounded(float(value), width)
    unit = 1 << abs(value).bit_length() - 24
    return rounded(math.copysign(float(round(Fraction(abs(value), unit)) * unit), value), width)


def to_integer(value: float, type: Type, place: Place) -> int:
    """Return a number without its fraction; undefined where the type does not hold it."""
    if not math.isfinite(value):
        raise Undefined("value", place)
    whole, (_, width, signed) = math.trunc(value), type
    low, high = (-(1 << width - 1), 1 << width - 1) if signed else (0, 1 << width)
    if not low <= whole < high:
        raise Undefined("value", place)
    return whole


def to_bits(value: float, size: int) -> bytes:
    """Return how a number stands in memory."""
    return struct.pack("<d" if size == 8 else "<f", value)


def bits_of(value: float, width: int) -> int:
    """Return the bits of a number; of what is none, some that are none."""
    if math.isnan(value):
        return 0x7FF8 << 48 if width == 64 else 0x7FC0 << 16
    return int.from_bytes(to_bits(value, width // 8), "little")


def from_bits(raw: int, size: int) -> float:
    """Return the number that stands in memory."""
    return float(struct.unpack("<d" if size == 8 else "<f", raw.to_bytes(size, "little"))[0])
