"""Hard limits: an answer in time even while native code runs.

A Python signal handler waits for the next bytecode, and an engine looks at its budget only between BDD operations; one
operation may take minutes.  So a thread watches the clock, the memory and Ctrl-C from outside (native code releases
the interpreter's lock, and `signal.set_wakeup_fd` reports a signal at once).  When a limit is passed the engine gets
`GRACE` seconds to say so itself; then the watchdog speaks for it and ends the process.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable
from types import TracebackType

from knaster.limits import peak_megabytes

GRACE = 1.0
_POLL = 0.2
_STOP = b"\0"


class Watchdog:
    """Watches while its `with` block runs; `give_up(reason)` is called in a thread and must end the process.

    `interrupted` tells whether Ctrl-C was seen.  Only the main thread can learn of signals; elsewhere it stays False.
    """

    def __init__(
        self, give_up: Callable[[str], None], seconds: float | None = None, megabytes: int | None = None
    ) -> None:
        self.interrupted = False
        self._give_up = give_up
        self._seconds = seconds
        self._megabytes = megabytes
        self._finish = threading.Lock()  # held by whoever may still speak
        self._finished = False

    def __enter__(self) -> Watchdog:
        self._started = time.monotonic()
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._signals = threading.current_thread() is threading.main_thread()
        if self._signals:
            self._previous = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._finish:  # not while the watchdog speaks: it never comes back
            self._finished = True
        if self._signals:
            signal.set_wakeup_fd(self._previous)
        os.write(self._write, _STOP)
        self._thread.join()
        os.close(self._read)
        os.close(self._write)

    def _watch(self) -> None:
        reason, deadline = "", float("inf")
        while True:
            signals = self._wait(deadline)
            if signals is None:
                return
            if signal.SIGINT in signals:
                twice = self.interrupted or signals.count(signal.SIGINT) > 1
                self.interrupted = True
                reason, deadline = "interrupted", time.monotonic() + (0 if twice else GRACE)
            if not reason:
                reason = self._overdrawn()
                deadline = time.monotonic() + GRACE if reason else deadline
            if time.monotonic() >= deadline:
                with self._finish:
                    if not self._finished:
                        self._give_up(reason)
                return

    def _wait(self, deadline: float) -> bytes | None:
        """Return the signals that arrived within a poll; None when the watch is over."""
        timeout = min(_POLL, max(0.0, deadline - time.monotonic()))
        if self._seconds is None and self._megabytes is None and deadline == float("inf"):
            timeout = 3600.0
        ready, _, _ = select.select([self._read], [], [], timeout)
        if not ready:
            return b""
        signals = os.read(self._read, 64)
        return None if _STOP in signals else signals

    def _overdrawn(self) -> str:
        if self._seconds is not None and time.monotonic() - self._started > self._seconds:
            return f"the time limit of {self._seconds:g} s was reached"
        if self._megabytes is not None and peak_megabytes() > self._megabytes:
            return f"the memory limit of {self._megabytes} MB was reached"
        return ""
