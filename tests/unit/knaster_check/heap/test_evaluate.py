"""Numbers of programs with references: what does not fit is a failure, as the interpreter says."""

from __future__ import annotations

import pytest

from knaster.program.expression import IntegerOperator
from knaster.program.types import Int
from knaster.semantics.heap import evaluate as interpreter
from knaster.semantics.heap.failure import Fails as OtherFails
from knaster_check.heap.evaluate import number, replaced
from knaster_check.heap.memory import UNREAD, Fails
from knaster_check.refused import Refused

LOW, HIGH = -(1 << 31), (1 << 31) - 1


@pytest.mark.parametrize("operator", list(IntegerOperator))
@pytest.mark.parametrize("width", [8, 32, 64])
def test_numbers(operator: IntegerOperator, width: int) -> None:
    for left in (LOW, -8, -7, -1, 0, 1, 5, 100, HIGH):
        for right in (LOW, -3, -1, 0, 1, 2, 31, 33, HIGH):
            if not (Int(width).holds(left) and Int(width).holds(right)):
                continue
            try:
                expected: int | str = interpreter.number(operator, left, right, Int(width))
            except OtherFails as fails:
                expected = fails.kind
            try:
                found: int | str = number(operator.value, left, right, ("int", width, True))
            except Fails as fails:
                found = fails.kind
            assert found == expected, (operator, left, right)


def test_parts_of_structs() -> None:
    assert replaced((1, (2, 3)), [1, 0], 9) == (1, (9, 3)) and replaced(5, [], 6) == 6
    assert replaced(UNREAD, [], 6) == 6
    with pytest.raises(Refused):
        replaced(UNREAD, [0], 6)
