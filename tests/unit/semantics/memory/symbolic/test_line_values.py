"""What terms of floating-point numbers compute from bits."""

from __future__ import annotations

import math

import pytest

from knaster.program.expression import Const
from knaster.program.floating_point import from_bits, quiet_bits, to_bits
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import Int
from knaster.semantics.memory.symbolic.line_values import float_term_value

DOUBLE = Floating(64)


@pytest.mark.parametrize("type", [Int(32), Int(8, False)])
def test_a_number_that_no_integer_holds_is_made_0(type: Int) -> None:
    term = FloatTerm("convert", (Const(0),), DOUBLE, type)
    assert type.width is not None
    end = 2.0**type.width
    for value, found in (
        (math.inf, 0), (-math.inf, 0), (math.nan, 0), (end, 0), (-end, 0), (end - 0.5, int(end) - 1), (-2.5, -2),
    ):  # fmt: skip
        assert float_term_value(term, [to_bits(value, DOUBLE)]) == found, value


def test_what_is_no_number_has_one_pattern_of_bits() -> None:
    term = FloatTerm("-", (Const(0), Const(0)), DOUBLE, DOUBLE)
    assert float_term_value(term, [to_bits(math.inf, DOUBLE)] * 2) == quiet_bits(DOUBLE)
    assert from_bits(float_term_value(term, [to_bits(2.5, DOUBLE), to_bits(1.0, DOUBLE)]), DOUBLE) == 1.5
