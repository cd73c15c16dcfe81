"""The source text of one statement, short enough for one line of output."""

from __future__ import annotations

import re

from knaster.base.errors import Span
from knaster.frontends.languages import spelling_of
from knaster.program.model import Program

_LITERAL_OR_SPACE = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\s+""")


class SourceText:
    """The lines of a program's text, split once, and how its language is spelled."""

    def __init__(self, program: Program) -> None:
        self.spelling = spelling_of(program)
        self._labels = re.compile(rf"(?:{self.spelling.label}\s*:\s*)+\Z")
        self._lines = program.source.split("\n")

    def statement(self, span: Span) -> str:
        """Return the statement at `span` as written, with the labels that stand before it on the line."""
        if not 1 <= span.line <= len(self._lines):
            return ""
        line = self._lines[span.line - 1]
        start, end = span.column - 1, span.column - 1 + span.length
        if labels := self._labels.search(line, max(0, start - 200), start):
            start = labels.start()
        return _LITERAL_OR_SPACE.sub(lambda match: match[1] or " ", line[start:end].strip())
