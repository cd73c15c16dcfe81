"""Which files of our own C a text needs: those that define functions which it calls and nobody else defines."""

from __future__ import annotations

import re
from pathlib import Path

from knaster.frontends.text.several import OWN, FilePart, join_files, split_files

_POSIX = "read write close recv send socket connect bind listen shutdown"
_FILES = {
    **dict.fromkeys(("qsort", "bsearch"), "stdlib.c"),
    **dict.fromkeys(["strtol", "strtoll", "strtoul", "strtoull", "atol", "atoll"], "numbers.c"),
    **dict.fromkeys(["div", "ldiv", "lldiv"], "division.c"),
    **dict.fromkeys(["strtok", "strtok_r", "strsep"], "string.c"),
    **dict.fromkeys(_POSIX.split(), "posix.c"),
    "getopt": "getopt.c",
    "mbsinit": "wchar.c",
}
_CALLED = re.compile(rf"(?<!\.)(?<!->)\b({'|'.join(_FILES)})\s*\(")
_DEFINED = re.compile(rf"^[^\n#;=]*\b({'|'.join(_FILES)})\s*\([^;]*?\)\s*\{{", re.MULTILINE)
_HEADERS = {  # those without which a name may be anybody's
    "getopt.c": re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?:getopt|unistd)\.h>", re.MULTILINE),
    "posix.c": re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?:unistd|sys/socket)\.h>", re.MULTILINE),
    "wchar.c": re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?:wchar|uchar)\.h>", re.MULTILINE),
}
OURS = frozenset(f"<{name}>" for name in _FILES.values())  # the names of our files


def with_library(text: str, file: str) -> str:
    """Return a text with the files of ours that it needs; the text itself where it needs none."""
    called = set(_CALLED.findall(text)) - set(_DEFINED.findall(text))
    ours = {_FILES[name] for name in called}
    ours = {name for name in ours if name not in _HEADERS or _HEADERS[name].search(text)}
    if not ours:
        return text
    parts = split_files(text) or [FilePart(file, text, {OWN: True})]
    return join_files([*parts, *(FilePart(f"<{name}>", _read(name)) for name in sorted(ours))])


def _read(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")
