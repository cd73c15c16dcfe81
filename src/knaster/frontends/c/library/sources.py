"""Which files of our own C a text needs: those that define functions which it calls and nobody else defines."""

from __future__ import annotations

import re
from pathlib import Path

from knaster.frontends.c.names.library import SAME_AS
from knaster.frontends.text.several import OWN, FilePart, join_files, split_files

_POSIX = "read write close recv send socket connect bind listen shutdown"
_FILES = {
    **dict.fromkeys(("qsort", "bsearch"), "stdlib.c"),
    **dict.fromkeys(["strtol", "strtoll", "strtoul", "strtoull", "atol", "atoll"], "numbers.c"),
    **dict.fromkeys(["div", "ldiv", "lldiv"], "division.c"),
    **dict.fromkeys(["strtok", "strtok_r", "strsep"], "string.c"),
    **dict.fromkeys(_POSIX.split(), "posix.c"),
    **dict.fromkeys(["sscanf", "vsscanf"], "scan.c"),
    "atexit": "exit.c",
    "getopt": "getopt.c",
    **dict.fromkeys(["bzero", "bcopy", "bcmp", "__builtin_bzero", "__builtin_bcopy", "__builtin_bcmp"], "bytes.c"),
    **dict.fromkeys([word for word, name in SAME_AS.items() if name.endswith("_chk")], "fortified.c"),
    **dict.fromkeys(["mempcpy", "stpncpy", "__builtin_mempcpy", "__builtin_stpncpy"], "copies.c"),
    "mbsinit": "wchar.c",
}
_CALLED = re.compile(rf"(?<!\.)(?<!->)\b({'|'.join(_FILES)})\s*\(")
_PARENTHESIS = re.compile(r"[()]")
_BODY = re.compile(r"\s*(?:[A-Za-z_][\w\s*,\[\]]*;\s*)*\{")  # the types of parameters may stand before it
_HEADERS = {  # those without which a name may be anybody's
    "getopt.c": re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?:getopt|unistd)\.h>", re.MULTILINE),
    "posix.c": re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?:unistd|sys/socket)\.h>", re.MULTILINE),
    "wchar.c": re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?:wchar|uchar)\.h>", re.MULTILINE),
}
OURS = frozenset(f"<{name}>" for name in _FILES.values())  # the names of our files


def with_library(text: str, file: str) -> str:
    """Return a text with the files of ours that it needs; the text itself where it needs none."""
    called = set(_CALLED.findall(text)) - _defined(text)
    ours = {_FILES[name] for name in called}
    ours = {name for name in ours if name not in _HEADERS or _HEADERS[name].search(text)}
    if not ours:
        return text
    parts = split_files(text) or [FilePart(file, text, {OWN: True})]
    return join_files([*parts, *(FilePart(f"<{name}>", _read(name)) for name in sorted(ours))])


def _defined(text: str) -> set[str]:
    """Return which of our functions a text defines itself: a body follows on the last parenthesis."""
    return {found[1] for found in _CALLED.finditer(text) if _BODY.match(text, _closing(text, found.end()))}


def _closing(text: str, begin: int) -> int:
    """Return where the parenthesis that was opened before `begin` is closed; the end where it is not."""
    depth = 1
    for found in _PARENTHESIS.finditer(text, begin):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return found.end()
    return len(text)


def _read(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")
