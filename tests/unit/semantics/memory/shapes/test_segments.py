"""Segments: one object, or one before a segment."""

from __future__ import annotations

from knaster.semantics.memory.shapes.segments import unfold
from support.shapes import cell, segment, shape


def test_a_segment_is_one_object_or_one_before_a_segment() -> None:
    one, several = unfold(shape({"p": 1}, segment(2, 7), cell(0)), 1)
    assert one == shape({"p": 1}, cell(2, 7), cell(0))
    assert several == shape({"p": 1}, cell(3, 7), cell(0), segment(2, 7))
