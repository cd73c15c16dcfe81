"""Texts of C without their comments."""

from __future__ import annotations

import re

COMMENT = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""", re.DOTALL)
"""A comment; or a literal, which is the first group."""


def without_comments(text: str) -> str:
    """Return a text in which each comment is a blank, on the same lines, without blanks at the ends of lines."""
    plain = COMMENT.sub(lambda match: match.group(1) or " " + "\n" * match.group().count("\n"), text)
    return "\n".join(line.strip() for line in plain.replace("\r\n", "\n").split("\n"))
