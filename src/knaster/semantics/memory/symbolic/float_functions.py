"""Functions of math.h on floating-point inputs: what a solver can compute, or what bits alone decide.

Others are `Unclear`, and so is what C leaves open (`mathematics`).
"""

from __future__ import annotations

from typing import Any

from knaster.program.expression import Comparison
from knaster.program.memory import Floating
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.symbolic.float_symbols import (
    FloatSymbol,
    apply_operator,
    compare_floats,
    test_float,
)

SOLVED = frozenset(["sqrt", "floor", "ceil", "trunc", "round", "rint", "fma"])
"""Functions that the theory of floating-point numbers has."""
_SPELLED = {"nearbyint": "rint"}


def call_function(name: str, given: tuple[Any, ...], type: Floating, has_errno: bool) -> Any:
    """Return what a function says of numbers of which one at least is a symbol."""
    name = _SPELLED.get(name, name)
    if name == "fabs":
        return abs(given[0])
    if name in ("fmin", "fmax"):
        return _extreme(name, given[0], given[1])
    if name not in SOLVED or (name == "fma" and has_errno):
        raise Unclear(f"'{name}' of a floating-point input is no term")
    if name == "sqrt" and has_errno and compare_floats(Comparison.LESS, given[0], 0.0):
        raise Unclear("whether 'sqrt' sets errno here is left to the library")
    return apply_operator(name, given, type)


def _extreme(name: str, one: Any, other: Any) -> Any:
    """Return the smaller or greater of two numbers, decided."""
    if _is_none(one):
        return other
    if _is_none(other):
        return one
    if _is_zero(one) and _is_zero(other):
        raise Unclear("which of two zeros is the smaller one is left open by C")
    first = compare_floats(Comparison.LESS if name == "fmin" else Comparison.GREATER, one, other)
    return one if first else other


def _is_none(value: Any) -> bool:
    return bool(test_float("isnan", value)) if isinstance(value, FloatSymbol) else value != value


def _is_zero(value: Any) -> bool:
    return bool(compare_floats(Comparison.EQUAL, value, 0.0)) if isinstance(value, FloatSymbol) else value == 0
