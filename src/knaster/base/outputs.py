"""Writes a text to a file, which is then either as it was or whole: under another name first, which is renamed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from knaster.base.errors import KnasterError, UsageError


def write_file(file: str | os.PathLike[str], text: str) -> None:
    """Write a text as UTF-8; raise `KnasterError`, which names the file, where it cannot be written.

    A device or a pipe is written to; a link that the user names is followed.
    """
    try:
        found = _mode_of(file)
        if found is not None and not stat.S_ISREG(found):
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(text)
            return
        _replace(os.path.realpath(file), text, found)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise KnasterError(f"{os.fspath(file)}: cannot be written: {reason}") from None


def refuse_inputs(flag: str, output: str | None, inputs: Iterable[str]) -> None:
    """Raise `UsageError` where an output is one of the files that are read."""
    for name in inputs if output is not None else ():
        assert output is not None
        try:
            same = os.path.samefile(name, output) and stat.S_ISREG(os.stat(output).st_mode)
        except (OSError, ValueError):
            continue
        if same:
            raise UsageError(f"{flag} {output}: is the file that is read")


def _mode_of(file: str | os.PathLike[str]) -> int | None:
    try:
        return os.stat(file).st_mode
    except FileNotFoundError:
        return None


def _replace(file: str, text: str, mode: int | None) -> None:
    """Write a new file beside this one, which nobody else has made, and let it take the place of this one."""
    if mode is not None and not os.access(file, os.W_OK):
        raise PermissionError(13, "Permission denied")
    folder, name = os.path.split(file)
    beside = os.path.join(folder, f".{name[:100]}.{os.getpid()}.{os.urandom(4).hex()}")
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as stream:
            stream.write(text)
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, file)
    except BaseException:
        os.unlink(beside)
        raise
