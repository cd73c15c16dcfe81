"""Floating-point numbers: Python's are doubles; a single is one that was rounded.  How they stand in memory."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

from knaster.base.errors import Span
from knaster.program.memory import Floating
from knaster.program.types import Int
from knaster.semantics.memory.failure import VALUE, Fault


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


def to_bits(value: float, type: Floating) -> int:
    """Return how a number stands in memory."""
    packed = struct.pack("<d" if type.width == 64 else "<f", value)
    return int.from_bytes(packed, "little")


def from_bits(raw: int, type: Floating) -> Any:
    """Return the number that stands in memory."""
    form = "<d" if type.width == 64 else "<f"
    return float(struct.unpack(form, raw.to_bytes(type.width // 8, "little"))[0])


CANDIDATES = (0.0, 1.0, -1.0, 0.5, 2.0, -0.0, 10.0, 1e10, -1e10, 1e-10, math.inf, math.nan)


def _whole(compute: Callable[[float], float]) -> Callable[[float], float]:
    """Return a function to whole numbers that keeps infinities, and the sign of 0."""
    return lambda value: math.copysign(float(compute(value)), value) if math.isfinite(value) else value


def _away_from_zero(value: float) -> float:
    whole, rest = math.trunc(value), abs(value - math.trunc(value))  # mutant(-): its size only
    return whole + (1 if value > 0 else -1) if rest >= 0.5 else whole  # mutant(>): nothing is left of 0


def _root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _rest(one: float, other: float) -> float:
    """Return what is left of a division, with the sign of the first number."""
    if math.isinf(one) or other == 0 or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.fmod(one, other)


def _extreme(better: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """Return the greater or smaller of two numbers; of a number and none, the number."""
    return lambda one, other: other if math.isnan(one) else one if math.isnan(other) else better(one, other)


_EXACT: dict[str, Callable[..., float]] = {  # functions of math.h that have one result, correctly rounded
    "fabs": abs,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "round": _whole(_away_from_zero),
    "rint": _whole(round),
    "nearbyint": _whole(round),
    "sqrt": _root,
    "fmod": _rest,
    "fmin": _extreme(min),
    "fmax": _extreme(max),
    "copysign": math.copysign,
}
_TESTS: dict[str, Callable[[float], bool]] = {
    "isnan": math.isnan,
    "isinf": math.isinf,
    "isfinite": math.isfinite,
    "signbit": lambda value: math.copysign(1.0, value) < 0,  # mutant(<): it is 1 or -1
}


def _function(compute: Callable[..., float], type: Floating) -> Callable[..., Any]:
    def call(machine: Any, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
        found = compute(*given)  # of an input that is a term `fabs` alone is one
        return round_to(float(found), type) if isinstance(found, float | int) else found

    return call


def _constant(value: float) -> Callable[..., Any]:
    return lambda machine, frame, given, span: value


def _test(name: str, compute: Callable[[float], bool]) -> Callable[..., Any]:
    def test(machine: Any, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
        if isinstance(given[0], float | int):
            return int(compute(given[0]))
        from knaster.semantics.memory.symbolic.float_symbols import test_float

        return test_float(name, given[0])

    return test


MATHEMATICS: dict[str, Callable[..., Any]] = {
    **{name: _function(compute, Floating(64)) for name, compute in _EXACT.items()},
    **{f"{name}f": _function(compute, Floating(32)) for name, compute in _EXACT.items()},
    **{name: _test(name, compute) for name, compute in _TESTS.items()},
    **{name: _constant(math.inf) for name in ("inf", "inff", "huge_val", "huge_valf")},
    **{name: _constant(math.nan) for name in ("nan", "nanf")},
}
"""Functions of math.h, by name: each takes a machine, an activation, the arguments and where the call stands."""
