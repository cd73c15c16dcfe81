"""Ctrl-C that waits: not in the middle of writing an answer, nor inside a call of native code that comes back to us."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class DeferredInterrupt:
    """While its `with` block runs, Ctrl-C (and SIGTERM, where it means the same) is raised only inside `listening`.

    The second one is raised at once, unless it is `patient`: then whoever looks at `came` ends the work.  Only the
    main thread hears of signals; elsewhere nothing changes.
    """

    def __init__(self, patient: bool = False) -> None:
        self.came = False
        self._patient = patient
        self._listens = False
        self._previous: dict[int, object] = {}

    def __enter__(self) -> DeferredInterrupt:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) is signal.default_int_handler:
                    self._previous[number] = signal.signal(number, self._hear)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for number in self._previous:
            signal.signal(number, signal.default_int_handler)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Raise `KeyboardInterrupt` here, also for a signal that came before."""
        self._listens = True
        try:
            if self.came:
                raise KeyboardInterrupt
            yield
        finally:
            self._listens = False

    def _hear(self, number: int, frame: FrameType | None) -> None:
        again, self.came = self.came and not self._patient, True
        if self._listens or again:
            raise KeyboardInterrupt
