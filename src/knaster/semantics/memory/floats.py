"""Floating-point numbers (`program.floating_point`) as C has them: how they stand in memory, and as integers.

Which bits a result has that is no number (its sign among them) is left open by C and IEEE 754: it stands in memory as
`NotANumber`, which can be read as a floating-point number and as nothing else.
"""

from __future__ import annotations

import math
from typing import Any

from knaster.base.errors import Span
from knaster.program.floating_point import to_bits
from knaster.program.memory import Floating
from knaster.program.types import Int
from knaster.semantics.memory.failure import VALUE, Fault

OPEN_BITS = "the bits of a floating-point result that is no number are used, and C leaves them open"


class NotANumber:
    """The bits of a floating-point number that is none: they are those of copies, and perhaps those of others."""

    __slots__ = ()


def to_number(value: float, type: Int, span: Span) -> int:
    """Return a floating-point number without its fraction; undefined where it is none of the type."""
    if math.isnan(value) or math.isinf(value) or not type.holds(int(value)):
        raise Fault(VALUE, span, "a floating-point number is made an integer that cannot hold it")
    return int(value)


def to_raw_float(value: float, type: Floating) -> Any:
    """Return how a number stands in memory; what is none has no bits that anybody knows."""
    return NotANumber() if math.isnan(value) else to_bits(value, type)


CANDIDATES = (0.0, 1.0, -1.0, 0.5, 2.0, -0.0, 10.0, 1e10, -1e10, 1e-10, math.inf, math.nan)
