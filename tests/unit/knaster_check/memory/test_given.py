"""Inputs that a file says: each is a value of the type that is read, and there are enough of them."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check import Refused
from knaster_check.memory.given import GivenInputs
from knaster_check.memory.values import NULL, WILD, Image
from knaster_check.program import Type
from knaster_check.refused import Unsupported

SIGNED: Type = ("int", 8, True)


@pytest.mark.parametrize(
    ("row", "type", "value"),
    [
        (True, ("bool",), True),
        (-128, SIGNED, -128),
        (255, ("int", 8, False), 255),
        (["pointer", 0], ("address", 8), NULL),
        (["pointer", WILD.offset], ("address", 8), WILD),
        (["bytes", 12], ("bytes", 12), Image(12, {})),
        ("0x1.8p+0", ("floating", 32), 1.5),
        ("0x1.000001p+0", ("floating", 64), 1 + 2**-24),
        ("inf", ("floating", 32), float("inf")),
    ],
)
def test_a_value_of_the_type_is_read(row: Any, type: Type, value: Any) -> None:
    found = GivenInputs([row]).choose(type)
    assert found == value
    assert found.__class__ is value.__class__


@pytest.mark.parametrize(
    ("row", "type"),
    [
        (1, ("bool",)),
        (True, SIGNED),
        (128, SIGNED),
        (-129, SIGNED),
        (-1, ("int", 8, False)),
        ("0x1p+0", SIGNED),
        (["pointer", 16], ("address", 8)),
        (0, ("address", 8)),
        (["bytes", 11], ("bytes", 12)),
        ("0x1.000001p+0", ("floating", 32)),
        ("x", ("floating", 64)),
        (1, ("floating", 64)),
    ],
)
def test_another_value_is_refused(row: Any, type: Type) -> None:
    with pytest.raises(Refused) as refused:
        GivenInputs([row]).choose(type)
    assert not isinstance(refused.value, Unsupported)


def test_there_are_enough() -> None:
    inputs = GivenInputs([1])
    assert inputs.choose(SIGNED) == 1
    with pytest.raises(Refused, match="more inputs"):
        inputs.choose(SIGNED)


def test_numbers_between_bounds() -> None:
    inputs = GivenInputs([0, 7, -1, True])
    assert inputs.between(-1, 0) == 0
    assert inputs.between(3, 3) == 3  # nothing is read
    assert inputs.between(-1, 0) == -1
    assert inputs.between(-1, 0) == -1
    with pytest.raises(Refused, match="no number"):
        inputs.between(0, 1)


def test_what_is_not_a_number_is_not_judged() -> None:
    with pytest.raises(Unsupported, match="not a number"):
        GivenInputs(["nan"]).choose(("floating", 64))
