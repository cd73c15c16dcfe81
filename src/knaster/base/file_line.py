"""A line of a program of several files: a number in the whole text, shown as the file and the line in it."""

from __future__ import annotations

from typing import Any


class FileLine(int):
    """A line of a text that is several files; as a number it is the line of that text, so lines are in order.

    Without a file it is one of the only file that is the user's.
    """

    file: str
    own: int  # the line of the file

    def __new__(cls, line: int, file: str = "", own: int = 0) -> FileLine:
        """Return a line of the whole text that is a line of its own of a file."""
        found = super().__new__(cls, line)
        found.file, found.own = file, own
        return found

    def __str__(self) -> str:
        return f"{self.file}:{self.own}" if self.file else str(self.own)

    def __format__(self, form: str) -> str:
        return format(str(self), form.rstrip("d"))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return int(self), self.file, self.own


def place(file: str, line: int) -> str:
    """Return where a line of a program stands, as FILE:LINE; a line of several files names its own."""
    return str(line) if isinstance(line, FileLine) and line.file else f"{file}:{line}"
