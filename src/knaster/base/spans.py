"""Turns offsets in a text into lines and columns; lines end with a line feed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from knaster.base.errors import Span


def line_starts(text: str) -> list[int]:
    """Return the offset at which each line of a text starts."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


def line_of(starts: Sequence[int], offset: int) -> int:
    """Return the line in which an offset lies."""
    return bisect_right(starts, offset)


def span_at(starts: Sequence[int], offset: int, length: int = 1) -> Span:
    """Return the stretch of text of a length that begins at an offset; it is never empty."""
    line = bisect_right(starts, offset)
    return Span(line, offset - starts[line - 1] + 1, max(1, length))
