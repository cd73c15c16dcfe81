"""A line on the terminal that says how far a run is: nothing in a pipe, nothing for a run that is over soon."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

from knaster.base.visible import make_line

PATIENCE = 2.0  # seconds without a word, where nobody asked for progress
_EVERY = 0.1


class Progress:
    """The last line of the terminal while a run goes on; `hear` may be called as often as one likes.

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

    @property
    def listener(self) -> Callable[[str], None] | None:
        """Who is to be told; None where nobody looks."""
        return self.hear if self._on else None

    @property
    def pulse(self) -> Callable[[], None] | None:
        """What to call now and then, so that the clock goes on while nobody tells anything."""
        return self._draw if self._on else None

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
