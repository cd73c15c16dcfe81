"""The source text of one statement, short enough for one line of output."""

from __future__ import annotations

import re

from knaster.base.errors import Span
from knaster.frontends.languages import spelling_of
from knaster.program.model import Program

_LITERAL_OR_SPACE = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\s+"""


class SourceText:
    """The lines of a program's text, split once, and how its language is spelled."""

    def __init__(self, program: Program) -> None:
        self.spelling = spelling_of(program)
        self._label = rf"(?:{self.spelling.label}\s*:\s*)+\Z"
        self._lines = program.source.split("\n")

    def statement(self, span: Span) -> str:
        """Return the statement at `span` as written, with the labels that stand before it on the line."""
        if not 1 <= span.line <= len(self._lines):
            return ""
        line = self._lines[span.line - 1]
        start, end = span.column - 1, span.column - 1 + span.length
        earliest = max(0, start - 200)
        if ":" in line[earliest:start] and (labels := re.compile(self._label).search(line, earliest, start)):
            start = labels.start()
        text = line[start:end].strip()
        if '"' not in text and "'" not in text:
            return " ".join(text.split())
        return re.sub(_LITERAL_OR_SPACE, lambda match: match[1] or " ", text)
