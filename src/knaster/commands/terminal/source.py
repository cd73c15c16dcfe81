"""What a command reads: a file, or standard input where the file is called `-`."""

from __future__ import annotations

import os
import sys

from knaster.base.errors import KnasterError
from knaster.frontends.text.files import decode, read_text

STDIN = "-"
STDIN_NAME = "<stdin>"  # what it is called in messages


_LENT: dict[str, str] = {}


def lend(file: str, text: str) -> None:
    """Let a name stand for a text: of a file that somebody sent, or of several files that are one program."""
    _LENT[file] = text


def text_of(file: str) -> str | None:
    """Return the text of what is no file that others can read: standard input, or what was lent."""
    return read(file) if file == STDIN or file in _LENT else None


def name_of(file: str) -> str:
    """Return what a file is called in messages and in JSON."""
    return STDIN_NAME if file == STDIN else file


def read(file: str) -> str:
    """Return the text of a file or of standard input; raise `KnasterError` where there is none."""
    if file in _LENT:
        return _LENT[file]
    if file != STDIN:
        return read_text(file)
    if sys.stdin is None:
        raise KnasterError(f"{STDIN_NAME}: is closed")
    stream = getattr(sys.stdin, "buffer", None)
    try:
        return decode(stream.read(), STDIN_NAME) if stream is not None else sys.stdin.read()
    except OSError as error:
        raise KnasterError(f"{STDIN_NAME}: cannot be read: {error.strerror}") from None


def source_of(file: str) -> str | os.PathLike[str]:
    """Return what `knaster.check` takes for a file of the command line: a path, or the text of standard input.

    A text comes with the name of its file (`name_of_text`).
    """
    if file == STDIN or file in _LENT:
        return read(file)
    from pathlib import Path

    return Path(file)


def name_of_text(file: str) -> str | None:
    """Return the name of a file whose text `source_of` returns; None where that is a path."""
    return name_of(file) if file == STDIN or file in _LENT else None
