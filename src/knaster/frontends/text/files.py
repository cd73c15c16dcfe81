"""Files to text: bytes that people's editors and tools really write."""

from __future__ import annotations

import codecs
import os

from knaster.base.errors import KnasterError

_OF_C = (".c", ".h", ".i")


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of the file at `path`; raise `KnasterError` with the reason where it cannot be read."""
    return decode(read_bytes(path), os.fspath(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return what is in the file at `path`; raise `KnasterError` with the reason where it cannot be read."""
    file = os.fspath(path)
    try:
        with open(file, "rb") as stream:  # pathlib would cost more to import than most files to read
            return stream.read()
    except IsADirectoryError:
        raise KnasterError(f"{file}: is a directory, expected a file") from None
    except FileNotFoundError:
        raise KnasterError(f"{file}: there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise KnasterError(f"{file}: cannot be read: {reason}") from None


def decode(data: bytes, file: str = "<text>") -> str:
    """Return the text that `data` holds, without a byte-order mark and with line feeds only.

    UTF-8, or Latin-1 where that fails; UTF-16 with its mark.  Of a file of C in Latin-1, the bytes of literals are
    written as `\\377`: a compiler takes them as they are.  Raises `KnasterError` for bytes that are no text.
    """
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            text = data.decode("utf-16")
        else:
            text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
        if file.endswith(_OF_C):
            from knaster.frontends.c.comments import escape_bytes

            text = escape_bytes(text)
    if "\0" in text:
        raise KnasterError(f"{file}: is a binary file, expected the text of a program")
    return text.replace("\r\n", "\n").replace("\r", "\n")
