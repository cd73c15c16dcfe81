r"""Shows what a terminal would obey: control characters of a text become `\x1b`, so that no name can erase a verdict.

Besides the control characters of ASCII and of Latin-1, whatever turns the direction of writing or ends a line unseen is
shown; line feeds and tabs stay.
"""

from __future__ import annotations

_OBEYED = (
    *(range(0x00, 0x09), range(0x0B, 0x20), range(0x7F, 0xA0), range(0x61C, 0x61D)),
    *(range(0x200E, 0x2010), range(0x2028, 0x202F), range(0x2066, 0x206A)),
)
_SHOWN = {code: f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" for codes in _OBEYED for code in codes}


def make_visible(text: str) -> str:
    r"""Return a text of any number of lines with every control character as `\x1b` or `\u202e`."""
    return text.translate(_SHOWN)


def make_line(text: str) -> str:
    """Return a text, the name of a file perhaps, on one line with every control character visible."""
    return make_visible(text).replace("\n", r"\n").replace("\t", r"\t")
