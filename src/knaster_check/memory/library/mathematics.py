"""Functions of math.h that have one result, correctly rounded; those of singles end in "f"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place
from knaster_check.memory.reals import rounded

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine


def _to_whole(whole: Callable[[float], int]) -> Callable[[float], float]:
    return lambda value: math.copysign(float(whole(value)), value) if math.isfinite(value) else value


def _nearest(value: float) -> int:
    """Return the nearest whole number without its sign, of two the one farther from 0."""
    below = math.floor(abs(value))
    return below + (abs(value) - below >= 0.5)


def _square_root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _remainder(one: float, other: float) -> float:
    if math.isnan(one) or math.isnan(other) or math.isinf(one) or other == 0:
        return math.nan
    return math.fmod(one, other)


def _least(one: float, other: float) -> float:
    return other if math.isnan(one) or other < one else one


def _greatest(one: float, other: float) -> float:
    return other if math.isnan(one) or other > one else one


_EXACT: dict[str, Callable[..., float]] = {
    **{"fabs": math.fabs, "floor": _to_whole(math.floor), "ceil": _to_whole(math.ceil), "trunc": _to_whole(math.trunc)},
    **{"round": _to_whole(_nearest), "rint": _to_whole(round), "nearbyint": _to_whole(round), "sqrt": _square_root},
    **{"fmod": _remainder, "fmin": _least, "fmax": _greatest, "copysign": math.copysign},
}
_TESTS: dict[str, Callable[[float], bool]] = {
    **{"isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite},
    "signbit": lambda value: math.copysign(1.0, value) < 0,  # mutant(<): no sign is 0
}


def _function(compute: Callable[..., float], width: int) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        return rounded(compute(*values), width)

    return call


def _test(holds: Callable[[float], bool]) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        return int(holds(values[0]))

    return call


def _constant(value: float) -> Function:
    return lambda machine, frame, values, place: value


MATHEMATICS: dict[str, Function] = {
    **{name: _function(compute, 64) for name, compute in _EXACT.items()},
    **{f"{name}f": _function(compute, 32) for name, compute in _EXACT.items()},
    **{name: _test(holds) for name, holds in _TESTS.items()},
    **{name: _constant(math.inf) for name in ("inf", "inff", "huge_val", "huge_valf")},
    **{name: _constant(math.nan) for name in ("nan", "nanf")},
}
