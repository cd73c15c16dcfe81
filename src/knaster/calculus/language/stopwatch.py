"""The stop watch of `#timer`."""

from __future__ import annotations

import time

STOP_WATCH = ("go", "stop", "reset")  # what it obeys; any other word asks for the time


class StopWatch:
    """Processor time, as `#timer` wants it."""

    def __init__(self) -> None:
        self._sum = 0.0
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """Processor time while the watch was running."""
        running = time.process_time() - self._since if self._since is not None else 0.0
        return self._sum + running

    def command(self, word: str) -> None:
        """Obey go, stop or reset."""
        match word:
            case "go":
                self._since = self._since if self._since is not None else time.process_time()
            case "stop":
                self._sum, self._since = self.seconds, None
            case "reset":
                self._sum, self._since = 0.0, None
