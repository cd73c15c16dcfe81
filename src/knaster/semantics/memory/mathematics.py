"""Functions of math.h that have one result, which IEEE 754 or C fixes; those of singles end in "f".

What C leaves open is `Unclear`: whether `errno` is set where there is none or none that fits (if the program has it),
the sign of what is no number, which of two zeros is the smaller one, and an integer that does not fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.floating_point import OF_ONE, from_bits, fused, round_to, scale, to_bits
from knaster.program.memory import Floating
from knaster.program.types import Int
from knaster.semantics.memory.failure import Unclear

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Machine

Does = Callable[..., Any]
DOUBLE, SINGLE = Floating(64), Floating(32)
_CLASSES = ("nan", "inf", "normal", "subnormal", "zero")  # in the order of the arguments of `fpclassify`
_LEAST_NORMAL = {"": 2.0**-1022, "f": 2.0**-126}


def _rest(one: float, other: float) -> float:
    """Return what is left of a division, with the sign of the first number."""
    if math.isinf(one) or other == 0 or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.fmod(one, other)


def _nearest_rest(one: float, other: float) -> float:
    """Return what is left of a division to the nearest whole number."""
    if math.isinf(one) or other == 0 or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.remainder(one, other)


def _extreme(better: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """Return the greater or smaller of two numbers; of a number and none, the number."""

    def choose(one: float, other: float) -> float:
        if one == 0 == other and _is_signed(one) is not _is_signed(other):
            raise Unclear("which of two zeros is the smaller one is left open by C")
        return other if math.isnan(one) else one if math.isnan(other) else better(one, other)

    return choose


def _difference(one: float, other: float) -> float:
    """Return how much one number is above another one, 0 where it is not (`fdim`)."""
    if math.isnan(one) or math.isnan(other):
        return math.nan
    return one - other if one > other else 0.0


def _is_signed(value: float) -> bool:
    return math.copysign(1.0, value) < 0  # mutant(<): it is 1 or -1


def _copy_sign(one: float, other: float) -> float:
    if math.isnan(other):
        raise Unclear("the sign of what is no number is used, and C leaves it open")
    return math.copysign(one, other)


def _exponent(value: float) -> float:
    """Return the exponent of a number with one digit before the point (`logb`)."""
    if math.isnan(value):
        return value
    if value == 0:
        return -math.inf
    return math.inf if math.isinf(value) else float(math.frexp(value)[1] - 1)


_EXACT: dict[str, Callable[..., float]] = {
    **OF_ONE,
    "nearbyint": OF_ONE["rint"],
    "fmod": _rest,
    "remainder": _nearest_rest,
    "drem": _nearest_rest,
    "fmin": _extreme(min),
    "fmax": _extreme(max),
    "fdim": _difference,
    "copysign": _copy_sign,
    "ldexp": scale,
    "scalbn": scale,
    "scalbln": scale,
    "logb": _exponent,
}
_NO_ERRORS = frozenset(["fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "fmin", "fmax", "copysign"])
_EXACT_ZEROS = frozenset(["sqrt", "fmod", "remainder", "drem", "fdim", "logb"])  # 0 is no error there
_TESTS: dict[str, Callable[[float], bool]] = {
    "isnan": math.isnan,
    "isinf": math.isinf,
    "isfinite": math.isfinite,
    "signbit": lambda value: _copy_sign(1.0, value) < 0,  # mutant(<): it is 1 or -1
}


def _next(one: float, other: float, type: Floating) -> float:
    """Return the neighbour of a number in the direction of another one (`nextafter`)."""
    if math.isnan(one) or math.isnan(other):
        return math.nan
    if one == other:
        return other
    if one == 0:
        return math.copysign(from_bits(1, type), other)
    step = 1 if (other > one) is (one > 0) else -1  # mutant(>): they are not equal, and none is 0
    return float(from_bits(to_bits(one, type) + step, type))


def _watch(machine: Machine, name: str, given: tuple[Any, ...], found: float) -> None:
    """Raise `Unclear` where a function may set `errno` and the program has it."""
    if name in _NO_ERRORS or "errno" not in machine.globals:
        return
    odd = not math.isfinite(found) or abs(found) < 2.0**-126
    exact = found == 0 and name in _EXACT_ZEROS
    if odd and not exact and all(math.isfinite(value) for value in given):
        raise Unclear(f"whether '{name}' sets errno here is left to the library")


def _function(name: str, compute: Callable[..., float], type: Floating) -> Does:
    def call(machine: Machine, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
        if not all(isinstance(value, float | int) for value in given):
            from knaster.semantics.memory.symbolic.float_functions import call_function

            return call_function(name, given, type, "errno" in machine.globals)
        found = round_to(float(compute(*given)), type)
        _watch(machine, name, given, found)
        return found

    return call


def _typed(name: str, compute: Callable[..., float], type: Floating) -> Does:
    """Return a function that has to know what it rounds to."""
    return _function(name, lambda *given: compute(*map(float, given), type), type)


def _constant(value: float) -> Does:
    return lambda machine, frame, given, span: value


def _test(name: str, compute: Callable[[float], bool]) -> Does:
    def test(machine: Any, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
        if isinstance(given[0], float | int):
            return int(compute(given[0]))
        from knaster.semantics.memory.symbolic.float_symbols import test_float

        return test_float(name, given[0])

    return test


def _to_integer(name: str, far: bool) -> Does:
    """Return a function to `long`, or `long long`, where the number has one."""

    def call(machine: Machine, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
        found = _EXACT[name](float(given[0]))
        type = Int(64 if far else 8 * machine.layout.pointer)
        if not math.isfinite(found) or not type.holds(int(found)):
            raise Unclear("a floating-point number is rounded to an integer that cannot hold it: C leaves that open")
        return int(found)

    return call


def _ilogb(machine: Machine, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
    value = float(given[0])
    if value == 0 or not math.isfinite(value):
        raise Unclear("'ilogb' is asked of a number without an exponent, which the library answers as it likes")
    return int(_exponent(value))


def _frexp(machine: Machine, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
    value = float(given[0])
    fraction, exponent = math.frexp(value) if math.isfinite(value) else (value, None)
    if exponent is None:
        exponent = machine.choose(Int(32), "frexp() (left open)", span)
    machine.store(given[1], Int(32), exponent, span)
    return fraction


def _modf(type: Floating) -> Does:
    def call(machine: Machine, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
        value = float(given[0])
        whole = _EXACT["trunc"](value)
        machine.store(given[1], type, whole, span)
        return math.copysign(0.0, value) if math.isinf(value) else math.copysign(value - whole, value)

    return call


def class_of(value: float, least: float) -> str:
    """Return what kind of number a number is; `least` is the smallest normal one of its type."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf"
    return "zero" if value == 0 else "subnormal" if abs(value) < least else "normal"


def _classify(least: float) -> Does:
    def call(machine: Machine, frame: Any, given: tuple[Any, ...], span: Span) -> Any:
        *names, value = given
        return dict(zip(_CLASSES, names, strict=True))[class_of(float(value), least)]

    return call


def _is_normal(least: float) -> Does:
    return lambda machine, frame, given, span: int(class_of(float(given[0]), least) == "normal")


def _both_widths(names: dict[str, Callable[..., float]]) -> dict[str, Does]:
    doubles = {name: _function(name, compute, DOUBLE) for name, compute in names.items()}
    return {**doubles, **{f"{name}f": _function(name, compute, SINGLE) for name, compute in names.items()}}


WITH_POINTERS: dict[str, Does] = {
    **{"frexp": _frexp, "frexpf": _frexp},
    **{"modf": _modf(DOUBLE), "modff": _modf(SINGLE)},
}
"""Functions of math.h that write through their last argument."""

MATHEMATICS: dict[str, Does] = {
    **_both_widths(_EXACT),
    **{f"fma{suffix}": _typed("fma", fused, type) for suffix, type in (("", DOUBLE), ("f", SINGLE))},
    **{f"nextafter{suffix}": _typed("nextafter", _next, type) for suffix, type in (("", DOUBLE), ("f", SINGLE))},
    **{name: _test(name, compute) for name, compute in _TESTS.items()},
    **{f"l{name}{suffix}": _to_integer(name, False) for name in ("round", "rint") for suffix in ("", "f")},
    **{f"ll{name}{suffix}": _to_integer(name, True) for name in ("round", "rint") for suffix in ("", "f")},
    **{"ilogb": _ilogb, "ilogbf": _ilogb},
    **{f"fpclassify{suffix}": _classify(least) for suffix, least in _LEAST_NORMAL.items()},
    **{f"isnormal{suffix}": _is_normal(least) for suffix, least in _LEAST_NORMAL.items()},
    **{name: _constant(math.inf) for name in ("inf", "inff", "huge_val", "huge_valf")},
    **{name: _constant(math.nan) for name in ("nan", "nanf")},
}
"""Functions of math.h, by name: each takes a machine, an activation, the arguments and where the call stands."""
