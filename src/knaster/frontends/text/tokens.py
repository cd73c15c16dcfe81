"""The tokens of a text as flat lists of spellings and offsets, for the readers of Boolean programs and Zing models."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.base.spans import span_at


class Tokens(NamedTuple):
    """A text in pieces; `spellings` ends with four empty ones, `offsets` with the length of the text."""

    spellings: Sequence[str]
    offsets: Sequence[int]
    lines: Sequence[int]  # the offset where each line starts
    names: frozenset[str]  # the spellings that are names

    def span(self, at: int) -> Span:
        """Return where token `at` stands."""
        at = min(at, len(self.offsets) - 1)
        return span_at(self.lines, self.offsets[at], len(self.spellings[at]))

    def stretch(self, first: int, behind: int) -> Span:
        """Return where tokens `first` to the one before `behind` stand, as far as they are on one line."""
        lines, offsets = self.lines, self.offsets
        start = offsets[first]
        end = offsets[behind - 1] + len(self.spellings[behind - 1])
        line = bisect_right(lines, start)
        if line < len(lines) and end >= lines[line]:
            end = lines[line] - 1
        return Span(line, start - lines[line - 1] + 1, max(1, end - start))

    def line(self, at: int) -> int:
        """Return the line of token `at`."""
        return bisect_right(self.lines, self.offsets[min(at, len(self.offsets) - 1)])
