"""Watches the clock, the memory and Ctrl-C from a thread: an answer in time even while native code runs.

A Python signal handler waits for the next bytecode, and an engine looks at its budget only between BDD operations; one
operation may take minutes.  So a thread watches the clock, the memory and Ctrl-C from outside (native code releases
the interpreter's lock, and `signal.set_wakeup_fd` reports a signal at once).  When a limit is passed the engine gets
`GRACE` seconds to say so itself; then the watchdog speaks for it and ends the process.

Where Ctrl-C arrives in a destructor or in a function that native code calls, Python cannot raise the exception, loses
it and prints a traceback.  Where it arrives in a constructor, the destructor of what is half made fails later, perhaps
when the work has been left.  And `ctypes` makes another exception of it.  The watchdog has heard it, so nothing is
printed, and whatever the work raises then is the interruption.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from _queue import Empty, SimpleQueue  # `queue` has no others, and takes longer to import
from collections.abc import Callable
from types import TracebackType

from knaster.base.limits import peak_megabytes

GRACE = 1.0
_POLL = 0.2
_STOP = b"\0"


def _count_stops(signals: bytes) -> int:
    """Return how many of the signals ask the work to stop: Ctrl-C, and SIGTERM, which the command treats alike."""
    return signals.count(signal.SIGINT) + signals.count(signal.SIGTERM)


class Watchdog:
    """Watches while its `with` block runs; `give_up(reason)` is called in a thread and must end the process.

    `interrupted` tells whether Ctrl-C was seen.  Only the main thread can learn of signals; elsewhere it stays False.
    `pulse` is called a few times a second.  Two threads, no `select`: Windows cannot select on pipes.
    """

    def __init__(
        self,
        give_up: Callable[[str], object],
        seconds: float | None = None,
        megabytes: int | None = None,
        pulse: Callable[[], None] | None = None,
    ) -> None:
        self._interrupted = threading.Event()
        self._give_up = give_up
        self._seconds = seconds
        self._megabytes = megabytes
        self._pulse = pulse
        self._heard: SimpleQueue[bytes] = SimpleQueue()
        self._finish = threading.Lock()  # held by whoever may still speak
        self._finished = False

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C was seen."""
        return self._interrupted.is_set()

    def __enter__(self) -> Watchdog:
        self._started = time.monotonic()
        self._print = sys.unraisablehook
        sys.unraisablehook = self._print_lost
        self._read, self._write = os.pipe()
        self._signals = threading.current_thread() is threading.main_thread() and self._report_signals()
        self._threads = [
            threading.Thread(target=work, name=f"watchdog {work.__name__}", daemon=True)
            for work in (self._watch, self._listen)
        ]
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError as error:  # the only reason why a thread does not start
            raise MemoryError(str(error)) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._finish:  # not while the watchdog speaks: it never comes back
            self._finished = True
        if self._signals:
            signal.set_wakeup_fd(self._previous)
        os.write(self._write, _STOP)
        for thread in self._threads:
            thread.join()
        os.close(self._read)
        os.close(self._write)
        if not self._interrupted.is_set() and not isinstance(error, KeyboardInterrupt):
            sys.unraisablehook = self._print
            return
        self._interrupted.set()  # and what is half made is still to be destroyed
        if isinstance(error, Exception):
            raise KeyboardInterrupt from error

    def _print_lost(self, error: sys.UnraisableHookArgs) -> None:
        """Print what Python cannot raise, but for Ctrl-C and what comes of it, which may be noticed here first."""
        if not issubclass(error.exc_type, KeyboardInterrupt) and not self._interrupted.wait(_POLL):
            self._print(error)

    def _report_signals(self) -> bool:
        """Let signals write to the pipe; where the system does not allow that, Ctrl-C waits for the next bytecode."""
        if hasattr(os, "set_blocking"):  # on Windows only since Python 3.12, and not needed
            os.set_blocking(self._write, False)
        try:
            self._previous = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        except ValueError:
            return False
        return True

    def _listen(self) -> None:
        """Pass on the signals that arrive, one byte each, until there is the byte that stops the watch."""
        while _STOP not in (signals := os.read(self._read, 64)):
            self._heard.put(signals)
        if _count_stops(signals):  # in the last moment
            self._interrupted.set()
        self._heard.put(_STOP)

    def _watch(self) -> None:
        reason, deadline = "", float("inf")
        while True:
            signals = self._wait(deadline)
            if signals == _STOP:
                return
            if stops := _count_stops(signals):
                twice = self.interrupted or stops > 1
                self._interrupted.set()
                reason, deadline = "interrupted", time.monotonic() + (0 if twice else GRACE)
            if not reason:
                reason = self._passed_limit()
                deadline = time.monotonic() + GRACE if reason else deadline
            if self._pulse is not None:
                self._pulse()
            if time.monotonic() >= deadline:
                with self._finish:
                    if not self._finished:
                        self._give_up(reason)
                return

    def _wait(self, deadline: float) -> bytes:
        """Return the signals that arrived within a poll."""
        idle = self._seconds is None and self._megabytes is None and self._pulse is None and deadline == float("inf")
        try:
            return self._heard.get(timeout=None if idle else min(_POLL, max(0.0, deadline - time.monotonic())))
        except Empty:
            return b""

    def _passed_limit(self) -> str:
        if self._seconds is not None and time.monotonic() - self._started > self._seconds:
            return f"the time limit of {self._seconds:g} s was reached"
        if self._megabytes is not None and peak_megabytes() > self._megabytes:
            return f"the memory limit of {self._megabytes} MB was reached"
        return ""
