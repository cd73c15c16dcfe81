"""Ends work that looks at no budget, such as reading a text: when the time is over, `OutOfTime` is raised inside it.

Another thread does that, so the work has to be Python that can be left anywhere.  Native code is not interrupted;
what it returns to is.
"""

from __future__ import annotations

import threading
from types import TracebackType

from knaster.base.limits import Budget, OutOfTime

_AGAIN = (0.5, 1.0, 5.0)  # seconds until it is raised once more, where somebody has caught it


class Deadline:
    """Raises `OutOfTime` inside its `with` block when the time is over; does nothing where there is no limit."""

    def __init__(self, budget: Budget, doing: str) -> None:
        self._budget = budget
        self._doing = doing
        self._target = threading.get_ident()
        self._over = False
        self._sleep = threading.Lock()  # whoever takes it waits until it is released, or for some time
        self._thread: threading.Thread | None = None

    def __enter__(self) -> None:
        left = self._budget.seconds_left
        if left is not None:
            self._sleep.acquire()
            self._thread = threading.Thread(target=self._ring, args=(left,), name="deadline", daemon=True)
            self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop()
        if kind is OutOfTime and self._thread is not None:
            raise OutOfTime(f"the time limit of {self._budget.seconds:g} s was reached while {self._doing}") from None

    def _stop(self) -> None:
        """Let nothing be raised any more; what was raised and has not arrived yet is forgotten."""
        while self._thread is not None:
            try:
                self._over = True
                if self._sleep.locked():
                    self._sleep.release()
                self._thread.join()
                _raise_in(self._target, None)
                return
            except OutOfTime:
                continue

    def _ring(self, seconds: float) -> None:
        for wait in (seconds, *_AGAIN):
            if self._sleep.acquire(timeout=min(wait, threading.TIMEOUT_MAX)) or self._over:
                return
            _raise_in(self._target, OutOfTime)


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    """Raise an error in a thread at its next instruction; None takes back what has not arrived yet."""
    from ctypes import c_ulong, py_object, pythonapi

    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), None if error is None else py_object(error))
