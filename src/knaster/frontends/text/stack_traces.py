"""Stack traces as gdb, sanitizers and Python-like listings print them → frames, the innermost first.

#0  0x0000555 in f (x=1) at prog.c:12          gdb
    #0 0x4f2a1b in f /src/prog.c:12:5          sanitizers
  File "prog.c", line 12, in f                 Python: the innermost last
f:12   or   f                                  by hand
"""

from __future__ import annotations

import re

from knaster.base.errors import UsageError
from knaster.base.named_tuples import NamedTuple

_NUMBERED = re.compile(
    r"^\s*#\d+\s+(?:0x[0-9a-fA-F]+\s+in\s+)?(?P<name>[A-Za-z_$][\w$.]*)(?P<rest>.*)$",
)
_PLACE = re.compile(r"(?:^|[\s/(])[^\s:()]+:(?P<line>\d+)(?::\d+)?\)?\s*$")
_PYTHON = re.compile(r'^\s*File "[^"]*", line (?P<line>\d+), in (?P<name>[A-Za-z_$][\w$.]*)\s*$')
_PLAIN = re.compile(r"^\s*(?P<name>[A-Za-z_$][\w$.]*)(?::(?P<line>\d+))?\s*$")


class Frame(NamedTuple):
    """An unfinished call: the procedure, and the line that it is at where that is known."""

    procedure: str
    line: int | None = None

    def __str__(self) -> str:
        return self.procedure if self.line is None else f"{self.procedure}:{self.line}"


def read_stack(text: str) -> tuple[Frame, ...]:
    """Return the frames of a stack trace, the innermost first; raise `UsageError` where there are none."""
    lines = text.splitlines()
    for pattern in (_NUMBERED, _PYTHON, _PLAIN):
        frames = [_frame(match) for line in lines if (match := pattern.match(line))]
        if frames and (pattern is not _PLAIN or len(frames) == sum(1 for line in lines if line.strip())):
            return tuple(reversed(frames) if pattern is _PYTHON else frames)
    raise UsageError(
        "the stack has no frame such as '#0 f () at prog.c:12', 'File \"prog.c\", line 12, in f' or 'f:12'"
    )


def _frame(match: re.Match[str]) -> Frame:
    groups = match.groupdict()
    if "rest" in groups:
        place = _PLACE.search(groups["rest"])
        return Frame(groups["name"], int(place["line"]) if place else None)
    return Frame(groups["name"], int(groups["line"]) if groups["line"] else None)
