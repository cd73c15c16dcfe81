"""Numbers that follow an input: sums and differences with constants, conversions, comparisons.

Each notes up to which value of the input the answer is the same (`inputs.Inputs.keep`); everything else pins them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place
from knaster_check.memory.numbers import ORDERS
from knaster_check.memory.values import Following, range_of
from knaster_check.program import Type

if TYPE_CHECKING:
    from knaster_check.memory.inputs import Inputs
    from knaster_check.memory.machine import Machine

_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_FAR = 1 << 200  # beyond every number of a type


def follow_sum(machine: Machine, sign: str, one: Any, other: Any, type: Type, place: Place) -> Any:
    """Return a sum or a difference of numbers of which one at least follows an input."""
    inputs = machine.inputs
    if one.__class__ is Following and other.__class__ is Following:
        if inputs.room(one) <= inputs.room(other):  # mutant(<=): which of two alike is pinned
            one = inputs.pinned(one)
        else:
            other = inputs.pinned(other)
    if one.__class__ is Following:
        found = Following(one.value + other if sign == "+" else one.value - other, one.number, one.sign)
    elif sign == "+":
        found = Following(one + other.value, other.number, other.sign)
    else:
        found = Following(one - other.value, other.number, -other.sign)
    bounds = range_of(type)
    if bounds is not None and type[2]:
        low, high = bounds
        if found.value < low or found.value > high:
            machine.note("overflow", place)
    return follow_into(inputs, found, type)


def follow_into(inputs: Inputs, value: Following, type: Type) -> Following:
    """Return a number that follows an input as one of a type, into which it wraps."""
    bounds = range_of(type)
    if bounds is None:
        return value
    low, high = bounds
    shift = (value.value - low) // (high - low + 1) * (high - low + 1)
    inputs.keep(value, low + shift, high + shift)
    return value if not shift else Following(value.value - shift, value.number, value.sign)


def compare_following(inputs: Inputs, sign: str, one: Any, other: Any) -> bool:
    """Tell how two numbers compare of which one at least follows an input."""
    if one.__class__ is Following:
        if other.__class__ is Following:
            if (one.number, one.sign) == (other.number, other.sign):
                return ORDERS[sign](one.value, other.value)  # they grow together
            if inputs.room(one) < inputs.room(other):  # mutant: which of the two is pinned
                return compare_with(inputs, _TURNED[sign], other, inputs.pinned(one))
        return compare_with(inputs, sign, one, inputs.pinned(other))
    return compare_with(inputs, _TURNED[sign], other, one)


def compare_with(inputs: Inputs, sign: str, one: Following, number: int) -> bool:
    """Compare with a constant, and note up to where the answer is the same."""
    value = one.value
    last = number if sign in ("<=", ">") else number - 1  # the last number below the border
    if sign in ("==", "!=") and value == number:
        inputs.keep(one, number, number)
    elif value <= last:
        inputs.keep(one, -_FAR, last)
    else:
        inputs.keep(one, (number if sign in ("<", ">=") else number + 1), _FAR)
    return ORDERS[sign](value, number)
