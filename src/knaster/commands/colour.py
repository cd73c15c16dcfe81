"""Colour for verdicts and errors, where the terminal has it and nobody objects.

NO_COLOR (https://no-color.org) switches it off, FORCE_COLOR on.
"""

from __future__ import annotations

import os
import re
from typing import TextIO

_RED, _GREEN, _YELLOW, _CYAN, _PLAIN = "\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[36m", "\x1b[0m"
_WORDS = {"TRUE": _GREEN, "FALSE": _RED, "UNKNOWN": _YELLOW, "REFUSED": _RED, "ERROR": _RED, "FAULT": _RED}
_VERDICT = re.compile(rf"(?<=: )({'|'.join(_WORDS)})(?=\.)")
_ERROR = re.compile(r"^(knaster:|\S.*?:\d+:\d+: (?:error|warning):)", re.MULTILINE)
_CARET = re.compile(r"^( +)(\^+)$", re.MULTILINE)


def wants_colour(stream: TextIO) -> bool:
    """Tell whether what is written to a stream may have colour."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint_verdict(text: str) -> str:
    """Return an answer with the verdict of its first line in colour."""
    line, newline, rest = text.partition("\n")
    return _VERDICT.sub(lambda found: f"{_WORDS[found[1]]}{found[1]}{_PLAIN}", line, count=1) + newline + rest


def paint_errors(text: str) -> str:
    """Return messages with the beginning of each, and the mark below its place, in colour."""
    text = _ERROR.sub(lambda found: f"{_RED}{found[1]}{_PLAIN}", text)
    return _CARET.sub(lambda found: f"{found[1]}{_CYAN}{found[2]}{_PLAIN}", text)
