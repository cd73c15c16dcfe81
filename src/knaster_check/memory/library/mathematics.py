"""Functions of math.h that have one result, which IEEE 754 or C fixes; those of singles end in "f".

Where C leaves something open (the sign of what is no number, the smaller of two zeros, whether `errno` is set, an
integer that does not fit) the kernel says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place
from knaster_check.memory.reals import bits_of, from_bits, nearest_real, rounded
from knaster_check.memory.values import OpenReal
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine

_SUFFIXES = {"": 64, "f": 32}
_NORMAL = {64: 2.0**-1022, 32: 2.0**-126}  # the smallest normal numbers
_INT = ("int", 32, True)


def _to_whole(whole: Callable[[float], int]) -> Callable[[float], float]:
    return lambda value: math.copysign(float(whole(value)), value) if math.isfinite(value) else value


def _nearest(value: float) -> int:
    """Return the nearest whole number without its sign, of two the one farther from 0."""
    below = math.floor(abs(value))
    return below + (abs(value) - below >= 0.5)


def _square_root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _left_over(rest: Callable[[float, float], float]) -> Callable[[float, float], float]:
    def compute(one: float, other: float) -> float:
        if math.isnan(one) or math.isnan(other) or math.isinf(one) or other == 0:
            return math.nan
        return rest(one, other)

    return compute


def _sign(value: float) -> float:
    if math.isnan(value):
        raise Unsupported("the sign of what is no number is left open by C")
    return math.copysign(1.0, value)


def _extreme(is_better: Callable[[float, float], bool]) -> Callable[[float, float], float]:
    def compute(one: float, other: float) -> float:
        if one == other == 0 and _sign(one) != _sign(other):
            raise Unsupported("which of two zeros is the smaller one is left open by C")
        return other if math.isnan(one) or is_better(other, one) else one

    return compute


def _above(one: float, other: float) -> float:
    if one == other:
        return 0.0  # of infinities, too
    return 0.0 if one < other else one - other  # mutant(<): they are not equal


def _times_power(value: float, power: int) -> float:
    if value == 0 or not math.isfinite(value):
        return value
    return nearest_real(Fraction(value) * Fraction(2) ** min(max(power, -4000), 4000), 64)


def _exponent(value: float) -> float:
    if not math.isfinite(value):
        return abs(value)
    return float(math.frexp(value)[1] - 1) if value else -math.inf


_EXACT: dict[str, Callable[..., float]] = {
    **{"fabs": math.fabs, "floor": _to_whole(math.floor), "ceil": _to_whole(math.ceil), "trunc": _to_whole(math.trunc)},
    **{"round": _to_whole(_nearest), "rint": _to_whole(round), "nearbyint": _to_whole(round), "sqrt": _square_root},
    **{"fmod": _left_over(math.fmod), "fdim": _above, "logb": _exponent},
    **dict.fromkeys(("remainder", "drem"), _left_over(math.remainder)),
    # mutant(<, >): of two that are equal, either
    **{"fmin": _extreme(lambda one, other: one < other), "fmax": _extreme(lambda one, other: one > other)},
    **{"copysign": lambda one, other: math.copysign(one, _sign(other))},
    **dict.fromkeys(("ldexp", "scalbn", "scalbln"), _times_power),
}
_QUIET = ("fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "fmin", "fmax", "copysign")  # no errors
_TESTS: dict[str, Callable[[float], bool]] = {
    **{"isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite},
    "signbit": lambda value: _sign(value) < 0,  # mutant(<): no sign is 0
}


def _fused(one: float, other: float, third: float, width: int) -> float:
    if not math.isfinite(one) or not math.isfinite(other):
        return one * other + third
    if not math.isfinite(third):
        return third
    exact = Fraction(one) * Fraction(other) + Fraction(third)
    if exact:
        return nearest_real(exact, width)
    return 0.0 if one and other else one * other + third


def _neighbour(one: float, other: float, width: int) -> float:
    if math.isnan(one) or math.isnan(other) or one == other:
        return other if one == other else math.nan
    if one == 0:
        return math.copysign(from_bits(1, width // 8), other)
    away = (one < other) == (one > 0)  # mutant(<, >): they are not equal, and none is 0
    return from_bits(bits_of(one, width) + (1 if away else -1), width // 8)


def _check_errors(machine: Machine, name: str, values: list[Any], found: float) -> None:
    """Say nothing where the program looks at `errno` and a function may set it."""
    odd = not math.isfinite(found) or abs(found) < _NORMAL[32]
    if name not in _QUIET and "errno" in machine.globals and odd:
        raise Unsupported(f"the kernel does not know whether '{name}' sets errno")


def _function(name: str, compute: Callable[..., float], width: int) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        plain = [value.value if isinstance(value, OpenReal) else value for value in values]
        if any(isinstance(value, OpenReal) for value in values):
            if len(values) > 1 or "errno" in machine.globals:
                raise Unsupported(f"the kernel does not know '{name}' of inputs")
            return machine.inputs.call_real(name, values[0], rounded(compute(*plain), width))
        found = rounded(compute(*plain), width)
        _check_errors(machine, name, values, found)
        return found

    return call


def _with_width(compute: Callable[..., float], width: int) -> Callable[..., float]:
    return lambda *values: compute(*map(float, values), width)


def _test(name: str, holds: Callable[[float], bool]) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        if isinstance(values[0], OpenReal):
            return int(machine.inputs.test_real(name, values[0]))
        return int(holds(values[0]))

    return call


def _constant(value: float) -> Function:
    return lambda machine, frame, values, place: value


def _plain(value: Any) -> float:
    if isinstance(value, OpenReal):
        raise Unsupported("the kernel does not know this function of inputs")
    return float(value)


def _integer(name: str, bits: int | None) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        found, most = _EXACT[name](_plain(values[0])), 1 << (bits or 8 * machine.pointer) - 1
        if not math.isfinite(found) or not -most <= int(found) < most:
            raise Unsupported("a number is rounded to an integer that does not hold it")
        return int(found)

    return call


def _ilogb(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    found = _exponent(_plain(values[0]))
    if not math.isfinite(found):
        raise Unsupported("what 'ilogb' says here is left to the library")
    return int(found)


def _frexp(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    value = _plain(values[0])
    if not math.isfinite(value):
        machine.store(values[1], _INT, machine.inputs.choose(_INT), place)
        return value
    part, exponent = math.frexp(value)
    machine.store(values[1], _INT, exponent, place)
    return part


def _modf(width: int) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        value = _plain(values[0])
        part, whole = math.modf(value)
        machine.store(values[1], ("floating", width), whole, place)
        return part

    return call


def _kind(value: float, width: int) -> int:
    """Return which of the numbers that `fpclassify` is given is said: none, infinite, normal, smaller, 0."""
    if not math.isfinite(value):
        return 0 if math.isnan(value) else 1
    return 4 if value == 0 else 2 if abs(value) >= _NORMAL[width] else 3


def _classify(width: int) -> Function:
    return lambda machine, frame, values, place: values[_kind(_plain(values[5]), width)]


def _is_normal(width: int) -> Function:
    return lambda machine, frame, values, place: int(_kind(_plain(values[0]), width) == 2)


def _of_width(suffix: str, width: int) -> dict[str, Function]:
    found = {
        **{name: _function(name, compute, width) for name, compute in _EXACT.items()},
        "fma": _function("fma", _with_width(_fused, width), width),
        "nextafter": _function("nextafter", _with_width(_neighbour, width), width),
        **{f"l{name}": _integer(name, None) for name in ("round", "rint")},
        **{f"ll{name}": _integer(name, 64) for name in ("round", "rint")},
        **{"ilogb": _ilogb, "frexp": _frexp, "modf": _modf(width)},
        **{"fpclassify": _classify(width), "isnormal": _is_normal(width)},
    }
    return {f"{name}{suffix}": function for name, function in found.items()}


MATHEMATICS: dict[str, Function] = {
    **{name: function for item in _SUFFIXES.items() for name, function in _of_width(*item).items()},
    **{name: _test(name, holds) for name, holds in _TESTS.items()},
    **{name: _constant(math.inf) for name in ("inf", "inff", "huge_val", "huge_valf")},
    **{name: _constant(math.nan) for name in ("nan", "nanf")},
}
