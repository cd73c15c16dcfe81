"""Floating-point numbers of IEEE 754: what operations compute, and what terms over bits do.

Python's numbers are doubles; a single is one that was rounded.  What is no number has one pattern of bits here where a
term computes it: nobody gets to see its bits.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from knaster.program.expression import Expr, postorder
from knaster.program.memory import Floating, FloatTerm
from knaster.program.model import Program, expressions
from knaster.program.types import Bool, Int

_FAR = 5_000  # no exponent goes so far
SIGNS = ("+", "-", "*", "/")


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


def fused(one: float, other: float, third: float, type: Floating) -> float:
    """Return a product and a sum that are rounded once (`fma`)."""
    if not math.isfinite(one) or not math.isfinite(other):
        return one * other + third
    if not math.isfinite(third):
        return third
    exact = Fraction(one) * Fraction(other) + Fraction(third)
    if exact == 0:
        return one * other + third if 0 in (one, other) else 0.0
    return nearest(exact, type)


def nearest(exact: Fraction, type: Floating) -> float:
    """Return the number of a type that is nearest to one that is not 0, the even one of two."""
    digits, least = (53, -1074) if type.width == 64 else (24, -149)
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    unit = max(exponent - digits, least)
    if round(size / Fraction(2) ** unit) >= 1 << digits:
        unit += 1
    found = scale(float(round(size / Fraction(2) ** unit)), unit)
    return math.copysign(round_to(found, type), 1 if exact > 0 else -1)  # mutant(>): it is not 0


def scale(value: float, exponent: int) -> float:
    """Return a number times a power of 2."""
    if not math.isfinite(value) or value == 0:
        return value
    try:
        return math.ldexp(value, max(-_FAR, min(_FAR, exponent)))
    except OverflowError:
        return math.copysign(math.inf, value)


def _whole(compute: Callable[[float], float]) -> Callable[[float], float]:
    """Return a function to whole numbers that keeps infinities, and the sign of 0."""
    return lambda value: math.copysign(float(compute(value)), value) if math.isfinite(value) else value


def _away_from_zero(value: float) -> float:
    whole, rest = math.trunc(value), abs(value - math.trunc(value))  # mutant(-): its size only
    return whole + (1 if value > 0 else -1) if rest >= 0.5 else whole  # mutant(>): nothing is left of 0


def _root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


OF_ONE: dict[str, Callable[[float], float]] = {
    "fabs": abs,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "round": _whole(_away_from_zero),
    "rint": _whole(round),
    "sqrt": _root,
}
"""Functions of one number, which they round to its type."""
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "==": lambda one, other: one == other,
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
}


def term_value(term: FloatTerm, raws: Sequence[int]) -> int:
    """Return what a term computes from bits, or from an integer."""
    if isinstance(term.type, Int):
        assert isinstance(term.result, Floating)
        return to_bits(from_number(raws[0], term.result), term.result)
    given = [from_bits(raw & (1 << term.type.width) - 1, term.type) for raw in raws]
    if isinstance(term.result, Bool):
        return _COMPARISONS[term.operator](*given)
    if isinstance(term.result, Int):
        inside = math.isfinite(given[0]) and term.result.holds(int(given[0]))
        return int(given[0]) if inside else 0  # nobody asks where it is not inside
    return to_bits(_number(term.operator, given, term.result), term.result)


def _number(operator: str, given: Sequence[float], type: Floating) -> float:
    if operator in SIGNS:
        return compute(operator, given[0], given[1], type)
    if operator == "fma":
        return fused(given[0], given[1], given[2], type)
    return round_to(given[0] if operator == "convert" else float(OF_ONE[operator](given[0])), type)


def computes_floats(expr: Expr) -> bool:
    """Tell whether an expression over bits computes with floating-point numbers."""
    return any(isinstance(node, FloatTerm) for node in postorder(expr))


def has_floats(program: Program) -> bool:
    """Tell whether a program over integers computes with floating-point numbers, by their bits."""
    edges = (edge for procedure in program.procedures for edge in procedure.edges)
    return any(computes_floats(expr) for edge in edges for expr in expressions(edge.action))
