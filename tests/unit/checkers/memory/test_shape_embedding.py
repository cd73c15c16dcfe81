"""Which shapes stand for which: chains for segments, one node for one object, ranges for numbers."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.checkers.memory.shape_embedding import stands_for
from knaster.program.memory import Address
from knaster.program.types import Int
from knaster.semantics.memory.shapes.shape import Range, Shape
from support.shapes import cell, segment, shape

LIST = shape({"p": 1}, segment(0))
TYPES = {"i": Int(32)}
STANDS: list[tuple[Shape, Shape]] = [
    (LIST, shape({"p": 1}, cell(0, 5))),
    (LIST, shape({"p": 1}, cell(2), cell(0))),
    (LIST, shape({"p": 1}, cell(2), segment(3), cell(0))),
    (shape({"p": 1, "q": 2}, segment(2), cell(0)), shape({"p": 1, "q": 3}, cell(2), cell(3), cell(0))),
    (shape({"p": 1, "q": 2}, segment(2), segment(0)), shape({"p": 1, "q": 2}, segment(2), cell(3), cell(0))),
    (shape({"p": 1}, segment(1)), shape({"p": 1}, cell(2), cell(1))),
    (shape({"p": 1}, segment(0), forgotten=("i", "q")), shape({"p": 1, "q": 2}, cell(0), cell(0), forgotten=("i",))),
    (shape({"i": Range(0, 9)}), shape({"i": Range(3, 4)})),
    (shape({}), shape({"i": Range(3, 4)})),
    (shape({"p": Address(1, 8)}, segment(0)), shape({"p": Address(1, 8)}, cell(2), cell(0))),
]
DIFFERS: list[tuple[Shape, Shape]] = [
    (LIST, shape({"p": 0})),
    (LIST, shape({"p": 1}, cell(1))),
    (LIST, shape({"p": 1}, cell(2), cell(1))),
    (LIST, shape({"p": 1}, cell(0, alive=False))),
    (LIST, shape({"p": 1}, cell(0)._replace(size=24))),
    (LIST, shape({"p": Address(1, 8)}, cell(0))),
    (shape({"p": 1}, cell(0)), LIST),
    (shape({"p": 1}, cell(0, 3)), shape({"p": 1}, cell(0))),
    (shape({"p": 1}, cell(0, 3)), shape({"p": 1}, cell(0, 4))),
    (shape({"p": 1, "q": 1}, segment(0)), shape({"p": 1, "q": 2}, cell(2), cell(0))),
    (shape({"p": 1, "q": 2}, segment(0), segment(0)), shape({"p": 1, "q": 2}, cell(2), cell(0))),
    (shape({"p": 1, "q": 2}, segment(0), segment(0)), shape({"p": 1, "q": 1}, cell(0))),
    (shape({"p": 1, "q": 1}, segment(0)), shape({"p": 1, "q": 2}, cell(0), cell(0))),
    (shape({"p": 1}, segment(0, 3)), shape({"p": 1}, cell(2, 3), cell(0, 4))),
    (shape({"p": 1}, segment(0)), shape({"p": 1}, cell(0), forgotten=("q",))),
    (shape({"p": 1, "q": 0}, segment(0)), shape({"p": 1}, cell(0))),
    (shape({}), shape({"p": 1}, cell(0))),
    (shape({"i": Range(0, 9)}), shape({"i": Range(3, 10)})),
    (shape({"i": Range(0, 9)}), shape({})),
]


@pytest.mark.parametrize(("general", "special"), STANDS)
def test_it_stands_for_all_states(general: Any, special: Any) -> None:
    assert stands_for(general, special, TYPES, 0)


@pytest.mark.parametrize(("general", "special"), DIFFERS)
def test_it_does_not(general: Any, special: Any) -> None:
    assert not stands_for(general, special, TYPES, 0)


def test_objects_of_the_program_stand_for_themselves_alone() -> None:
    one, other = shape({"p": 1}, cell(0), cell(0)), shape({"p": 2}, cell(0), cell(0))
    assert stands_for(one, one, TYPES, 2) and not stands_for(one, other, TYPES, 2)
