"""Texts of C without their comments, and the bytes of their literals."""

from __future__ import annotations

import re

COMMENT = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""", re.DOTALL)
"""A comment; or a literal, which is the first group."""


def without_comments(text: str) -> str:
    """Return a text in which each comment is a blank, on the same lines, without blanks at the ends of lines."""
    plain = COMMENT.sub(lambda match: match.group(1) or " " + "\n" * match.group().count("\n"), text)
    return "\n".join(line.strip() for line in plain.replace("\r\n", "\n").split("\n"))


def escape_bytes(text: str) -> str:
    """Return a text that was read byte by byte with bytes above 127 in its literals written as `\\377`."""
    return COMMENT.sub(lambda match: _NO_ASCII.sub(_octal, match.group()) if match.group(1) else match.group(), text)


_NO_ASCII = re.compile(r"[^\x00-\x7f]")


def _octal(match: re.Match[str]) -> str:
    return f"\\{ord(match.group()):03o}"
