"""Formulas, types and values of texts: what is just right is read, and what is just wrong is refused."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check import Refused
from knaster_check.formula import arity, read_formula, read_type, read_value
from knaster_check.program import BOOL, Reference


@pytest.mark.parametrize("row", [None, 5, "self", {}, {"0": "self"}, [], [5], [None], [["self"]], ["nothing"], [""]])
def test_what_is_no_node(row: object) -> None:
    with pytest.raises(Refused, match="is no node of a formula"):
        read_formula([row])


def test_nodes() -> None:
    assert read_formula([["self"]]) == (("self",),)
    assert read_formula([["number", "7"], ["new", "C", 1]])[1] == ("new", "C", 1)
    assert arity(("new", "C", 0)) == 0 and arity(("apply", "f", 5)) == 5
    assert read_formula([*([["truth", True]] * 3), ["apply", "f", 3]])[-1] == ("apply", "f", 3)
    with pytest.raises(Refused, match="number from 0 to 1"):
        read_formula([["number", "7"], ["number", "8"], ["new", "C", 2]])


@pytest.mark.parametrize("width, good", [(0, False), (1, True), (64, True), (4096, True), (4097, False), (-1, False)])
def test_widths(width: int, good: bool) -> None:
    if good:
        assert read_type(["int", width, True]) == ("int", width, True)
        return
    with pytest.raises(Refused):
        read_type(["int", width, True])


def test_types() -> None:
    assert read_type(["bool"]) == BOOL and read_type(["int", None, False]) == ("int", None, False)
    assert read_type(["array", ["bool"], 3]) == ("array", BOOL, 3)
    for wrong in (
        [],
        ["bool", 1],
        ["int", 8],
        ["int", True, True],
        ["int", 8, 1],
        ["array", ["bool"], -1],
        ["pointer", 1],
    ):
        with pytest.raises(Refused):
            read_type(wrong)


GOOD: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (-5, -5),
    ([1, [True]], (1, (True,))),
    ("C#1", Reference("C", 1)),
    ("C#123456789", Reference("C", 123456789)),
    ("A#B#2", Reference("A#B", 2)),
]


@pytest.mark.parametrize("data, value", GOOD)
def test_values(data: Any, value: Any) -> None:
    found = read_value(data)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    "data",
    ["", "C", "1", "C1", "C#", "C#x", "C#-1", "C#+1", "C# 1", "C#01", "C#1234567890", "C#１", "C#²", "C#١", 1.5, {}],
)
def test_what_is_no_value(data: object) -> None:
    with pytest.raises(Refused, match="is no value"):
        read_value(data)
