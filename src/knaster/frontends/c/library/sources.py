"""Which files of our own C a text needs: those that define functions which it calls and nobody else defines."""

from __future__ import annotations

import re
from pathlib import Path

from knaster.frontends.text.several import OWN, FilePart, join_files, split_files

_FILES = {
    **dict.fromkeys(("qsort", "bsearch"), "stdlib.c"),
    **dict.fromkeys(["strtol", "strtoll", "strtoul", "strtoull", "atol", "atoll"], "numbers.c"),
    **dict.fromkeys(["div", "ldiv", "lldiv"], "division.c"),
    **dict.fromkeys(["strtok", "strtok_r", "strsep"], "string.c"),
}
_CALLED = re.compile(rf"(?<!\.)(?<!->)\b({'|'.join(_FILES)})\s*\(")
_DEFINED = re.compile(rf"^[^\n#;=]*\b({'|'.join(_FILES)})\s*\([^;]*?\)\s*\{{", re.MULTILINE)
OURS = frozenset(f"<{name}>" for name in _FILES.values())  # the names of our files


def with_library(text: str, file: str) -> str:
    """Return a text with the files of ours that it needs; the text itself where it needs none."""
    called = set(_CALLED.findall(text)) - set(_DEFINED.findall(text))
    if not called:
        return text
    parts = split_files(text) or [FilePart(file, text, {OWN: True})]
    ours = sorted({_FILES[name] for name in called})
    return join_files([*parts, *(FilePart(f"<{name}>", _read(name)) for name in ours)])


def _read(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")
