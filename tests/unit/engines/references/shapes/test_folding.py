"""Folding: what becomes a segment and what does not."""

from __future__ import annotations

from knaster.engines.references.shapes.folding import TOLD_APART, Forgetting, fold
from knaster.program.memory import Address
from knaster.program.types import Int
from knaster.semantics.memory.shapes.shape import Range
from support.shapes import cell, segment, shape


def test_a_list_becomes_a_segment() -> None:
    assert fold(shape({"p": 1}, cell(2, 1), cell(3, 2), cell(0, 3)), 0) == shape({"p": 1}, segment(0))
    assert fold(shape({"p": 1}, cell(2, 1), segment(3, 1), cell(0, 1)), 0) == shape({"p": 1}, segment(0, 1))


def test_an_object_to_which_something_else_leads_stays() -> None:
    kept = shape({"p": 1, "q": 2}, cell(2), cell(0))
    assert fold(kept, 0) == kept
    ring = shape({"p": 1}, cell(1))
    assert fold(ring, 0) == ring


def test_objects_that_are_not_alike_stay() -> None:
    for kept in (
        shape({"p": 1}, cell(2), cell(0, alive=False)),
        shape({"p": 1}, cell(2), cell(0)._replace(size=24)),
        shape({"p": 1}, cell(2), cell(0)._replace(kind="local", name="x")),
        shape({"p": 1}, cell(Address(2, 8)), cell(0)),
    ):
        assert fold(kept, 0) == kept


def test_what_is_dead_is_forgotten_and_many_numbers_are_any() -> None:
    forgetting, types = Forgetting(), {"i": Int(32)}
    seen = set()
    for number in range(1, TOLD_APART + 5):
        each = shape({"i": Range(number, 99), "p": 1}, cell(0, number))
        found = forgetting.apply(each, frozenset({"i"}), frozenset({"i", "p"}), types)
        assert found.top.forgotten == ("p",)
        seen.add((found.top.registers, found.nodes[0][1].cells[0][2]))
    assert len(seen) == TOLD_APART + 1 and ((), None) in seen
