"""Stops z3 from one thread of a session, which looks at the clock and listens to Ctrl-C while a question is under way.

Python itself would hear of Ctrl-C only when z3 comes back.  The thread is started by the first question that needs it
and ends when it has been idle: one for each question would cost as much as a small question does.
"""

from __future__ import annotations

import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from knaster.base.records import dataclass

_TICK = 0.1  # seconds between two looks; z3 does not hear everywhere that it is to stop, so it is told again and again
_IDLE = 20  # looks after which a thread without a question ends


@dataclass(slots=True)
class _Question:
    """A question that is under way."""

    end: float | None  # when its time is over
    listens: bool
    heard: bool = False  # Ctrl-C


class Watcher:
    """Stops whatever is under way in one context of z3."""

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._lock = threading.Lock()
        self._question: _Question | None = None
        self._thread: threading.Thread | None = None
        self._write: socket.socket | None = None

    @contextmanager
    def watch(self, seconds: float | None) -> Iterator[Callable[[], bool]]:
        """Stop what is done inside when so many seconds are over or Ctrl-C arrives; yields whether that was heard.

        Whoever listens to signals already, as the watchdog of a command does, goes on to do so.  The exception that
        Python raises for Ctrl-C may be lost in a callback of z3.
        """
        listens = _nobody_listens()
        if not listens and seconds is None:
            yield lambda: False
            return
        question = _Question(None if seconds is None else time.monotonic() + seconds, listens)
        self._begin(question)
        try:
            yield lambda: question.heard
        finally:
            if listens:
                signal.set_wakeup_fd(-1)
            with self._lock:
                self._question = None

    def _begin(self, question: _Question) -> None:
        with self._lock:
            self._question = question
            if self._thread is None or not self._thread.is_alive():  # a child of this process has no threads
                read, self._write = socket.socketpair()
                self._write.setblocking(False)
                self._thread = threading.Thread(target=self._watch, args=(read, self._write), daemon=True)
                self._thread.start()
            if question.listens and self._write is not None:
                signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)

    def _watch(self, read: socket.socket, write: socket.socket) -> None:
        idle = 0
        while idle < _IDLE:
            ready, _, _ = select.select([read], [], [], _TICK)
            signals = read.recv(64) if ready else b""
            with self._lock:
                question = self._question
                idle = 0 if question is not None else idle + 1
                if question is not None:
                    question.heard = question.heard or (question.listens and signal.SIGINT in signals)
                    late = question.end is not None and time.monotonic() >= question.end
                    if question.heard or late:
                        self._stop()
                elif idle >= _IDLE:
                    self._thread = None
        read.close()
        write.close()


def _nobody_listens() -> bool:
    """Tell whether this thread can listen to signals, and nobody else does."""
    if threading.current_thread() is not threading.main_thread():
        return False
    previous = signal.set_wakeup_fd(-1)
    if previous != -1:
        signal.set_wakeup_fd(previous, warn_on_full_buffer=False)
    return previous == -1
