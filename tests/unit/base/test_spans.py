"""Offsets in a text as lines and columns."""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.base.spans import line_of, line_starts, span_at


def test_lines_and_columns() -> None:
    starts = line_starts("ab\n\ncd\n")
    assert starts == [0, 3, 4, 7]
    assert [line_of(starts, offset) for offset in (0, 2, 3, 4, 6, 7)] == [1, 1, 2, 3, 3, 4]
    assert span_at(starts, 5, 2) == Span(3, 2, 2) and span_at(starts, 3, 0) == Span(2, 1, 1)
