"""The source text of one statement, short enough for one line of output."""

from __future__ import annotations

import re

from knaster.errors import Span
from knaster.program.model import Program
from knaster.program.notation import NAME

_LABELS = re.compile(rf"(?:(?:{NAME}|[0-9]+)\s*:\s*)+\Z")


class SourceText:
    """The lines of a program's text, split once."""

    def __init__(self, program: Program) -> None:
        self._lines = program.source.split("\n")

    def statement(self, span: Span) -> str:
        """Return the statement at `span` as written, with the labels that stand before it on the line."""
        if not 1 <= span.line <= len(self._lines):
            return ""
        line = self._lines[span.line - 1]
        start, end = span.column - 1, span.column - 1 + span.length
        if labels := _LABELS.search(line, max(0, start - 200), start):
            start = labels.start()
        return " ".join(line[start:end].split())
