"""Where a command writes: answers to standard output, errors and how far a run is to standard error."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TextIO

from knaster.base.records import dataclass
from knaster.base.visible import make_line, make_visible

WIDTH = 80  # columns where there is no terminal
PATIENCE = 2.0  # seconds without a word, where nobody asked for progress
_EVERY = 0.1


class Progress:
    """The last line of the terminal while a run goes on: nothing in a pipe, nothing for a run that is over soon.

    `hear` may be called as often as one likes.
    `wanted` is True for "from the beginning", False for "never", None for "if it takes longer than two seconds".
    """

    def __init__(self, wanted: bool | None, about: str, width: Callable[[], int]) -> None:
        self.shown = False
        self._on = wanted is not False and sys.stderr.isatty()
        self._width = width
        self._about = about
        self._started = time.monotonic()
        self._next = self._started + (0.0 if wanted else PATIENCE)
        self._text = "working"
        self._lock = threading.Lock()  # the watchdog's thread draws too
        self.listener = self.hear if self._on else None  # who is to be told; None where nobody looks
        self.pulse = self._draw if self._on else None  # to be called now and then, so that the clock goes on

    def hear(self, text: str) -> None:
        """Take note of how far the run is."""
        self._text = text
        if time.monotonic() >= self._next:
            self._draw()

    def close(self) -> None:
        """Remove the line; nothing is drawn any more."""
        with self._lock:
            self._on = False
            if self.shown:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                self.shown = False

    def _draw(self) -> None:
        with self._lock:
            now = time.monotonic()
            if not self._on or now < self._next:
                return
            self._next = now + _EVERY
            line = make_line(f"{self._about}: {now - self._started:.0f} s, {self._text}")
            sys.stderr.write(f"\r\x1b[K{line[: self._width() - 1]}")
            sys.stderr.flush()
            self.shown = True


@dataclass(slots=True)
class Console:
    """Standard output and standard error; a reader that has gone away is no error.

    Control characters are shown, not sent; of `names`, texts of the command line, line breaks too.
    """

    names: tuple[str, ...] = ()
    closed: bool = False
    lost: bool = False  # something could not be written, and nobody went away
    _progress: Progress | None = None

    def __post_init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:  # a name or a source text that the terminal cannot show is no error
                reconfigure(errors="backslashreplace")

    @property
    def width(self) -> int:
        """The columns that standard output has."""
        return _columns(sys.stdout)

    def write(self, text: str) -> None:
        """Write to standard output."""
        self.write_painted(self.show(text))

    def write_exact(self, text: str) -> None:
        """Write what programs read again to standard output: as it is, but on a terminal."""
        self.write_painted(self.show(text) if sys.stdout.isatty() else text)

    def write_painted(self, text: str) -> None:
        """Write what was shown by `show` and painted then to standard output."""
        self.clear()
        if self.closed:
            return
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError as error:
            self.closed = True
            _divert(sys.stdout)
            if not isinstance(error, BrokenPipeError):
                self.lost = True
                self.complain(f"knaster: standard output: cannot be written: {error.strerror}")

    def show(self, text: str) -> str:
        """Return a text with its control characters visible."""
        for name in self.names:
            text = text.replace(name, make_line(name))
        return make_visible(text)

    def answer(self, text: str) -> None:
        """Write an answer that begins with a verdict to standard output."""
        text = self.show(text)
        if wants_colour(sys.stdout):
            from knaster.commands.terminal.colour import paint_verdict

            text = paint_verdict(text)
        self.write_painted(text)

    def complain(self, text: str) -> None:
        """Write a message to standard error."""
        self.clear()
        shown = self.show(text if text.endswith("\n") else text + "\n")
        if wants_colour(sys.stderr):
            from knaster.commands.terminal.colour import paint_errors

            shown = paint_errors(shown)
        try:
            sys.stderr.write(shown)
            sys.stderr.flush()
        except OSError:
            _divert(sys.stderr)

    def follow(self, wanted: bool | None, about: str) -> Progress:
        """Return the line that says how far a run is; the next thing that is written removes it."""
        self.clear()
        self._progress = Progress(wanted, about, lambda: _columns(sys.stderr))
        return self._progress

    def watches(self, stop: Callable[[str], int]) -> bool:
        """Tell whether somebody else watches over the work, and may call `stop` where it must end early."""
        return False

    def clear(self) -> None:
        """Remove the line that says how far a run is."""
        if self._progress is not None:
            self._progress.close()
            self._progress = None


def _divert(stream: TextIO) -> None:
    """Send the rest of a stream nowhere, so that nothing is left to flush at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def wants_colour(stream: TextIO) -> bool:
    """Tell whether what is written to a stream may have colour: NO_COLOR switches it off, FORCE_COLOR on."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _columns(stream: TextIO) -> int:
    """Return the columns of a terminal; 80 where there is none."""
    try:
        terminal = stream.fileno() if stream.isatty() else None
        if terminal is not None:
            return int(os.environ.get("COLUMNS") or os.get_terminal_size(terminal).columns) or WIDTH
    except (OSError, ValueError, AttributeError):
        pass
    return WIDTH
