"""Values and cells as plain data: references are texts, structs are lists, "?" is what is not known."""

from __future__ import annotations

import pytest

from knaster.base.errors import ProofError
from knaster.evidence.proofs.heap.values import (
    UNREAD,
    cells_of_json,
    cells_to_json,
    expect_type,
    parts_of,
    value_to_json,
    values_of_json,
)
from knaster.program.types import Reference

CELL = Reference("Foo", 2)


def test_values_both_ways() -> None:
    values = (1, True, None, CELL, (3, (UNREAD, CELL)))
    data = [1, True, None, "Foo#2", [3, ["?", "Foo#2"]]]
    assert value_to_json(values) == data
    again = values_of_json(data)
    assert again == values and again[4][1][0] is UNREAD and isinstance(again[3], Reference)


def test_cells_both_ways() -> None:
    cells = {CELL: (1, CELL), Reference("Queue#x", 10): UNREAD}
    data = {"Foo#2": [1, "Foo#2"], "Queue#x#10": "?"}
    assert cells_to_json(cells) == data and cells_of_json(data) == cells


@pytest.mark.parametrize("value", ["", "Foo", "Foo#", "Foo#-1", "Foo#x", "Foo#²", "Foo#1234567890", 1.5, {}])
def test_what_is_no_value(value: object) -> None:
    with pytest.raises(ProofError):
        values_of_json([value])


@pytest.mark.parametrize("cells", [{"?": [1]}, {"Foo": [1]}, {"Foo#1": 1}, {"Foo#1": None}, []])
def test_what_are_no_cells(cells: object) -> None:
    with pytest.raises(ProofError):
        cells_of_json(cells)


def test_parts_and_types_are_exact() -> None:
    assert parts_of([1, 2], 2) == [1, 2] and expect_type(1, int) == 1
    for wrong in ([1], [1, 2, 3], (1, 2)):
        with pytest.raises(ProofError):
            parts_of(wrong, 2)
    with pytest.raises(ProofError, match="int"):
        expect_type(True, int)
