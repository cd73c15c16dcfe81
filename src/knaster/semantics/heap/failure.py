"""Failures of programs with references: their kinds, and how a run that fails says so."""

from __future__ import annotations

import re

from knaster.base.errors import Span
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass
from knaster.program.objects import MOST_SLOTS

ASSERTION, DEADLOCK = "assertion", "deadlock"
NULL, INDEX, DIVISION, OVERFLOW = "null-dereference", "index-out-of-range", "division-by-zero", "overflow"
EMPTY, UNHANDLED, BLOCKED, ENDLESS = "empty-choice", "unhandled-exception", "blocked-select", "endless-atomic"

ERRORS = (NULL, INDEX, DIVISION, OVERFLOW, EMPTY, UNHANDLED, BLOCKED, ENDLESS)
"""The kinds of runtime errors."""

KINDS = (ASSERTION, DEADLOCK, *ERRORS)

MESSAGES = {
    ASSERTION: "an assertion fails",
    DEADLOCK: "no thread can move, and some thread waits",
    NULL: "null is dereferenced",
    INDEX: "an index is out of range",
    DIVISION: "a division by zero",
    OVERFLOW: "a number does not fit into 32 bits",
    EMPTY: "there is nothing to choose from",
    UNHANDLED: "nobody handles an exception",
    BLOCKED: "a select inside an atomic region cannot go on",
    ENDLESS: "an atomic region does not end",
}

_COMMENT = re.compile(r',\s*(?:@"((?:[^"]|"")*)"|"((?:[^"\\]|\\.)*)")\s*\)\s*$')

LONGEST_REGION = 1_000_000  # steps without a scheduling point; more of them never end, as in Zing


def ensure_length(size: int) -> int:
    """Return the length of a new array; raise where it is negative, or where no state can hold so many elements."""
    if size < 0:
        raise Fails(OVERFLOW, "an array has a negative length")
    if size > MOST_SLOTS:
        raise OutOfBudget(f"a run makes an array of {size:,} elements, and {MOST_SLOTS:,} are possible")
    return size


@dataclass(frozen=True, slots=True)
class Failure:
    """How a run fails: the kind, what it says, and where; threads have the numbers 1, 2, ..."""

    kind: str
    message: str
    line: int
    procedure: str
    thread: int

    @property
    def category(self) -> str:
        """The kind as the Zing model checker tells it."""
        if self.kind == ASSERTION:
            return "assertion-failure"
        return "deadlock" if self.kind == DEADLOCK else "runtime-error"


class Fails(Exception):
    """A step cannot be taken: the program fails with an error of this kind."""

    def __init__(self, kind: str, message: str = "") -> None:
        self.kind = kind
        self.message = message or MESSAGES[kind]
        super().__init__(self.message)


def comment(source: str, span: Span) -> str:
    """Return the text that an assertion says where it fails; empty where it has none."""
    lines = source.split("\n", span.line)
    if not 1 <= span.line <= len(lines):
        return ""
    found = _COMMENT.search(lines[span.line - 1][span.column - 1 :][: span.length])
    return (found[1] or "").replace('""', '"') or found[2] or "" if found is not None else ""
