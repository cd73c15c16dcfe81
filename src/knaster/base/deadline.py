"""Ends work that looks at no budget, such as reading a text: when the time is over, `OutOfTime` is raised inside it.

Another thread does that, so the work has to be Python that can be left anywhere.  Native code is not interrupted;
what it returns to is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from knaster.base.limits import Budget, OutOfTime

T = TypeVar("T")
GRACE = 1.0  # seconds beyond the limit: what is small is done, and whoever looks at the budget says so with more words
_AGAIN = (0.5, 1.0, 5.0)  # seconds until it is raised once more, where somebody has caught it


def within_time(budget: Budget, doing: str, work: Callable[[], T]) -> T:
    """Return what some work returns; raise `OutOfTime` inside it when the time is over, if there is a limit."""
    left = budget.seconds_left
    if left is None:
        return work()
    alarm = _Alarm(left + GRACE)
    try:
        alarm.start()
        return work()
    except OutOfTime:
        raise OutOfTime(f"{budget.time_is_over()} while {doing}") from None
    finally:
        try:
            alarm.stop()
        finally:
            alarm.stop()  # it may ring just before the first one begins, and not so soon again


class _Alarm:
    """A thread that raises `OutOfTime` in the thread that made it, until it is stopped."""

    def __init__(self, seconds: float) -> None:
        self._target = threading.get_ident()
        self._over = False
        self._rang = False
        self._sleep = threading.Lock()  # whoever takes it waits until it is released, or for some time
        self._sleep.acquire()
        self._thread = threading.Thread(target=self._ring, args=(seconds,), name="deadline", daemon=True)

    def start(self) -> None:
        """Begin to wait."""
        self._thread.start()

    def stop(self) -> None:
        """Let nothing be raised any more; what was raised and has not arrived yet arrives here.

        Taking it back instead (an error of NULL) leaves the interpreter of Python 3.11 looking for it at every call:
        all that follows is slower, and with a profiler it never ends.
        """
        ended = False
        while not ended:
            try:
                self._over = True
                if self._sleep.locked():
                    self._sleep.release()
                if self._thread.is_alive():
                    self._thread.join()
                if not self._rang:
                    return
                ended = True  # from here on nobody else raises, and there is room for one error only
                _raise_in(self._target, OutOfTime)
                while True:
                    pass
            except OutOfTime:
                continue

    def _ring(self, seconds: float) -> None:
        for wait in (seconds, *_AGAIN):
            if self._sleep.acquire(timeout=min(wait, threading.TIMEOUT_MAX)) or self._over:
                return
            self._rang = True
            _raise_in(self._target, OutOfTime)


def _raise_in(thread: int, error: type[Exception]) -> None:
    """Raise an error in a thread at its next instruction, in place of one that has not arrived yet."""
    from ctypes import c_ulong, py_object, pythonapi

    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(error))
