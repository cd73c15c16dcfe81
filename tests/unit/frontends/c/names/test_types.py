"""Types of C: the variables that hold an object, and the conversions of the standard."""

from __future__ import annotations

import pytest

from knaster.frontends.c.names.types import (
    CHAR,
    INT,
    Boolean,
    Integer,
    Leaf,
    Record,
    Scalar,
    Vector,
    array_of,
    common,
    in_model,
    leaves,
    promote,
)
from knaster.program.types import BOOL, INTEGER, Array, Int

LONG, UNSIGNED, UCHAR = Integer(64), Integer(32, False), Integer(8, False)
PAIR = Record("P#1", (("c", CHAR), ("rows", Vector(Record("Q#2", (("n", LONG),)), 3))))


def test_leaves() -> None:
    assert list(leaves(Vector(PAIR, 2), "x")) == [Leaf("x.c", CHAR, (2,)), Leaf("x.rows.n", LONG, (2, 3))]


@pytest.mark.parametrize(
    ("left", "right", "type"),
    [
        (CHAR, UCHAR, INT),
        (Boolean(), Boolean(), INT),
        (INT, UNSIGNED, UNSIGNED),
        (UNSIGNED, LONG, LONG),
        (LONG, INT, LONG),
    ],
)
def test_the_type_of_two_operands(left: Scalar, right: Scalar, type: Integer) -> None:
    assert common(left, right) == common(right, left) == type


def test_promotion() -> None:
    assert [promote(type) for type in (Boolean(), UCHAR, UNSIGNED, LONG)] == [INT, INT, UNSIGNED, LONG]


def test_types_of_the_model() -> None:
    assert in_model(Boolean(), True) == BOOL and in_model(INT, False) == Int(32, True)
    assert in_model(INT, True) == INTEGER and in_model(UNSIGNED, True) == Int(32, False)
    assert array_of(BOOL, (2, 3)) == Array(Array(BOOL, 3), 2)
