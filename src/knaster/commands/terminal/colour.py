"""Paints verdicts, errors and the marks below them, for terminals."""

from __future__ import annotations

import re

_RED, _GREEN, _YELLOW, _CYAN, _PLAIN = "\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[36m", "\x1b[0m"
_WORDS = {"TRUE": _GREEN, "FALSE": _RED, "UNKNOWN": _YELLOW, "REFUSED": _RED, "ERROR": _RED, "FAULT": _RED}
_VERDICT = re.compile(rf"(?<=: )({'|'.join(_WORDS)})(?=\.)")
_ALONE = re.compile(rf"(?<=  )({'|'.join(_WORDS)})(?= |$)", re.MULTILINE)
_ERROR = re.compile(r"^(knaster:|\S.*?:\d+:\d+: (?:error|warning):)", re.MULTILINE)
_CARET = re.compile(r"^( +)(\^+)$", re.MULTILINE)


def paint_verdict(text: str) -> str:
    """Return an answer with the verdict of its first line in colour."""
    line, newline, rest = text.partition("\n")
    return _VERDICT.sub(lambda found: f"{_WORDS[found[1]]}{found[1]}{_PLAIN}", line, count=1) + newline + rest


def paint_words(text: str) -> str:
    """Return a table with every verdict in it in colour."""
    return _ALONE.sub(lambda found: f"{_WORDS[found[1]]}{found[1]}{_PLAIN}", text)


def paint_errors(text: str) -> str:
    """Return messages with the beginning of each, and the mark below its place, in colour."""
    text = _ERROR.sub(lambda found: f"{_RED}{found[1]}{_PLAIN}", text)
    return _CARET.sub(lambda found: f"{found[1]}{_CYAN}{found[2]}{_PLAIN}", text)
