"""What lines are called: by their number, or in a program of several files by the file and the line in that.

A program text counts the lines of all its files in one row; `files` has the first line of each and what it is called.
A file without a name is the only one that is the user's: its lines have numbers alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from knaster_check.program import Program
from knaster_check.refused import expect


def name_line(program: Program, line: int) -> str:
    """Return what a line is called."""
    at = bisect_right([first for first, _ in program.files], line) - 1
    if at < 0:
        return str(line)
    first, file = program.files[at]
    return f"{file}:{line - first + 1}" if file else str(line - first + 1)


def read_line(program: Program, name: str) -> tuple[int, int] | None:
    """Return the line and the column (0: any) of a name, `LINE` or `LINE:COLUMN`; None where it is none."""
    found = []
    for (first, file), (end, _) in zip(program.files or ((1, ""),), (*program.files[1:], (1 << 31, "")), strict=True):
        before = f"{file}:" if file else ""
        numbers = re.fullmatch(r"([0-9]{1,10})(?::([0-9]{1,10}))?", name.removeprefix(before))
        if name.startswith(before) and numbers is not None:
            line, column = first + int(numbers[1]) - 1, int(numbers[2] or 0)
            if first <= line < end and (numbers[2] is None or 0 < column < 1 << 31):
                found.append((line, column))
    expect(len(found) < 2, "two files have this line", name)
    return found[0] if found else None
