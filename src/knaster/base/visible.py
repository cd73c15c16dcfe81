r"""Shows what a terminal would obey: control characters of a text become `\x1b`, so that no name can erase a verdict.

Besides the control characters of ASCII and of Latin-1, whatever turns the direction of writing or ends a line unseen is
shown; line feeds and tabs stay.
"""

from __future__ import annotations

import re

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def make_visible(text: str) -> str:
    r"""Return a text of any number of lines with every control character as `\x1b` or `\u202e`."""
    return _OBEYED.sub(_escape, text)


def make_line(text: str) -> str:
    """Return a text, the name of a file perhaps, on one line with every control character visible."""
    return make_visible(text).replace("\n", r"\n").replace("\t", r"\t")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
