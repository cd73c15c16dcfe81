"""Where a command writes, and the exit codes that it ends with."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum


class ExitCode(IntEnum):
    """How a run ended, as users of CBMC know it."""

    UNREACHABLE = 0
    USAGE = 1
    REFUSED = 2
    UNDECIDED = 5
    FAULT = 6
    REACHABLE = 10


_WORST_FIRST = (
    ExitCode.FAULT,
    ExitCode.REFUSED,
    ExitCode.USAGE,
    ExitCode.REACHABLE,
    ExitCode.UNDECIDED,
    ExitCode.UNREACHABLE,
)


def worst(codes: Iterable[int]) -> ExitCode:
    """Return the exit code of several runs together: 6, 2, 1, 10, 5, 0, whichever comes first."""
    present = set(codes)
    return next((code for code in _WORST_FIRST if code in present), ExitCode.UNREACHABLE)


@dataclass(slots=True)
class Console:
    """Standard output and standard error; a reader that has gone away is no error."""

    closed: bool = False
    _progress: bool = field(default=False)
    _last: float = field(default=0.0)

    def __post_init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:  # a name or a source text that the terminal cannot show is no error
                reconfigure(errors="backslashreplace")

    def write(self, text: str) -> None:
        """Write to standard output."""
        self.clear()
        if self.closed:
            return
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            self.closed = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to flush at exit

    def complain(self, text: str) -> None:
        """Write a message to standard error."""
        self.clear()
        try:
            sys.stderr.write(text if text.endswith("\n") else text + "\n")
            sys.stderr.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())

    def progress(self, text: str) -> None:
        """Show how far a run is, on a terminal, at most ten times a second."""
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._last > 0.1:
            sys.stderr.write(f"\r\x1b[K{text[:79]}")
            sys.stderr.flush()
            self._progress, self._last = True, now

    def clear(self) -> None:
        """Remove the progress line."""
        if self._progress:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._progress = False
