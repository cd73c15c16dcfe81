"""Marks in the text: `# mutant: REASON` says why a change of its line changes nothing that anybody could see.

`# mutant(or): REASON` speaks of the changes of that operator alone, `mutant(<, +)` of both.  A mark ends its line, or
is alone above it.
"""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass

from mutants.changes import Change

_MARK = re.compile(r"#.*?\bmutant(?:\((?P<token>.+?)\))?:\s*(?P<reason>.*)$")


class Unreasoned(Exception):
    """A mark that gives no reason."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Why the changes of a line are let be: all of them, or those of one token."""

    line: int
    token: str
    reason: str

    def covers(self, change: Change) -> bool:
        """Tell whether the mark speaks of a change."""
        return change.line == self.line and (self.token == "" or change.token in self.token.split(", "))


def read_marks(text: str) -> list[Mark]:
    """Return the marks of a module."""
    marks = []
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        match = _MARK.search(token.string) if token.type == tokenize.COMMENT else None
        if match is None:
            continue
        row, column = token.start
        if not match["reason"].strip():
            raise Unreasoned(f"line {row}: the mark gives no reason")
        alone = not lines[row - 1][:column].strip()
        marks.append(Mark(_next_statement(lines, row) if alone else row, match["token"] or "", match["reason"].strip()))
    return marks


def _next_statement(lines: list[str], row: int) -> int:
    while row < len(lines) and lines[row].lstrip().startswith("#"):
        row += 1
    return row + 1


def mark_of(change: Change, marks: list[Mark]) -> Mark | None:
    """Return the mark that speaks of a change; None where there is none."""
    return next((mark for mark in marks if mark.covers(change)), None)
