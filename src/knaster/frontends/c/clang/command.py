"""How Clang is to read a text: its command line from the options of a user.

The target is the data model; headers of the system are never read, ours stand in for them.  What gcc only warns of is
no error here.
"""

from __future__ import annotations

import re
from pathlib import Path

from knaster.base.errors import UsageError
from knaster.frontends.text.options import COptions

TARGETS = {"LP64": "x86_64-linux-gnu", "ILP32": "i386-linux-gnu"}
HEADERS = Path(__file__).parent.parent / "headers"
_WARNINGS = (
    "-Wno-everything",
    "-Wimplicit-function-declaration",
    "-Wno-error=implicit-function-declaration",
    "-Wunknown-attributes",
    "-Wignored-attributes",
    "-Werror=date-time",
)
_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w, .]*\))?(=.*)?", re.DOTALL)
_PLAIN = ("-x", "c", "-nostdinc", "-fno-builtin", "-ferror-limit=0", "-fbracket-depth=100000")


def command_line(options: COptions) -> list[str]:
    """Return the arguments of Clang."""
    found = [*_PLAIN, "-target", TARGETS[options.data_model], f"-std={options.std}", *_WARNINGS]
    for folder in options.include:
        found += ["-I", folder]
    found += ["-isystem", str(HEADERS)]
    for given in (*options.define, *options.undefine):
        if not _MACRO.fullmatch(given):
            raise UsageError(f"'{given}' is no macro; write NAME or NAME=VALUE")
    found += [f"-D{name}" for name in options.define]
    return found + [f"-U{name}" for name in options.undefine]
