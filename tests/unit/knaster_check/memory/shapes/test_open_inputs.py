"""Inputs of shapes: what is computed of many values is any number, of few it is computed."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory.shapes.open_inputs import FEW, OpenInputs
from knaster_check.memory.values import Following
from knaster_check.program import Type
from support.kernel_desk import Desk

INT: Type = ("int", 32, True)
PLACE = (1, 1)


def computed(sign: str, *operands: int | tuple[int, int], type: Type = INT) -> Any:
    """Return what is computed of numbers and of inputs of some intervals: its interval, or the number."""
    inputs, desk = OpenInputs(), Desk()
    desk.machine.inputs = inputs
    one, other = (inputs.between(*each) if isinstance(each, tuple) else each for each in operands)
    found = inputs.compute(desk.machine, sign, one, other, type, PLACE)
    if not isinstance(found, Following):
        return found
    return found.value, found.value + found.sign * inputs.room(found), found.number


ANY_INT = (-(1 << 31), (1 << 31) - 1)


@pytest.mark.parametrize(
    ("sign", "operands", "found"),
    [
        ("+", ((0, FEW), 1), (1, FEW + 1, 0)),
        ("-", ((0, FEW), 1), (-1, FEW - 1, 0)),
        ("+", ((0, FEW), (0, FEW)), (*ANY_INT, 2)),
        ("-", ((0, FEW), (0, FEW)), (*ANY_INT, 2)),
        ("+", ((0, FEW), (7, FEW + 6)), (7, FEW + 7, 0)),
        ("+", ((7, FEW + 6), (0, FEW)), (7, FEW + 7, 1)),
        ("*", ((0, FEW), 2), (*ANY_INT, 1)),
        ("*", (2, (0, FEW)), (*ANY_INT, 1)),
        ("&", ((0, FEW), 2), (*ANY_INT, 1)),
        ("|", ((0, FEW), 2), (*ANY_INT, 1)),
        ("^", ((0, FEW), 2), (*ANY_INT, 1)),
        ("*", ((3, FEW + 2), 2), 6),
        ("/", ((6, FEW + 5), 2), 3),
    ],
)
def test_what_is_computed(sign: str, operands: Any, found: Any) -> None:
    assert computed(sign, *operands) == found


def test_divisions_of_many_values_are_tried_one_by_one() -> None:
    assert computed("/", (6, FEW + 6), 2) == 3
    assert computed("<<", (6, FEW + 6), 2) == 24
    assert computed("*", (6, FEW + 6), 2, type=("int", None, True)) == 12


def test_two_numbers_of_many_values_compare_in_both_ways() -> None:
    inputs = OpenInputs()
    one, other = inputs.between(0, FEW), inputs.between(0, FEW)
    assert not inputs.compare("==", one, other)  # 0 == 0, and yet
    assert len(inputs.values) == 3 and inputs.last[2] == 1 and inputs.reach[2] == 0
    assert inputs.reach[:2] == [FEW, FEW]
    again = OpenInputs([0, 0, 1])
    assert again.compare("<", again.between(0, FEW), again.between(0, FEW))


def test_others_compare_as_they_are() -> None:
    inputs = OpenInputs()
    few, many = inputs.between(3, FEW + 2), inputs.between(4, 4 + FEW)
    assert inputs.compare("<", few, many) and inputs.reach[0] == 3 and len(inputs.values) == 2
    assert inputs.compare("==", many, Following(4, 1, 1)) and len(inputs.values) == 2
    assert inputs.compare(">", many, 3) and inputs.compare("<", 3, many) and len(inputs.values) == 2
    assert inputs.compare("==", many, 4) and inputs.reach[1] == 4
