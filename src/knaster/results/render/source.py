"""The source text of one statement, short enough for one line of output."""

from __future__ import annotations

from knaster.errors import Span
from knaster.program.model import Program


class SourceText:
    """The lines of a program's text, split once."""

    def __init__(self, program: Program) -> None:
        self._lines = program.source.splitlines()

    def statement(self, span: Span) -> str:
        """Return the statement that begins at `span`, as written, up to the end of its head or line."""
        if not 1 <= span.line <= len(self._lines):
            return ""
        text = self._lines[span.line - 1][max(0, span.column - 1) :]
        return " ".join(_head(text).split())


def _head(text: str) -> str:
    """Return `text` up to its first `;` or comment outside `{...}`."""
    inside = False
    for index, char in enumerate(text):
        if char == "{":
            inside = True
        elif char == "}":
            inside = False
        elif not inside and char == ";":
            return text[: index + 1]
        elif not inside and char == "/" and text[index + 1 : index + 2] in ("/", "*"):
            return text[:index]
    return text
