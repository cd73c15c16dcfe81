"""Inputs of runs from shapes: what is computed of two numbers that have many values is any number.

So there are more runs than there are; the others, whose numbers are known, are among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster_check.memory.inputs import Inputs
from knaster_check.memory.values import Following, range_of
from knaster_check.program import Type

if TYPE_CHECKING:
    from knaster_check.memory.faults import Place
    from knaster_check.memory.machine import Machine

FEW = 300  # values that are taken one by one


class OpenInputs(Inputs):
    """Inputs of one run from a shape."""

    def compute(self, machine: Machine, sign: str, one: Any, other: Any, type: Type, place: Place) -> Any:
        """Return the result of an operator; nobody asks here whether it overflows."""
        many = [value for value in (one, other) if value.__class__ is Following and self.room(value) >= FEW]
        bounds = range_of(type)
        if bounds is not None and len(many) > (sign in "+-") and sign in "+-*&|^":
            return self.between(*bounds)
        return super().compute(machine, sign, one, other, type, place)

    def compare(self, sign: str, one: Any, other: Any) -> bool:
        """Tell how two numbers compare."""
        both = one.__class__ is Following and other.__class__ is Following
        if both and min(self.room(one), self.room(other)) >= FEW and one.number != other.number:
            return bool(self.pinned(self.between(0, 1)))
        return super().compare(sign, one, other)
