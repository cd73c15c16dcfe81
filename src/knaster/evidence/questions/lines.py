"""The line of a program that a user names: LINE, or FILE:LINE, whose file is one of the program's."""

from __future__ import annotations

import os

from knaster.base.file_line import FileLine
from knaster.frontends.text.several import split_files
from knaster.program.model import Program


def line_named(program: Program, text: str) -> int | None:
    """Return the line of the program's text that a name stands for; None where it names no file of the program."""
    file, colon, line = text.rpartition(":")
    if not line.isdigit():
        return None
    parts = split_files(program.source)
    if not parts:
        return int(line) if not colon or os.path.basename(file) == os.path.basename(program.file) else None
    found = [part for part in parts if file == part.name or (not colon and not part.shown)]
    found = found or [part for part in parts if os.path.basename(file) == os.path.basename(part.name)]
    if len(found) != 1:
        return None
    return FileLine(found[0].first + int(line) - 1, found[0].shown, int(line))


def files_of(program: Program) -> list[str]:
    """Return the files in which a program is written."""
    return [part.name for part in split_files(program.source)] or [os.path.basename(program.file)]
